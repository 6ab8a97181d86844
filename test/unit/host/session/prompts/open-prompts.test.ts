import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PromptCallbacks } from '../../../../../src/host/session/prompts/open-prompts.js';
import type { PermissionChoice } from '../../../../../src/host/session/prompts/permission-choice.js';
import { PermissionPrompt } from '../../../../../src/host/session/prompts/permission-prompt.js';
import type { AllowOptions } from '../../../../../src/host/session/prompts/tool-prompt.js';
import { settle } from '../../../../support/settle.js';
import { bash, makeBook } from './support.js';

describe('permissions', () => {
  test('an allow always carries the input, changed or not, and the tool call', async () => {
    const kept = makeBook({ onPermission: (prompt) => prompt.allow() }).ask(bash);
    expect(await kept.answer).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      toolUseID: 'toolu_1',
    });
    const changed = makeBook({ onPermission: (prompt) => prompt.allow({ input: { command: 'pwd' } }) }).ask(
      bash,
    );
    expect(await changed.answer).toMatchObject({ updatedInput: { command: 'pwd' } });
  });

  describe('remembering', () => {
    const rule = { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow' };
    const suggested = { ...rule, destination: 'localSettings' };
    const inSession = { ...rule, destination: 'session' };
    const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
    const folder = { type: 'addDirectories', directories: ['/w'], destination: 'session' };
    const request = { ...bash, permission_suggestions: [suggested, mode, folder, 'nonsense'] };

    async function remembered(pick: (choices: readonly PermissionChoice[]) => AllowOptions['remember']) {
      const { ask } = makeBook({
        onPermission: (prompt) => prompt.allow({ remember: pick(prompt.choices) }),
      });
      return await ask(request).answer;
    }

    test('nothing is remembered that was not chosen', async () => {
      expect(await remembered(() => undefined)).not.toHaveProperty('updatedPermissions');
      expect(await remembered(() => [])).not.toHaveProperty('updatedPermissions');
    });

    test('a choice is for the session, whatever scope the CLI suggests', async () => {
      expect(await remembered(([first]) => first)).toMatchObject({ updatedPermissions: [inSession] });
    });

    test('a widened choice applies to the session too', async () => {
      expect(await remembered(([first]) => first?.for('folder'))).toMatchObject({
        updatedPermissions: [suggested, inSession],
      });
      expect(await remembered(([first]) => first?.for('user'))).toMatchObject({
        updatedPermissions: [{ ...rule, destination: 'userSettings' }, inSession],
      });
    });

    test('several choices are applied in order', async () => {
      expect(
        await remembered(([, second, third]) => [third, second].filter((each) => each !== undefined)),
      ).toMatchObject({
        updatedPermissions: [folder, mode],
      });
    });

    test('an invalid choice is refused, and the tool does not run', async () => {
      expect(await remembered(() => suggested as never)).toMatchObject({
        behavior: 'deny',
        message: expect.stringContaining('prompt.choices'),
      });
    });
  });

  test('a denial carries its reason, and an interrupt if requested', async () => {
    const { ask } = makeBook({ onPermission: (prompt) => prompt.deny('no', { interrupt: true }) });
    expect(await ask(bash).answer).toEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
      toolUseID: 'toolu_1',
    });
  });

  test('the prompt has all fields of the request, and its origin', async () => {
    let seen: PermissionPrompt | undefined;
    const { ask } = makeBook({
      onPermission: (prompt) => {
        seen = prompt;
        return prompt.allow();
      },
    });
    const body = {
      ...bash,
      title: 't',
      description: 'd',
      blocked_path: '/x',
      decision_reason: 'why',
      mcp_server: { name: 'm' },
      future: 1,
    };
    await ask(body).answer;
    expect(seen).toMatchObject({
      tool: 'Bash',
      title: 't',
      description: 'd',
      blockedPath: '/x',
      decisionReason: 'why',
      mcpServer: { name: 'm' },
      origin: { toolUseId: 'toolu_1', agentId: 'a1' },
      raw: { future: 1 },
      state: 'answered',
    });
  });

  test.each<[string, PromptCallbacks, RegExp]>([
    ['no callback', {}, /No permission callback/],
    [
      'a throw',
      {
        onPermission: () => {
          throw new Error('broke');
        },
      },
      /failed: broke/,
    ],
    ['a rejection', { onPermission: () => Promise.reject(new Error('late')) }, /failed: late/],
    ['no answer', { onPermission: (() => undefined) as never }, /without an answer/],
    [
      'a plain object',
      { onPermission: (() => ({ behavior: 'allow', updatedInput: {} })) as never },
      /without an answer/,
    ],
    ['a BigInt', { onPermission: (prompt) => prompt.allow({ input: { big: 1n } }) }, /failed:.*BigInt/],
    [
      'an input that is not an object',
      { onPermission: (prompt) => prompt.allow({ input: 'echo safe' as never }) },
      /"input" must be/,
    ],
    [
      'a list for an input',
      { onPermission: (prompt) => prompt.allow({ input: [1] as never }) },
      /"input" must be/,
    ],
    [
      'a date for an input',
      { onPermission: (prompt) => prompt.allow({ input: new Date() as never }) },
      /"input" must be/,
    ],
    [
      'a misspelt key',
      { onPermission: (prompt) => prompt.allow({ updatedInput: {} } as never) },
      /no "updatedInput"/,
    ],
    [
      'permissions that are no list',
      { onPermission: (prompt) => prompt.allow({ permissions: 'x' as never }) },
      /must be a list/,
    ],
    [
      'a misspelt interrupt',
      { onPermission: (prompt) => prompt.deny('no', { interupt: true } as never) },
      /no "interupt"/,
    ],
    [
      'a circle',
      {
        onPermission: (prompt) => {
          const circle: Record<string, unknown> = {};
          circle.self = circle;
          return prompt.allow({ input: circle });
        },
      },
      /failed:.*circular/i,
    ],
  ])('%s denies, with the reason', async (_name, callbacks, why) => {
    const { ask, changes } = makeBook(callbacks);
    expect(await ask(bash).answer).toMatchObject({ behavior: 'deny', message: why, toolUseID: 'toolu_1' });
    expect(changes).toEqual(['permission open', 'permission answered']);
  });

  test('whatever a callback does, there is one well-formed answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.boolean(), async (value, throws) => {
        const onPermission = (() => {
          if (throws) throw value;
          return value;
        }) as never;
        expect(await makeBook({ onPermission }).ask(bash).answer).toMatchObject({
          behavior: 'deny',
          message: expect.any(String),
        });
      }),
    );
  });
});

