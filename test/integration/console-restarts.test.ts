import { randomUUID } from 'node:crypto';
import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import {
  asKilled,
  BareClient,
  eventIn,
  isCliMessage,
  startEmulatedConsole,
  temporaryFolder,
} from '../support/console.js';
import { ManualClock } from '../support/manual-clock.js';
import { putTranscript, user } from '../support/transcripts.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

test('a restarted server keeps open prompts, and resumes by id', async () => {
  const scenario = () => [
    onUser([useTool('Bash', { command: 'ls' }, { ask: true })]),
    onUser(undefined, [say('again')], { times: 'any' }),
  ];
  const before = await startEmulatedConsole(scenario);
  const client = await BareClient.connect(before.server);
  const { session } = await client.ask('open', { cwd: before.root });
  client.attach(session);
  await client.ask('send', { content: 'first words' }, { session });
  const open = await client.event('prompt');
  await before.server.close();
  const after = await startEmulatedConsole(() => [onUser([say('resumed')])], {
    stateFolder: before.stateFolder,
    roots: [before.root],
  });
  const back = await BareClient.connect(after.server);
  const listed = back.messages.find(({ type }) => type === 'sessions')?.sessions as {
    id: string;
    state: string;
  }[];
  const [prompt] = [eventIn(open).prompt];
  expect(listed).toMatchObject([
    { id: session, state: 'parked', title: 'first words', prompts: [{ headline: 'Bash: ls' }] },
  ]);
  expect(listed).toMatchObject([{ prompts: [{ id: (prompt as { id: string }).id }] }]);
  back.attach(session, Number(open.n));
  await back.ask('reopen', {}, { session });
  await back.ask('send', { content: 'go on' }, { session });
  await back.event('line', isCliMessage('result'));
  expect(back.numbers).toEqual(back.numbers.map((_, index) => Number(open.n) + 1 + index));
});

test('a session is saved at once: a server that is killed soon after still has it', async () => {
  const { server, root, stateFolder } = await startEmulatedConsole(chat, { clock: new ManualClock() });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await expect.poll(() => savedState(stateFolder, session)).toBe('starting');
});

test('a server that is killed before it saves that a parked session goes on is not taken for a clean stop', async () => {
  const clock = new ManualClock();
  const stuck = () => [onUser('first', [say('one')]), onUser(undefined, [say('two'), hang()])];
  const before = await startEmulatedConsole(stuck, { clock });
  const client = await BareClient.connect(before.server);
  const { session } = await client.ask('open', { cwd: before.root });
  client.attach(session);
  await client.ask('send', { content: 'first' }, { session });
  await client.event('settled');
  await client.ask('park', {}, { session });
  await client.event('state', ({ state }) => state === 'parked');
  clock.advance(1_000);
  await expect.poll(() => savedState(before.stateFolder, session)).toBe('parked');
  await client.ask('send', { content: 'second' }, { session });
  await client.event('begun');
  const folder = join(before.stateFolder, 'sessions', session);
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.trace'));
  const begun = () => readFile(join(folder, file), 'utf8');
  await expect.poll(async () => (await begun()).split('"kind":"begun"')).toHaveLength(3);
  expect(await savedState(before.stateFolder, session)).toBe('parked');
  const stateFolder = await asKilled(before.stateFolder);
  const after = await startEmulatedConsole([], { stateFolder, roots: [before.root] });
  const back = await BareClient.connect(after.server);
  back.attach(session, Math.max(...client.numbers));
  expect(eventIn(await back.event('end'))).toMatchObject({ end: { reason: 'failed' } });
  // Its clients may have seen more than the disk got.
  expect(Math.min(...back.numbers)).toBeGreaterThan(1_000_000);
});

