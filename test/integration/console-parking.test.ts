import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { BareClient, eventIn, startEmulatedConsole } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { HeldClock } from '../support/held-clock.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const asking = () => [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'files' }), say('Done.')]),
  ...chat(),
];
const stateOf = (wanted: string, id?: string) => (session: Record<string, unknown>) =>
  session.state === wanted && (id === undefined || session.id === id);

/** CLIs that resume the requested conversation, and which one that was. */
function resuming() {
  const resumed: (string | undefined)[] = [];
  const transport = (launch: AskedLaunch) => {
    resumed.push(launch.resume);
    return emulateCli(chat(), { launch }).transport;
  };
  return { resumed, session: { transport } };
}

test('an idle session without viewers is parked, and the next message starts it again', async () => {
  const { resumed, session: own } = resuming();
  const { server, root } = await startEmulatedConsole(chat, { idleMs: 20, session: own });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'one' }, { session });
  const parked = await client.summary(({ state, costUsd }) => state === 'parked' && Number(costUsd) > 0);
  expect(parked).toMatchObject({ title: 'one' });
  expect(parked.error).toBeUndefined();
  const both = ['two', 'three'].map((content) => client.ask('send', { content }, { session }));
  await Promise.all(both);
  const again = await client.summary(
    ({ state, costUsd }) => state === 'parked' && Number(costUsd) > Number(parked.costUsd),
  );
  expect(again.conversation).toBe(parked.conversation);
  // On a busy machine it is parked before the first message: then there is nothing to resume.
  expect(resumed[0]).toBeUndefined();
  expect(resumed.at(-1)).toBe(parked.conversation);
  expect(new Set(resumed)).toEqual(new Set([undefined, parked.conversation]));
  client.attach(session);
  const of = (wanted: string) => client.events.map(eventIn).filter(({ kind }) => kind === wanted);
  await expect.poll(() => of('queued').map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  await expect.poll(() => of('state').filter(({ state }) => state === 'parked').length).toBeGreaterThan(1);
  expect(of('state').filter(({ state }) => state === 'ended')).toEqual([]);
});

test('a session with viewers, an open prompt or a program is not parked', async () => {
  const idleMs = 600_000;
  const clock = new HeldClock(idleMs);
  const { server, root } = await startEmulatedConsole(asking, { idleMs, clock });
  const client = await BareClient.connect(server);
  const { session: watched } = await client.ask('open', { cwd: root });
  client.attach(watched);
  const { session: asks } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'go' }, { session: asks });
  await client.summary(stateOf('needs-you', asks));
  await using program = await openSession({ remote: server.url, cwd: root, prompts: 'manual' });
  const { session: left } = await client.ask('open', { cwd: root });
  await client.summary(stateOf('idle', left));
  await eventually(() => clock.size > 0);
  clock.letRun();
  await client.summary(stateOf('parked', left));
  expect(program.state).toBe('ready');
  const latest = (id: string) =>
    client.messages.findLast(({ session }) => isObject(session) && session.id === id)?.session;
  expect(latest(watched)).toMatchObject({ state: 'idle' });
  expect(latest(asks)).toMatchObject({ state: 'needs-you' });
  client.say({ type: 'detach', session: watched });
  await eventually(() => clock.size > 0);
  clock.letRun();
  await client.summary(stateOf('parked', watched));
});

test('if the number of CLIs is limited, idle ones make room, and busy ones make others wait', async () => {
  const { server, root, clis } = await startEmulatedConsole(asking, { maxRunning: 1 });
  const client = await BareClient.connect(server);
  const { session: first } = await client.ask('open', { cwd: root });
  const { session: second } = await client.ask('open', { cwd: root });
  await client.ever(({ session }) => stateOf('parked', first)((session ?? {}) as never));
  await client.ask('send', { content: 'go' }, { session: second });
  const { prompts } = await client.summary(stateOf('needs-you', second));
  const waking = client.ask('send', { content: 'hello' }, { session: first });
  await client.summary(stateOf('waiting', first));
  expect(await client.command('interrupt', {}, { session: first })).toMatchObject({
    error: { code: 'SESSION_ENDED', message: expect.stringContaining('waiting') },
  });
  expect(clis).toHaveLength(2);
  const [prompt] = prompts as readonly { id: string }[];
  await client.ask(
    'answer',
    { prompt: String(prompt?.id), answer: { answer: 'allow' } },
    { session: second },
  );
  await waking;
  await client.summary(stateOf('needs-you', first));
  expect(clis).toHaveLength(3);
});

test('a session that waits for a slot can be closed', async () => {
  const { server, root, clis } = await startEmulatedConsole(asking, { maxRunning: 1 });
  const client = await BareClient.connect(server);
  const { session: busy } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'go' }, { session: busy });
  await client.summary(stateOf('needs-you', busy));
  const id = '00000000-0000-4000-8000-000000000001';
  const opening = client.command('open', { cwd: root, id });
  await client.summary(stateOf('waiting', id));
  await client.ask('close', {}, { session: id });
  expect(await opening).toMatchObject({ ok: false });
  expect(clis).toHaveLength(1);
});

test('a parked session stays parked across a server restart, and the next message resumes it', async () => {
  const before = await startEmulatedConsole(chat, { idleMs: 20 });
  const client = await BareClient.connect(before.server);
  const { session } = await client.ask('open', { cwd: before.root });
  await client.ask('send', { content: 'one' }, { session });
  const parked = await client.summary(({ state, costUsd }) => state === 'parked' && Number(costUsd) > 0);
  await before.server.close();
  const { resumed, session: own } = resuming();
  const after = await startEmulatedConsole(chat, {
    stateFolder: before.stateFolder,
    roots: [before.root],
    session: own,
  });
  const back = await BareClient.connect(after.server);
  const listed = back.messages.find(({ type }) => type === 'sessions');
  expect(listed).toMatchObject({ sessions: [{ id: session, state: 'parked', title: 'one' }] });
  await back.ask('send', { content: 'two' }, { session });
  expect(resumed).toEqual([parked.conversation]);
  await back.summary(({ state, costUsd }) => state === 'idle' && Number(costUsd) > Number(parked.costUsd));
});

test('a parked session can be closed and removed like any other', async () => {
  const { server, root } = await startEmulatedConsole(chat, { idleMs: 20 });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.summary(stateOf('parked'));
  await client.ask('close', {}, { session });
  await client.summary(stateOf('ended'));
  await client.ask('remove', {}, { session });
});
