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
