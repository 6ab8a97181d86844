import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { flood, hugeLine } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { DEFAULT_OUTLET_LIMITS } from '../../src/server/console/socket/outlet.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { BareClient, isCliMessage, startEmulatedConsole } from '../support/console.js';
import { ManualClock } from '../support/manual-clock.js';

/** More than the buffers of both ends of a connection hold. */
const MUCH = () => [onUser([flood(2_000, 10_000), say('That was all.')])];

/** A turn that one client reads completely, while another has stopped reading. */
async function throughATurn({ server, root }: EmulatedConsole, client?: BareClient) {
  const quick = await BareClient.connect(server);
  const slow = client ?? (await BareClient.connect(server));
  const { session } = await quick.ask('open', { cwd: root });
  slow.attach(session);
  await slow.event('state');
  slow.socket.pause();
  quick.attach(session);
  await quick.ask('send', { content: 'go' }, { session });
  await quick.event('line', isCliMessage('result'));
  return { quick, slow, session };
}

type EmulatedConsole = Pick<Awaited<ReturnType<typeof startEmulatedConsole>>, 'server' | 'root'>;

test('a browser that reads nothing costs the session and the others nothing, and catches up later', async () => {
  const { quick, slow } = await throughATurn(await startEmulatedConsole(MUCH));
  expect(slow.numbers.length).toBeLessThan(quick.numbers.length / 2);
  slow.socket.resume();
  await slow.event('line', isCliMessage('result'));
  expect(slow.numbers).toEqual(slow.numbers.map((_, index) => index + 1));
});

test('a browser that reads nothing for too long is dropped, and continues from its number', async () => {
  const clock = new ManualClock();
  const patienceMs = 6_000;
  const { server, root } = await startEmulatedConsole(MUCH, {
    clock,
    limits: { outlet: { ...DEFAULT_OUTLET_LIMITS, highWater: 100_000, patienceMs } },
  });
  const { slow, session } = await throughATurn({ server, root });
  // It read until its buffers were full, and nothing since.
  clock.advance(2 * patienceMs);
  slow.socket.resume();
  await slow.closed;
  const last = Number(slow.numbers.at(-1));
  const back = await BareClient.connect(server);
  back.attach(session, last);
  await back.event('line', isCliMessage('result'));
  expect(back.numbers).toEqual(back.numbers.map((_, index) => last + 1 + index));
});

test('an event larger than the limit is delivered anyway, with what follows it', async () => {
  const { server, root } = await startEmulatedConsole(
    () => [onUser([hugeLine(20_000_000), say('That was all.')])],
    { limits: { outlet: { highWater: 1_000, maxWaiting: 100_000, patienceMs: 30_000 } } },
  );
  const { quick, slow, session } = await throughATurn({ server, root });
  // Summaries go to all clients, including those that have yet to read the event.
  await quick.ask('rename', { title: 'renamed' }, { session });
  await quick.summary(({ title }) => title === 'renamed');
  slow.socket.resume();
  await slow.event('line', isCliMessage('result'));
  expect(slow.numbers).toEqual(slow.numbers.map((_, index) => index + 1));
});

test('a client that reads no answers is dropped when too many of them wait', async () => {
  const { server, root } = await startEmulatedConsole([], {
    limits: { outlet: { ...DEFAULT_OUTLET_LIMITS, maxWaiting: 50_000 } },
  });
  const quick = await BareClient.connect(server);
  const slow = await BareClient.connect(server);
  const { session } = await quick.ask('open', { cwd: root });
  slow.attach(session);
  await quick.summary(({ viewers }) => viewers === 1);
  slow.socket.pause();
  // The answer repeats the name.
  const name = 'nonsense'.repeat(25_000);
  for (let count = 0; count < 100; count += 1) {
    slow.say({ type: 'command', id: randomUUID(), name, params: {} });
  }
  const { id } = await quick.summary(({ viewers }) => viewers === 0);
  expect(id).toBe(session);
});

test('a browser that disconnects in the middle is forgotten', async () => {
  const { server, root } = await startEmulatedConsole(MUCH);
  const stays = await BareClient.connect(server);
  const goes = await BareClient.connect(server);
  const { session } = await stays.ask('open', { cwd: root });
  goes.attach(session);
  stays.attach(session);
  await stays.ask('send', { content: 'go' }, { session });
  await goes.event('line', isCliMessage('system'));
  goes.socket.terminate();
  await stays.event('line', isCliMessage('result'));
  await stays.ever(({ session: of }) => isObject(of) && of.viewers === 1 && of.state === 'idle');
  expect(goes.numbers.length).toBeLessThan(stays.numbers.length);
});

test('a client that does not respond to pings is dropped, and one that does is not', async () => {
  const clock = new ManualClock();
  const { server } = await startEmulatedConsole(MUCH, { clock });
  const dead = await BareClient.connect(server, { autoPong: false });
  const alive = await BareClient.connect(server);
  await beat(clock, alive);
  await beat(clock, alive);
  await dead.closed;
  await beat(clock, alive);
  expect(await alive.command('folders', {})).toMatchObject({ ok: true });
});

test('a client that is still reading its backlog is alive, even if its pong is late', async () => {
  const clock = new ManualClock();
  const limits = { outlet: { ...DEFAULT_OUTLET_LIMITS, patienceMs: 3_600_000 } };
  const { server, root } = await startEmulatedConsole(MUCH, { clock, limits });
  const slow = await BareClient.connect(server, { autoPong: false });
  let asked = 0;
  slow.socket.on('ping', () => {
    asked += 1;
  });
  const { quick } = await throughATurn({ server, root }, slow);
  await beat(clock, quick);
  slow.socket.resume();
  await slow.event('line', isCliMessage('result'));
  // It has read a lot since, and is pinged again; after that it does not respond at all.
  await beat(clock, quick);
  await beat(clock, quick);
  await slow.closed;
  expect(asked).toBe(2);
});

/** Lets the ping interval pass, and waits for the pong of one client. */
async function beat(clock: ManualClock, client: BareClient): Promise<void> {
  const asked = new Promise((resolve) => client.socket.once('ping', resolve));
  clock.advance(20_000);
  await asked;
  // Answered after the ping, so the pong is there before it.
  await client.command('folders', {});
}

test('a client that detaches at once is not a viewer', async () => {
  const { server, root } = await startEmulatedConsole([]);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  for (let count = 0; count < 20; count += 1) {
    client.attach(session);
    client.say({ type: 'detach', session });
  }
  await client.ask('folders', {});
  const later = await BareClient.connect(server);
  const [, { sessions } = {}] = later.messages;
  expect(sessions).toMatchObject([{ id: session, viewers: 0 }]);
});
