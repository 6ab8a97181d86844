import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient } from '../support/console.js';
import { startFleet } from '../support/fleet.js';
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

function isParked(id: string) {
  return ({ type, session }: WireObject) =>
    type === 'session' && (session as WireObject).id === id && (session as WireObject).state === 'parked';
}
