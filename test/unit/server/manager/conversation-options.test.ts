import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSession } from '../../../../src/entry/sdk/open-session.js';
import type { PermissionPrompt } from '../../../../src/host/session/prompts/permission-prompt.js';
import type { SessionOptions } from '../../../../src/host/session/session-options.js';
import type { ManagerOptions } from '../../../../src/server/manager/manager-options.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager, storeFolder } from '../../../support/manager.js';

const blocks = { PreToolUse: [{ run: () => ({ decision: 'block' as const }) }] };

/** A manager, and the options with which its CLIs were started. */
async function recorded(options: Partial<ManagerOptions> = {}) {
  const starts: SessionOptions[] = [];
  const start = (given: SessionOptions) => {
    starts.push(given);
    return startSession(given);
  };
  return { ...(await emulatedManager({ scenarios: [echo] }, options, { startSession: start })), starts };
}

test('options of a later call are added: hooks and callbacks of an earlier one stay', async () => {
  const { manager, starts } = await recorded();
  const onPermission = (prompt: PermissionPrompt) => prompt.deny('no');
  const talk = manager.conversation('one', { hooks: blocks, onPermission });
  await talk.send('x').outcome;
  await talk.park();
  manager.conversation('one', { model: 'other', onPermission: undefined });
  await talk.send('y').outcome;
  expect(starts[1]).toMatchObject({ model: 'other', onPermission });
  expect(starts[1]?.hooks).toBe(blocks);
});

test('options that would not reach a running CLI are refused; the same ones are not', async () => {
  const { manager } = await recorded({ defaults: { settings: { a: 1 } } });
  const options = { hooks: blocks, env: { A: '1' } };
  const talk = manager.conversation('one', options);
  const starting = deferred<void>();
  talk.on('state', ({ state }) => state === 'starting' && starting.resolve());
  const woken = talk.wake();
  await starting.promise;
  const refused = (names: string) =>
    expect.objectContaining({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(`change ${names}: its CLI`),
    });
  const other = { PreToolUse: [{ run: () => ({}) }] };
  expect(() => manager.conversation('one', { hooks: other })).toThrow(refused('hooks'));
  await woken;
  expect(() => manager.conversation('one', { hooks: other, env: { A: '2' } })).toThrow(refused('hooks, env'));
  expect(manager.conversation('one', { ...options, env: { A: '1' }, settings: { a: 1 } })).toBe(talk);
  await talk.park();
  expect(manager.conversation('one', { hooks: other })).toBe(talk);
});

test('optionsFor is called when a CLI starts, not for each message', async () => {
  let calls = 0;
  const optionsFor = () => {
    calls += 1;
    return { permissionMode: 'plan' as const };
  };
  const { manager } = await emulatedManager({ scenarios: [echo] }, { optionsFor });
  const talk = manager.conversation('one');
  await talk.send('x').outcome;
  const first = calls;
  await talk.send('y').outcome;
  await talk.send('z').outcome;
  expect(calls).toBe(first);
});

test.each([
  [{ workspace: 'worktre' }, 'workspace'],
  [{ workspace: { worktree: '--detach' } }, 'workspace'],
  [{ priority: 'high' }, 'priority'],
  [{ owner: 5 }, 'owner'],
  [{ modle: 'x' }, 'modle'],
  [{ resume: 'x' }, 'resume'],
])('the option of a conversation is refused by name: %j', async (options, option) => {
  const { manager } = await recorded();
  expect(() => manager.conversation('one', options as never)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', option }),
  );
  expect(manager.list()).toEqual([]);
});

test.each([
  [{ whileBusy: 'enqeue' }, 'whileBusy'],
  [{ onLimit: 'wiat' }, 'onLimit'],
  [{ resned: true }, 'resned'],
])('the option of a message is refused by name: %j', async (options, option) => {
  const { manager } = await recorded();
  const talk = manager.conversation('one');
  expect(() => talk.send('x', options as never)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', option }),
  );
  expect(talk.facts.messages).toBe(0);
});

test.each([
  [{ defaults: { modle: 'x' } }, 'modle'],
  [{ warm: [{ count: 1, options: { model: 5 } }] }, 'model'],
])('launch options of the manager are refused before its folder is made: %j', async (options, option) => {
  const store = join(storeFolder(), 'new');
  const opened = openManager({ store, ...options } as never);
  await expect(opened).rejects.toMatchObject({ code: 'OPTION_INVALID', option });
  expect(existsSync(store)).toBe(false);
});

test('the default workspace can be named later', async () => {
  const { manager } = await emulatedManager({ scenarios: [echo] });
  const talk = manager.conversation('one');
  expect(manager.conversation('one', { workspace: 'shared' })).toBe(talk);
});
