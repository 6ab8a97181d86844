import { expect, test } from 'vitest';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';

/** A console that records the thinking limit with which each CLI is started. */
async function start(given: { readonly stateFolder?: string; readonly roots?: readonly string[] } = {}) {
  const caps: unknown[] = [];
  const started = await startEmulatedConsole([], {
    ...given,
    session: ({ maxThinkingTokens }) => {
      caps.push(maxThinkingTokens);
      return { maxThinkingTokens: 2_000, transport: () => emulateCli([]).transport };
    },
  });
  return { ...started, caps };
}

test('the thinking limit is what was last set, by any client in any way, and every client sees it', async () => {
  const { server, root } = await start();
  const client = await BareClient.connect(server);
  const other = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await other.summary(({ maxThinkingTokens }) => maxThinkingTokens === 2_000);
  await client.ask('setThinking', { tokens: 4_000 }, { session });
  await other.summary(({ maxThinkingTokens }) => maxThinkingTokens === 4_000);
  // The way programs do it, and requests resent by hand.
  const params = { max_thinking_tokens: 0 };
  await client.ask('control', { subtype: 'set_max_thinking_tokens', params }, { session });
  await other.summary(({ maxThinkingTokens }) => maxThinkingTokens === 0);
  await client.ask('setThinking', { tokens: null }, { session });
  const lifted = await other.summary(
    ({ state, maxThinkingTokens }) => state === 'idle' && maxThinkingTokens !== 0,
  );
  expect(lifted.maxThinkingTokens).toBeUndefined();
});

test('settings changed by a program’s control request are in the summary too', async () => {
  const { server, root } = await start();
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.ask('control', { subtype: 'set_model', params: { model: 'opus' } }, { session });
  await client.summary(({ model }) => model === 'opus');
  await client.ask('control', { subtype: 'set_permission_mode', params: { mode: 'plan' } }, { session });
  const { model } = await client.summary(({ permissionMode }) => permissionMode === 'plan');
  expect(model).toBe('opus');
});

test('a reopened session keeps its thinking limit, or that there is none, even across a restart', async () => {
  const before = await start();
  const client = await BareClient.connect(before.server);
  const [capped, free] = await Promise.all(
    [4_000, null].map(async (tokens) => {
      const { session } = await client.ask('open', { cwd: before.root });
      await client.ask('setThinking', { tokens }, { session });
      return session;
    }),
  );
  await client.ask('close', {}, { session: String(capped) });
  await client.ask('reopen', {}, { session: String(capped) });
  expect(before.caps).toEqual([undefined, undefined, 4_000]);
  await before.server.close();
  const after = await start({ stateFolder: before.stateFolder, roots: [before.root] });
  const back = await BareClient.connect(after.server);
  for (const session of [capped, free]) await back.ask('reopen', {}, { session: String(session) });
  expect(after.caps).toEqual([4_000, null]);
});

test('pins, the archive and tags are for every client, and survive a restart of the server', async () => {
  const before = await start();
  const client = await BareClient.connect(before.server);
  const other = await BareClient.connect(before.server);
  const { session } = await client.ask('open', { cwd: before.root });
  await client.ask('setMarks', { pinned: true, tags: ['shed', 'paint', 'shed'] }, { session });
  const { tags } = await other.summary(({ pinned }) => pinned === true);
  expect(tags).toEqual(['shed', 'paint']);
  await client.ask('setMarks', { archived: true }, { session });
  await other.summary(({ archived }) => archived === true);
  const long = await client.command('setMarks', { tags: ['x'.repeat(51)] }, { session });
  expect(long).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  await before.server.close();
  const after = await start({ stateFolder: before.stateFolder, roots: [before.root] });
  const later = await BareClient.connect(after.server);
  const listed = later.messages.find(({ type }) => type === 'sessions');
  expect(listed?.sessions).toMatchObject([
    { id: session, pinned: true, archived: true, tags: ['shed', 'paint'] },
  ]);
});
