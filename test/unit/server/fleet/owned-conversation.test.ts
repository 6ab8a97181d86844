import { expect, test } from 'vitest';
import { failed } from '../../../../src/server/console/commands/command-result.js';
import { addresses, type Engine, EngineError } from '../../../../src/server/fleet/engine/engine.js';
import { takeEpoch } from '../../../../src/server/fleet/engine/epochs.js';
import { CommandRecords } from '../../../../src/server/fleet/worker/command-records.js';
import { OwnedConversation } from '../../../../src/server/fleet/worker/owned-conversation.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

const by = { client: 'c', name: 'test', kind: 'program', role: 'operator', key: 'key' } as const;

const EARLIER = 'accepted by an earlier owner';

test.each(['asked now', EARLIER])(
  'a message is not refused while a later owner would run it: %s',
  async (id) => {
    const { world, connect } = makeServers();
    const client = connect();
    let isStoring = false;
    const engine = withoutResult(connect(), id, () => !isStoring);
    const send = (name: string) => ({ id: name, name: 'send', session: 's', params: { content: 'hello' } });
    const ask = () =>
      client.bus.request(addresses.owner('s'), JSON.stringify({ ...send(id), by }), 5_000).then(JSON.parse);
    await world.run(async () => {
      const before = await takeEpoch(engine, 's', { worker: 'one', after: 0 });
      await new CommandRecords(engine, before, world).accept(send(EARLIER), by);
      const owned = new OwnedConversation({
        engine,
        clock: world,
        worker: 'two',
        epoch: await takeEpoch(engine, 's', { worker: 'two', after: before.sequence }),
        left: { record: undefined, revision: 0 },
        disk: () => undefined,
        run: async () => failed(new CoxswainError('CLI_ENDED', 'The CLI ended.')),
        onDeleted: async () => {},
        onGone: () => {},
        onFenced: () => {},
      });
      await owned.listen();
      void owned.finishEarlier(() => false).finally(() => owned.ready());
      await expect(ask()).rejects.toMatchObject({ why: 'unready' });
      isStoring = true;
      expect(await ask()).toMatchObject({ ok: false });
      owned.close();
    });
  },
);

/** An engine that stores everything but the result of one command. */
function withoutResult(engine: Engine, id: string, isAway: () => boolean): Engine {
  const append: Engine['logs']['append'] = async (key, text, how) => {
    if (isAway() && text.includes(`"id":"${id}","state":"done"`)) throw new EngineError('unready', 'away');
    return engine.logs.append(key, text, how);
  };
  return { ...engine, logs: { ...engine.logs, append } };
}
