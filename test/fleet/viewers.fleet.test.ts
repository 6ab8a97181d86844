import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startFleet } from '../support/fleet.js';
import { gatewayProcess, workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

withNats('a viewer at a gateway', () => {
  test('keeps a CLI from being parked until it leaves', async () => {
    const { server, root } = await startFleet([chat], { idleMs: 1_000 });
    const client = await BareClient.connect(server);
    const { session: watched } = await client.ask('open', { cwd: root });
    client.attach(watched);
    await client.event('state', ({ state }) => state === 'idle');
    // It was idle before the other one, so without its viewer it would be parked first.
    const { session: other } = await client.ask('open', { cwd: root });
    await client.ever(isParked(other));
    expect(client.messages.some(isParked(watched))).toBe(false);
    client.say({ type: 'detach', session: watched });
    await client.ever(isParked(watched));
  });
});

withNats('viewers that read nothing', () => {
  test('cost a gateway a bounded amount of memory, however much is said', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    await workerProcess({ nats, root, leaseSeconds: 60 });
    const gateway = await gatewayProcess(nats);
    const talk = await FleetTalk.open(gateway, { cwd: root, nats });
    for (let each = 0; each < 5; each += 1) {
      const slow = await BareClient.connect(gateway);
      slow.attach(talk.session);
      await slow.next(({ type }) => type === 'attached');
      slow.socket.pause();
    }
    await talk.talk(20, 0);
    let heaps = 0;
    const held = async () => {
      gateway.tell('heap');
      heaps += 1;
      return Number(await gateway.heard('heap', heaps));
    };
    const before = await held();
    const said = () => sizeOf(talk.client.messages) / 2 ** 20;
    while (said() < 20) await talk.talk(400, 0);
    // Five times as much would wait for them if it were kept for each.
    expect((await held()) - before).toBeLessThan(said());
  });
});

function sizeOf(messages: readonly WireObject[]): number {
  return messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
}

function isParked(id: string) {
  return ({ type, session }: WireObject) =>
    type === 'session' && (session as WireObject).id === id && (session as WireObject).state === 'parked';
}