describe('a prompt', () => {
  test('stays open in manual mode and is answered by its id from elsewhere', async () => {
    const { book, ask, changes } = makeBook({}, { manual: true });
    const { answer, id } = ask(bash);
    expect(book.open.map((prompt) => prompt.id)).toEqual([id]);
    const prompt = book.find(id);
    if (!(prompt instanceof PermissionPrompt)) throw new Error('no permission prompt');
    prompt.allow();
    expect(await answer).toMatchObject({ behavior: 'allow' });
    expect(book.open).toEqual([]);
    expect(changes).toEqual(['permission open', 'permission answered']);
    expect(prompt.deny('too late')).toEqual({ promptId: id, accepted: false });
  });

  test('can be deferred by its callback to another answerer', async () => {
    const { book, ask } = makeBook({ onPermission: (prompt) => prompt.defer() });
    const { answer, id } = ask(bash);
    await settle();
    expect(book.find(id)?.state).toBe('open');
    book.find(id)?.refuse('by another');
    expect(await answer).toMatchObject({ behavior: 'deny', message: 'by another' });
  });

  test('that the CLI withdraws aborts the callback, and a late answer does not count', async () => {
    let late: unknown;
    const { ask, changes } = makeBook({
      onPermission: (prompt) =>
        new Promise((resolve) => {
          const onAbort = () => {
            late = prompt.allow();
            resolve(prompt.allow());
          };
          prompt.signal.addEventListener('abort', onAbort, { once: true });
        }),
    });
    const { answer, withdrawal, id } = ask(bash);
    withdrawal.cancel();
    await answer;
    expect(late).toEqual({ promptId: id, accepted: false });
    expect(changes).toEqual(['permission open', 'permission withdrawn']);
    expect(getEventListeners(withdrawal.signal, 'abort')).toHaveLength(0);
  });

  test('expires when its kind has a time limit, and never otherwise', async () => {
    const never = { onPermission: () => new Promise<never>(() => {}) };
    const { ask, clock, changes } = makeBook(never, { timeouts: { permission: 100 } });
    const { answer } = ask(bash);
    clock.advance(100);
    expect(await answer).toMatchObject({ behavior: 'deny', message: /in time/ });
    expect(changes).toEqual(['permission open', 'permission expired']);
    expect(clock.size).toBe(0);
    const unlimited = makeBook(never);
    unlimited.ask(bash);
    expect(unlimited.clock.size).toBe(0);
  });

  test.each([
    ['at once', (prompt: PermissionPrompt) => prompt.allow()],
    ['and fails after that', (prompt: PermissionPrompt) => Promise.reject(prompt.allow())],
    [
      'by a promise of its own kind',
      (prompt: PermissionPrompt) => ({
        // biome-ignore lint/suspicious/noThenProperty: a promise of another library is what this is about
        then: (resolve: (answer: unknown) => void) => setImmediate(() => resolve(prompt.allow())),
      }),
    ],
  ])('answered %s by its callback is answered once', async (_how, onPermission) => {
    const { ask, changes } = makeBook({ onPermission: onPermission as never });
    expect(await ask(bash).answer).toMatchObject({ behavior: 'allow' });
    expect(changes).toEqual(['permission open', 'permission answered']);
  });

  test('that is answered at once still reports a later failure, with any kind of promise', async () => {
    let heard = false;
    const later = (prompt: PermissionPrompt) => {
      prompt.allow();
      return {
        // biome-ignore lint/suspicious/noThenProperty: one that nobody listens to ends the process in some libraries
        then: (_resolve: unknown, reject: (error: Error) => void) => {
          heard = true;
          reject(new Error('too late'));
        },
      };
    };
    const { ask } = makeBook({ onPermission: later as never });
    expect(await ask(bash).answer).toMatchObject({ behavior: 'allow' });
    await settle();
    expect(heard).toBe(true);
  });

  test('that a listener answered is not shown to the callback', async () => {
    let called = false;
    const { ask } = makeBook(
      {
        onPermission: (prompt) => {
          called = true;
          return prompt.allow();
        },
      },
      { onChange: ({ prompt, state }) => state === 'open' && prompt.refuse('by the listener') },
    );
    expect(await ask(bash).answer).toMatchObject({ behavior: 'deny', message: 'by the listener' });
    expect(called).toBe(false);
  });

  test('of another CLI with an old id is a new one', async () => {
    const { book, ask } = makeBook({ onPermission: (prompt) => prompt.deny(prompt.tool) });
    await ask(bash, 'same').answer;
    book.forgetAnswers();
    expect(await ask({ ...bash, tool_name: 'Write' }, 'same').answer).toMatchObject({ message: 'Write' });
  });

  test('that is delivered again after it was answered gets the same answer and is not shown again', async () => {
    let shown = 0;
    const { ask } = makeBook({
      onPermission: (prompt) => {
        shown += 1;
        return prompt.deny('once');
      },
    });
    const first = await ask(bash, 'same').answer;
    expect(await ask(bash, 'same').answer).toEqual(first);
    expect(shown).toBe(1);
  });

  test('a listener that throws does no harm', async () => {
    const { ask } = makeBook(
      { onPermission: (prompt) => prompt.allow() },
      {
        onChange: () => {
          throw new Error('listener');
        },
      },
    );
    expect(await ask(bash).answer).toMatchObject({ behavior: 'allow' });
  });

  test('ten thousand concurrent prompts are all answered and none is kept', async () => {
    const { book, ask } = makeBook({ onPermission: async (prompt) => prompt.allow() });
    const answers = await Promise.all(Array.from({ length: 10_000 }, () => ask(bash).answer));
    expect(answers.every((answer) => (answer as { behavior: string }).behavior === 'allow')).toBe(true);
    expect(book.open).toEqual([]);
  });
});
