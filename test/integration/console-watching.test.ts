import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CommandName } from '../../src/entry/remote/contract.js';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { commands } from '../../src/server/console/commands/command-table.js';
import { startConsole } from '../../src/server/console/start-console.js';
import {
  BareClient,
  eventIn,
  isCliMessage,
  startEmulatedConsole,
  temporaryFolder,
  trySocket,
} from '../support/console.js';

const REFUSED = { ok: false, error: { code: 'ROLE_REFUSED' } };

/** A console with a session that waits for a permission, an operator and a watcher. */
async function begin() {
  const scenario = () => [
    onUser([useTool('Bash', { command: 'ls' }, { ask: true }), say('Done.')]),
    onRequest('set_model', [hang()]),
  ];
  const started = await startEmulatedConsole(scenario, { watchToken: true });
  const { server, root } = started;
  const actor = await BareClient.connect(server);
  const { session } = await actor.ask('open', { cwd: root });
  actor.attach(session);
  await actor.ask('send', { content: 'Go' }, { session });
  const { prompt } = eventIn(await actor.event('prompt')) as { prompt: { id: string } };
  const watcher = await BareClient.connect(server, { token: server.watchToken });
  return { ...started, actor, watcher, session, prompt: prompt.id };
}

test('a viewer sees sessions, prompts and events like everyone else', async () => {
  const { actor, watcher, session, prompt } = await begin();
  const [hello, list] = watcher.messages;
  expect(hello).toMatchObject({ type: 'hello', role: 'watcher', key: 'watch' });
  expect(list).toMatchObject({ sessions: [{ id: session, prompts: [{ id: prompt }] }] });
  expect(actor.messages[0]).toMatchObject({ type: 'hello', role: 'owner', key: 'owner' });
  watcher.attach(session);
  await watcher.event('prompt');
  await actor.ask('answer', { prompt, answer: { answer: 'allow' } }, { session });
  await Promise.all([actor, watcher].map((client) => client.event('line', isCliMessage('result'))));
  expect(watcher.numbers).toEqual(watcher.numbers.map((_, index) => index + 1));
});

test('every command from a viewer is refused, and none reaches a CLI or the server', async () => {
  const { actor, watcher, clis, session, prompt } = await begin();
  const received = clis[0]?.received.length;
  const names = Object.keys(commands) as CommandName[];
  expect(names.length).toBeGreaterThan(30);
  for (const name of [...names, 'nonsense' as 'open']) {
    expect(await watcher.command(name, {} as never, { session }), name).toMatchObject(REFUSED);
  }
  const allow = { prompt, answer: { answer: 'allow' } } as const;
  expect(await watcher.command('answer', allow, { session })).toMatchObject(REFUSED);
  expect(await watcher.command('send', { content: 'hello' }, { session })).toMatchObject(REFUSED);
  expect(clis[0]?.received.length).toBe(received);
  expect(await actor.command('answer', allow, { session })).toMatchObject({
    ok: true,
    value: { accepted: true },
  });
});

test('a viewer can neither get the answers of others by their ids, nor use up those ids', async () => {
  const { actor, watcher, session } = await begin();
  const [known, next] = [randomUUID(), randomUUID()];
  await actor.ask('rename', { title: 'known' }, { session, id: known });
  expect(await watcher.command('rename', { title: 'x' }, { session, id: known })).toMatchObject(REFUSED);
  expect(await watcher.command('rename', { title: 'x' }, { session, id: next })).toMatchObject(REFUSED);
  await actor.ask('rename', { title: 'next' }, { session, id: next });
  await actor.summary(({ title }) => title === 'next');
  expect(actor.messages.some(({ session: of }) => JSON.stringify(of)?.includes('"title":"x"'))).toBe(false);
});

test('a viewer cannot cancel the commands of others', async () => {
  const { actor, watcher, session } = await begin();
  const id = randomUUID();
  const asked = actor.command('setModel', { model: 'slow' }, { session, id });
  watcher.say({ type: 'cancel', id });
  // Processed in order: everything before the refusal has been handled.
  await watcher.command('folders', {});
  await actor.ask('folders', {});
  expect(actor.messages.some(({ type, id: of }) => type === 'done' && of === id)).toBe(false);
  actor.say({ type: 'cancel', id });
  expect(await asked).toMatchObject({ ok: false });
});

test('a viewer cannot impersonate the program that owns a session', async () => {
  const { server, root } = await startEmulatedConsole([], { watchToken: true });
  const [actor, owner] = [await BareClient.connect(server), randomUUID()];
  const program = await BareClient.connect(server, { client: owner });
  const { session } = await program.ask('open', { cwd: root, program: { options: {}, initialize: {} } });
  await program.close();
  await actor.summary(({ owner: of }) => (of as { away: boolean }).away);
  const watcher = await BareClient.connect(server, { client: owner, token: server.watchToken });
  await watcher.command('folders', {});
  await actor.ask('rename', { title: 'still away' }, { session });
  const summary = await actor.summary(({ title }) => title === 'still away');
  expect(summary.owner).toMatchObject({ away: true });
});

test('the watch token also works for pages, and reports its role', async () => {
  const { server } = await startEmulatedConsole([], { watchToken: true });
  expect(server.watchUrl).toBe(`${server.origin}/#token=${server.watchToken}`);
  const logIn = (token: string | undefined) =>
    fetch(`${server.origin}/api/login`, { method: 'POST', body: JSON.stringify({ token }) });
  const answers = await Promise.all([server.watchToken, server.token].map(logIn));
  const secrets = await Promise.all(answers.map(async (answer) => (await answer.json()).secret as string));
  const who = secrets.map((secret) =>
    fetch(`${server.origin}/api/me`, { headers: { authorization: `Bearer ${secret}` } }),
  );
  expect(await Promise.all((await Promise.all(who)).map((answer) => answer.json()))).toEqual([
    { kind: 'page', role: 'watcher', key: 'watch' },
    { kind: 'page', role: 'owner', key: 'owner' },
  ]);
  const page = { 'sec-websocket-protocol': `coxswain, coxswain.key.${secrets[0]}`, origin: server.origin };
  expect(await trySocket(server, page)).toBe('open');
  expect((await logIn(`${server.watchToken}x`)).status).toBe(401);
});

test('there is no watch token unless requested, and it must be long enough and different', async () => {
  const { server } = await startEmulatedConsole([]);
  expect([server.watchToken, server.watchUrl]).toEqual([undefined, undefined]);
  const [token, stateFolder] = ['a token that is long enough', await temporaryFolder()];
  for (const watchToken of ['short', token]) {
    const starting = startConsole({ token, watchToken, stateFolder, roots: [stateFolder] });
    await expect(starting).rejects.toMatchObject({ code: 'CONSOLE_NOT_STARTED' });
  }
});

test.each([
  [4, ['open', 'open', '503']],
  [3, ['open', '503']],
  [1, ['503']],
])('watchers use at most half of %i places, never the last', async (clients, places) => {
  const { server } = await startEmulatedConsole([], { watchToken: true, limits: { clients } });
  for (const place of places) {
    expect(await trySocket(server, { authorization: `Bearer ${server.watchToken}` })).toBe(place);
  }
  expect(await trySocket(server, { authorization: `Bearer ${server.token}` })).toBe('open');
});
