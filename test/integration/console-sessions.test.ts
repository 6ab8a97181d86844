import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { loadTrace } from '../../src/wire/trace/read/read-trace.js';
import { BareClient, eventIn, isCliMessage, startEmulatedConsole } from '../support/console.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const COLOURS = question('Which colour?', ['Red', 'Green'], { header: 'Colour' });

test('a session is opened, answers, and is listed with its cost and state', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root, title: 'Greeting' });
  client.attach(session);
  await client.ask('send', { content: 'hello' }, { session });
  await client.event('line', isCliMessage('result'));
  const idle = await client.summary(({ state, costUsd }) => state === 'idle' && Number(costUsd) > 0);
  expect(idle).toMatchObject({
    id: session,
    title: 'Greeting',
    cwd: root,
    cliVersion: '2.1.326',
    prompts: [],
  });
  const states = client.events.map(eventIn).filter(({ kind }) => kind === 'state');
  expect(states.map(({ state }) => state)).toEqual(['starting', 'idle', 'running', 'idle']);
});

test('a client that reconnects gets exactly what it missed, once, and nothing reaches the CLI', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const first = await BareClient.connect(server);
  const { session } = await first.ask('open', { cwd: root });
  first.attach(session);
  await first.ask('send', { content: 'one' }, { session });
  await first.event('line', isCliMessage('result'));
  const seen = Number(first.numbers.at(-1));
  await first.close();
  const other = await BareClient.connect(server);
  await other.ask('send', { content: 'two' }, { session });
  other.attach(session);
  await other.event('line', isCliMessage('result'));
  await other.event('line', isCliMessage('result'));
  const lines = clis[0]?.lines.length;
  const back = await BareClient.connect(server);
  back.attach(session, seen);
  await back.event('line', isCliMessage('result'));
  expect(back.numbers[0]).toBe(seen + 1);
  expect(other.numbers).toEqual(other.numbers.map((_, index) => index + 1));
  expect(back.numbers).toEqual(back.numbers.map((_, index) => seen + 1 + index));
  expect(clis[0]?.lines.length).toBe(lines);
});

test('a command that is sent twice takes effect once, and is answered twice', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const id = randomUUID();
  const once = await client.command('send', { content: 'pay' }, { session, id });
  await client.close();
  const again = await (await BareClient.connect(server)).command('send', { content: 'pay' }, { session, id });
  expect(again).toEqual(once);
  expect(again).toMatchObject({ ok: true, value: { uuid: id } });
  expect(clis[0]?.received.filter(({ type }) => type === 'user')).toHaveLength(1);
});

test('a message that is sent again after its turn is over reaches no CLI, and its outcome is reported again', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  const uuid = randomUUID();
  const message = { type: 'user', uuid, message: { role: 'user', content: 'hello' } };
  for (const _ of ['first', 'again']) {
    await client.ask('send', { content: '', message }, { session });
    const settled = eventIn(await client.event('settled'));
    expect(settled).toMatchObject({ uuid, outcome: { kind: 'success' } });
  }
  expect(client.events.map(eventIn).filter(({ kind }) => kind === 'queued')).toHaveLength(1);
  expect(clis[0]?.received.filter(({ type }) => type === 'user')).toHaveLength(1);
});

test('an open prompt survives a reload, and of two answers the first counts and is named', async () => {
  const scenario = () => [
    onUser([useTool('Bash', { command: 'npm test' }, { ask: true, result: 'ok' }), say('Done.')]),
  ];
  const { server, root, clis } = await startEmulatedConsole(scenario);
  const first = await BareClient.connect(server, { name: 'desk' });
  const { session } = await first.ask('open', { cwd: root });
  await first.ask('send', { content: 'test it' }, { session });
  await first.summary(({ state }) => state === 'needs-you');
  await first.close();
  const desk = await BareClient.connect(server, { name: 'desk' });
  const phone = await BareClient.connect(server, { name: 'phone' });
  const listed = phone.messages.find(({ type }) => type === 'sessions');
  const [summary] = (listed?.sessions ?? []) as {
    prompts: { id: string; headline: string; kind: string }[];
  }[];
  const prompt = summary?.prompts[0];
  expect(prompt).toMatchObject({ kind: 'permission', headline: 'Bash: npm test' });
  desk.attach(session);
  const given = { prompt: String(prompt?.id), answer: { answer: 'allow' as const } };
  const won = await phone.ask('answer', given, { session });
  const lost = await desk.ask('answer', { ...given, answer: { answer: 'deny' } }, { session });
  expect(won).toMatchObject({ accepted: true });
  expect(lost).toMatchObject({ accepted: false, by: { name: 'phone' } });
  const settled = eventIn(await desk.event('prompt-settled'));
  expect(settled).toMatchObject({ prompt: prompt?.id, how: 'answered', by: { name: 'phone' } });
  await desk.event('line', isCliMessage('result'));
  clis[0]?.assertFinished();
});

