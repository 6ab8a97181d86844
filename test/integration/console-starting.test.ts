import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type EmulatedCli, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

/** A console with a session that has ended. */
async function withEnded(options: ConsoleOptions = {}) {
  const { server, root, clis } = await startEmulatedConsole(chat, options);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.summary(({ id, state }) => id === session && state === 'idle');
  await client.ask('close', {}, { session });
  return { client, root, clis, session };
}

test('a session that is being reopened cannot be removed', async () => {
  const { client, session } = await withEnded();
  const [reopened, removed] = await Promise.all([
    client.command('reopen', {}, { session }),
    client.command('remove', {}, { session }),
  ]);
  expect(reopened).toMatchObject({ ok: true });
  expect(removed).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  expect(await client.command('send', { content: 'hello' }, { session })).toMatchObject({ ok: true });
});

test('a message does not reopen a session that is removed before it gets there', async () => {
  const { client, session, clis } = await withEnded();
  const [sent, removed] = await Promise.all([
    client.command('send', { content: 'hello', reopen: true }, { session }),
    client.command('remove', {}, { session }),
  ]);
  // Either may be first.
  expect(sent.ok).toBe(!removed.ok);
  expect(clis).toHaveLength(removed.ok ? 1 : 2);
});

test('a session that is being reopened is not dropped to make room for one that ends', async () => {
  const { client, root, session } = await withEnded({ limits: { ended: 1 } });
  const other = await client.ask('open', { cwd: root });
  const [reopened] = await Promise.all([
    client.command('reopen', {}, { session }),
    client.ask('close', {}, other),
  ]);
  expect(reopened).toMatchObject({ ok: true });
  expect(await client.command('send', { content: 'hello' }, { session })).toMatchObject({ ok: true });
  expect(client.messages.filter(({ type }) => type === 'session-removed')).toEqual([]);
});

test('a session that is closed while it is being reopened stays closed', async () => {
  const { client, session, clis } = await withEnded();
  const [reopened, closed] = await Promise.all([
    client.command('reopen', {}, { session }),
    client.command('close', {}, { session }),
  ]);
  expect(closed).toMatchObject({ ok: true });
  expect(reopened).toMatchObject({ ok: false, error: { code: 'SESSION_ENDED' } });
  expect(clis).toHaveLength(1);
  // It can be reopened later.
  expect(await client.command('reopen', {}, { session })).toMatchObject({ ok: true });
});

test('a session that is closed while it is being opened gets no CLI', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const id = randomUUID();
  const [opened, closed] = await Promise.all([
    client.command('open', { cwd: root, id }),
    client.command('close', {}, { session: id }),
  ]);
  expect(closed).toMatchObject({ ok: true });
  expect(opened).toMatchObject({ ok: false, error: { code: 'SESSION_ENDED' } });
  expect(await client.command('send', { content: 'hello' }, { session: id })).toMatchObject({
    error: { code: 'SESSION_UNKNOWN' },
  });
});

test('a session that waits for its CLI counts once against the limit', async () => {
  const { server, root } = await startEmulatedConsole(chat, { limits: { sessions: 3 }, maxRunning: 1 });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  // Somebody watches it: it keeps its slot.
  client.attach(session);
  await client.event('state', ({ state }) => state === 'idle');
  const [second, third, fourth] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [second, third]) {
    const opening = client.command('open', { cwd: root, id });
    const waiting = client.summary((summary) => summary.id === id && summary.state === 'waiting');
    expect(await Promise.race([opening, waiting])).toMatchObject({ state: 'waiting' });
  }
  expect(await client.command('open', { cwd: root, id: fourth })).toMatchObject({
    error: { message: expect.stringContaining('3 sessions are open') },
  });
});

test('a prompt of a session that has failed can be answered once the session is reopened', async () => {
  const scenarios = [
    [onUser([useTool('Bash', { command: 'ls' }, { ask: true })])],
    [onUser([die({ code: 3 })])],
    undefined,
  ];
  const clis: EmulatedCli[] = [];
  const session = () => {
    // The third one cannot be started.
    const scenario = clis.length < scenarios.length ? scenarios[clis.length] : chat();
    clis.push(emulateCli(scenario ?? []));
    const cli = clis.at(-1);
    return scenario === undefined || cli === undefined
      ? { cli: '/nowhere/claude' }
      : { transport: () => cli.transport };
  };
  const { server, root } = await startEmulatedConsole([], { session });
  const client = await BareClient.connect(server);
  const { session: id } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'list' }, { session: id });
  const asking = await client.summary(({ state }) => state === 'needs-you');
  const [prompt] = asking.prompts as readonly { readonly id: string }[];
  clis[0]?.kill();
  await client.summary(({ state }) => state === 'parked');
  await client.ask('send', { content: 'again' }, { session: id });
  await client.summary(({ state, failed }) => state === 'ended' && failed === true);
  await client.ask('reopen', {}, { session: id });
  const answer = { prompt: String(prompt?.id), answer: { answer: 'deny', reason: 'not now' } as const };
  expect(await client.ask('answer', answer, { session: id })).toMatchObject({ accepted: true });
  await client.summary(({ prompts }) => Array.isArray(prompts) && prompts.length === 0);
});