test('a killed server leaves its sessions listed, with their open prompts expired', async () => {
  const before = await startEmulatedConsole(() => [
    onUser([useTool('Bash', { command: 'ls' }, { ask: true })]),
  ]);
  const client = await BareClient.connect(before.server);
  const { session } = await client.ask('open', { cwd: before.root });
  client.attach(session);
  await client.ask('send', { content: 'go' }, { session });
  const open = await client.event('prompt');
  // What a kill leaves on disk at this moment, with the last line truncated.
  const stateFolder = await temporaryFolder();
  await expect.poll(() => savedState(before.stateFolder, session), { timeout: 10_000 }).toBe('needs-you');
  await cp(before.stateFolder, stateFolder, { recursive: true });
  const folder = join(stateFolder, 'sessions', session);
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.trace'));
  await appendFile(join(folder, file), '{"v":1,"n":99999,"at":1,"kind":"li');
  const after = await startEmulatedConsole([], { stateFolder, roots: [before.root] });
  const back = await BareClient.connect(after.server);
  // It saw one event more than the disk got.
  const last = Math.max(Number(open.n), ...client.numbers) + 1;
  back.attach(session, last);
  expect(eventIn(await back.event('prompt-settled'))).toMatchObject({ how: 'expired' });
  expect(eventIn(await back.event('end'))).toMatchObject({ end: { reason: 'failed' } });
  expect(eventIn(await back.event('state'))).toMatchObject({ state: 'ended' });
  expect(back.messages.filter(({ type }) => type === 'attached').map(({ reset }) => reset)).toEqual([
    false,
    false,
  ]);
  expect(Math.min(...back.numbers)).toBeGreaterThan(last);
  // A client that had seen nothing gets the events of both, without a reset.
  const fresh = await BareClient.connect(after.server);
  fresh.attach(session, 0);
  await fresh.event('state', ({ state }) => state === 'ended');
  const earlier = fresh.numbers.filter((n) => n < last);
  expect(earlier).toEqual(earlier.map((_, index) => index + 1));
  expect(fresh.numbers.filter((n) => n >= last)).toEqual(back.numbers);
  expect(fresh.messages.some(({ type, reset }) => type === 'attached' && reset === true)).toBe(false);
});

test('a session of another running server is left alone, and one of a process that only has its id is not', async () => {
  const before = await startEmulatedConsole(chat);
  const client = await BareClient.connect(before.server);
  const { session } = await client.ask('open', { cwd: before.root });
  await before.server.close();
  const file = join(before.stateFolder, 'sessions', session, 'session.json');
  const listedWith = async (owner: object) => {
    const { started: _, ...record } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...record, ...owner }));
    const { server } = await startEmulatedConsole([], { stateFolder: before.stateFolder });
    const { messages } = await BareClient.connect(server);
    await server.close();
    return JSON.stringify(messages).includes(session);
  };
  expect(await listedWith({ pid: process.ppid })).toBe(false);
  expect(await listedWith({ pid: process.ppid, started: 'at another time' })).toBe(true);
});

async function savedState(stateFolder: string, session: string): Promise<string | undefined> {
  const text = await readFile(join(stateFolder, 'sessions', session, 'session.json'), 'utf8').catch(
    () => '{}',
  );
  return JSON.parse(text).summary?.state;
}

test('a session whose file cannot be read is reported, and its file is left unchanged', async () => {
  const before = await startEmulatedConsole(chat);
  const client = await BareClient.connect(before.server);
  const { session: good } = await client.ask('open', { cwd: before.root });
  const { session: bad } = await client.ask('open', { cwd: before.root });
  await before.server.close();
  const file = join(before.stateFolder, 'sessions', bad, 'session.json');
  const text = (await readFile(file, 'utf8')).slice(0, -20);
  await writeFile(file, text);
  const { server } = await startEmulatedConsole([], {
    stateFolder: before.stateFolder,
    roots: [before.root],
  });
  expect(server.problems).toEqual([expect.stringContaining(file)]);
  const { messages } = await BareClient.connect(server);
  expect(messages.find(({ type }) => type === 'hello')).toMatchObject({ problems: server.problems });
  expect(messages.find(({ type }) => type === 'sessions')).toMatchObject({ sessions: [{ id: good }] });
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a message that only the transcript has is not sent again: a CLI would ignore it, and nothing would settle it', async () => {
  const first = await startEmulatedConsole([onUser([say('Done.')])]);
  const { root, stateFolder } = first;
  const client = await BareClient.connect(first.server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  const { uuid: one } = await client.ask('send', { content: 'one' }, { session });
  // Before its first turn, this CLI has another id.
  await client.event('settled', ({ uuid }) => uuid === one);
  const told = client.events.map(({ event }) => event).filter(isObject);
  const { conversation } =
    told.findLast(({ kind, conversation: id }) => kind === 'cli' && id !== undefined) ?? {};
  await first.server.close();
  const sent = randomUUID();
  const entry = { ...user(2, null, 'two'), uuid: sent, cwd: root, sessionId: conversation };
  await putTranscript(root, `${conversation}.jsonl`, [entry], root.replaceAll(/[^A-Za-z0-9]/g, '-'));

  const second = await startEmulatedConsole([onUser([say('Again.')])], {
    stateFolder,
    roots: [root],
    configDir: root,
  });
  const again = await BareClient.connect(second.server);
  again.attach(session);
  const reopen = true;
  expect(await again.ask('send', { content: 'two', reopen }, { session, id: sent })).toEqual({ uuid: sent });
  const { event } = await again.event('settled', ({ uuid }) => uuid === sent);
  expect(event).toMatchObject({
    outcome: { kind: 'cli-ended', error: expect.stringContaining('not recorded') },
  });
  expect(second.clis).toHaveLength(0);
  await again.ask('send', { content: 'three', reopen }, { session });
  expect(second.clis).toHaveLength(1);
});