test('a question accepts choices and never allow or deny', async () => {
  const { server, root, clis } = await startEmulatedConsole(() => [
    onUser([askQuestion(COLOURS), say('Thanks.')]),
  ]);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'ask me' }, { session });
  const { prompt } = eventIn(await client.event('prompt'));
  const id = isObject(prompt) ? String(prompt.id) : '';
  expect(prompt).toMatchObject({ kind: 'question', questions: [{ question: 'Which colour?' }] });
  const refused = await client.command('answer', { prompt: id, answer: { answer: 'allow' } }, { session });
  expect(refused).toMatchObject({ ok: false, error: { code: 'ANSWER_INVALID' } });
  const choices = { 'Which colour?': 'Green' };
  const taken = await client.ask(
    'answer',
    { prompt: id, answer: { answer: 'choices', choices } },
    { session },
  );
  expect(taken.accepted).toBe(true);
  await client.event('line', isCliMessage('result'));
  clis[0]?.assertFinished();
});

test('a prompt that the CLI withdraws disappears', async () => {
  const scenario = () => [onUser([useTool('Bash', { command: 'sleep' }, { ask: true }), hang()])];
  const { server, root } = await startEmulatedConsole(scenario);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'go' }, { session });
  const { prompt } = eventIn(await client.event('prompt'));
  await client.ask('interrupt', {}, { session });
  const settled = eventIn(await client.event('prompt-settled'));
  expect(settled).toMatchObject({ how: 'withdrawn', prompt: isObject(prompt) ? prompt.id : '' });
  await client.summary(({ prompts }) => Array.isArray(prompts) && prompts.length === 0);
});

test('the log is private, and is a recording that other tools can read', async () => {
  const { server, root, stateFolder } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'remember sk-ant-api03-secret' }, { session });
  await client.event('line', isCliMessage('result'));
  await server.close();
  const folder = join(stateFolder, 'sessions', session);
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.trace'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'session.json'))).mode & 0o777).toBe(0o600);
  const entries = await loadTrace(join(folder, file));
  const user = entries.find(({ entry }) => entry.kind === 'line' && entry.frame?.type === 'user');
  expect(JSON.stringify(user)).toContain('sk-ant-api03-secret');
});

test('a slow client learns what it missed for good, and continues with what is left', async () => {
  const { server, root } = await startEmulatedConsole(chat, {
    limits: { log: { memory: 2_000, segmentBytes: 4_000, maxBytes: 8_000 } },
  });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  for (let turn = 0; turn < 5; turn += 1) {
    const idle = client.first(
      ({ type, session: each }) =>
        type === 'session' && isObject(each) && each.state === 'idle' && each.queued !== undefined,
    );
    await client.ask('send', { content: 'x'.repeat(2_000) }, { session });
    await idle;
  }
  client.attach(session, 1);
  const attached = await client.next(({ type }) => type === 'attached');
  expect(attached.reset).toBe(true);
  await client.next(({ type, n }) => type === 'event' && n === attached.last);
  expect(Number(attached.from)).toBeGreaterThan(2);
  expect(client.numbers).toEqual(client.numbers.map((_, index) => Number(attached.from) + index));
});

test('an ended session can be removed, with everything that was stored about it', async () => {
  const { server, root, stateFolder } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const tooEarly = await client.command('remove', {}, { session });
  expect(tooEarly).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  await client.ask('close', {}, { session });
  await client.ask('remove', {}, { session });
  expect(await readdir(join(stateFolder, 'sessions'))).toEqual([]);
  expect(await client.command('info', {}, { session })).toMatchObject({ error: { code: 'SESSION_UNKNOWN' } });
});

