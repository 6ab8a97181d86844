import { expect, test } from 'vitest';
import { addresses } from '../../../../src/server/fleet/engine/engine.js';
import { FleetCommands } from '../../../../src/server/fleet/gateway/fleet-commands.js';
import { FleetSessions } from '../../../../src/server/fleet/gateway/fleet-sessions.js';
import { WorkerList } from '../../../../src/server/fleet/placement/worker-list.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

const by = { client: 'c', name: 'test', kind: 'program', role: 'owner', key: 'key' } as const;

test('a command that a lost worker may have accepted is not refused when it is asked for again', async () => {
  const { world, connect } = makeServers();
  const [engine, owner] = [connect(), connect()];
  const sessions = new FleetSessions(engine, world, { onChange: () => {}, onRemoved: () => {} });
  const commands = new FleetCommands({ engine, clock: world, sessions, workers: new WorkerList() });
  const send = (id: string) =>
    commands.askOwner('s', { id, name: 'send', params: {} }, { by, signal: new AbortController().signal });
  await world.run(async () => {
    const leave = owner.bus.subscribe(addresses.owner('s'), () => {});
    await owner.bus.flush();
    const asked = send('one');
    const first = expect(asked).rejects.toMatchObject({ code: 'FLEET_UNANSWERED' });
    await world.sleep(1_000);
    leave();
    await first;
    await expect(send('one')).rejects.toMatchObject({ code: 'FLEET_UNANSWERED' });
    await expect(send('another')).rejects.toMatchObject({ code: 'FLEET_NO_WORKER' });
  });
});