test('the servers of a program, with their keys, are stored to reopen its session, and gone once it is removed', async () => {
  const key = 'made-up-key-of-a-server';
  const { server, root, stateFolder } = await startEmulatedConsole(chat);
  const stored = () =>
    readdirSync(stateFolder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path, 'utf8').includes(key));
  const client = await BareClient.connect(server);
  const mcpServers = { files: { command: 'files', args: [], env: { KEY: key } } };
  const program = { options: { mcpServers }, initialize: {} };
  const opened = await client.ask('open', { cwd: root, program });
  await client.ask('send', { content: 'hi' }, opened);
  await client.summary(({ costUsd }) => Number(costUsd) > 0);
  await expect.poll(stored).not.toEqual([]);
  await client.ask('close', {}, opened);
  await expect.poll(stored).not.toEqual([]);
  await client.ask('remove', {}, opened);
  expect(stored()).toEqual([]);
});

test('a CLI that cannot be started is reported with its reason, and the session is listed as ended', async () => {
  const { server, root } = await startEmulatedConsole(chat, {
    session: { cli: '/nowhere/claude' },
  });
  const client = await BareClient.connect(server);
  const failed = await client.command('open', { cwd: root });
  expect(failed).toMatchObject({ ok: false, error: { code: 'CLI_NOT_FOUND' } });
  const ended = await client.summary(({ state }) => state === 'ended');
  expect(String(ended.error)).toContain('/nowhere/claude');
});

test('a CLI that dies is reported with its exit code, and closing one is not an error', async () => {
  const { server, root } = await startEmulatedConsole(() => [onUser([die({ code: 3 })])]);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'die' }, { session });
  const died = await client.summary(({ state, error }) => state === 'ended' && error !== undefined);
  expect(String(died.error)).toContain('3');
  await client.ask('reopen', {}, { session });
  await client.ask('close', {}, { session });
  expect((await client.summary(({ state }) => state === 'ended')).error).toBeUndefined();
});

test('a reopened session keeps its model and permission mode', async () => {
  const opened: unknown[] = [];
  const { server, root } = await startEmulatedConsole(chat, {
    session: ({ model, permissionMode, resume }) => {
      opened.push({ model, permissionMode, resume });
      return { transport: () => emulateCli(chat()).transport };
    },
  });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root, model: 'sonnet' });
  await client.ask('setPermissionMode', { mode: 'plan' }, { session });
  await client.ask('setModel', { model: 'opus' }, { session });
  const { conversation } = await client.summary(({ model }) => model === 'opus');
  await client.ask('close', {}, { session });
  await client.ask('reopen', {}, { session });
  expect(opened[1]).toEqual({ model: 'opus', permissionMode: 'plan', resume: conversation });
});

test('MCP actions reach one session or all that have the server', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const status = await client.ask('mcp.status', {}, { session });
  expect(status.servers).toEqual([]);
  const all = await client.ask('mcp.all', { action: 'reconnect', server: 'nobody' });
  expect(all).toEqual({ results: [] });
  const one = await client.command('mcp.reconnect', { server: 'nobody' }, { session });
  expect(one).toMatchObject({ ok: false });
});

test('waiting messages are reported, and so are cancelled and lost ones', async () => {
  const scenario = () => [onUser([say('…'), hang()])];
  const { server, root } = await startEmulatedConsole(scenario, { emulate: { version: '2.0.73' } });
  const client = await BareClient.connect(server, { name: 'desk' });
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'first' }, { session });
  await client.event('line', isCliMessage('assistant'));
  const second = await client.ask('send', { content: 'second' }, { session });
  const message = { type: 'user', message: { role: 'user', content: 'third' }, note: 'kept' };
  const how = { priority: 'later', parentUuid: null, resend: false, onLimit: 'fail' } as const;
  const third = await client.ask('send', { content: '', message, ...how }, { session });
  const queued = await client.event('queued', ({ uuid }) => uuid === third.uuid);
  // What another owner needs to send it in the same way.
  expect(eventIn(queued)).toMatchObject({ content: 'third', by: { name: 'desk' }, message, ...how });
  await client.ever(({ session: of }) => isObject(of) && Array.isArray(of.queued) && of.queued.length === 2);
  expect(await client.ask('unsend', { uuid: second.uuid }, { session })).toEqual({ cancelled: true });
  expect(eventIn(await client.event('unqueued'))).toMatchObject({ uuid: second.uuid });
  await client.ask('close', {}, { session });
  expect(eventIn(await client.event('unqueued'))).toMatchObject({ uuid: third.uuid });
});

test('a conversation that is open here cannot be opened a second time, except as a fork', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const { conversation } = await client.summary(({ state }) => state === 'idle');
  const again = await client.command('open', { cwd: root, resume: String(conversation) });
  expect(again).toMatchObject({ ok: false, error: { message: expect.stringContaining(session) } });
  const fork = { cwd: root, resume: String(conversation), forkSession: true };
  expect(await client.command('open', fork)).toMatchObject({ ok: true });
});

test('a conversation is not opened twice by two concurrent clients, or by reopening its earlier session', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const { conversation } = await client.summary(({ state }) => state === 'idle');
  await client.ask('close', {}, { session });
  const resume = { cwd: root, resume: String(conversation) };
  const both = await Promise.all([client.command('open', resume), client.command('open', resume)]);
  // Files are read before one is chosen, so either may be the first.
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await client.command('reopen', {}, { session })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining(String(conversation)) },
  });
});

test('a session that is open, or about to be, is joined by reopening it', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const again = () => client.command('reopen', {}, { session });
  expect(await again()).toMatchObject({ ok: true });
  await client.ask('close', {}, { session });
  const send = client.command('send', { content: 'hi', reopen: true }, { session });
  expect(await Promise.all([send, again(), again()])).toMatchObject([
    { ok: true },
    { ok: true },
    { ok: true },
  ]);
  expect(clis).toHaveLength(2);
});

test.each(['reopen', 'open'] as const)(
  'a conversation whose CLI is ending can be continued with %s, which waits for that',
  async (again) => {
    const { server, root } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    const { conversation } = await client.summary(({ state }) => state === 'idle');
    const params = again === 'open' ? { cwd: root, resume: String(conversation) } : {};
    const [closed, continued] = await Promise.all([
      client.command('close', {}, { session }),
      client.command(again, params, again === 'open' ? {} : { session }),
    ]);
    expect(closed).toMatchObject({ ok: true });
    expect(continued).toMatchObject({ ok: true });
  },
);

test('a message that reopens its session waits for the end of the last CLI, too', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.summary(({ state }) => state === 'idle');
  const [closed, sent] = await Promise.all([
    client.command('close', {}, { session }),
    client.command('send', { content: 'again', reopen: true }, { session }),
  ]);
  expect(closed).toMatchObject({ ok: true });
  expect(sent).toMatchObject({ ok: true });
});

test('a session whose next CLI cannot be started can be tried again and again', async () => {
  let starts = 0;
  const { server, root } = await startEmulatedConsole(chat, {
    session: () => {
      starts += 1;
      const { transport } = emulateCli(starts === 2 ? [onRequest('initialize', [die({ code: 3 })])] : chat());
      return starts === 3 ? { cli: '/nowhere/claude' } : { transport: () => transport };
    },
  });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.ask('close', {}, { session });
  for (const ok of [false, false, true])
    expect(await client.command('reopen', {}, { session })).toMatchObject({ ok });
});

test('a session that cannot be opened is reported to the caller, and not left in the list', async () => {
  const { server, root } = await startEmulatedConsole([], { session: { cli: '/nowhere/claude' } });
  const client = await BareClient.connect(server);
  expect(await client.command('open', { cwd: root })).toMatchObject({ ok: false });
  const late = await BareClient.connect(server);
  const list = await late.ever(({ type }) => type === 'sessions');
  expect(list.sessions).toEqual([]);
});

test('a control request with any name is answered by the CLI or refused, and breaks nothing', async () => {
  const { server, root } = await startEmulatedConsole([]);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  for (const subtype of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const done = await client.command('control', { subtype }, { session });
    expect(done).toMatchObject({
      ok: false,
      error: { message: expect.not.stringMatching(/is not a function|undefined/) },
    });
    expect(done).not.toMatchObject({ error: { code: 'COMMAND_INVALID' } });
  }
});

test('a removed session is not reported any more, even to its former viewers', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.event('state', ({ state }) => state === 'idle');
  await client.ask('close', {}, { session });
  await client.ask('remove', {}, { session });
  // Updates about this one come after those collected before.
  const { session: next } = await client.ask('open', { cwd: root });
  await client.summary(({ id, state }) => id === next && state === 'idle');
  const about = client.messages.filter(
    (message) => message.session === session || (isObject(message.session) && message.session.id === session),
  );
  expect(about.at(-1)?.type).toBe('session-removed');
});
