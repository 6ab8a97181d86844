import { describe, expect, test } from 'vitest';
import type { HookMatcher, Hooks } from '../../../../../src/host/session/hooks/hook-types.js';
import { registerHooks } from '../../../../../src/host/session/hooks/hooks.js';
import { Cancellation } from '../../../../../src/wire/peer/cancellation.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { requestContext } from '../../../../support/request-context.js';
import { settle } from '../../../../support/settle.js';

/** Calls the hooks of the only event. */
async function ask(
  hooks: Hooks,
  input: WireObject = { tool_name: 'Bash', tool_input: { command: 'ls' } },
  { clock = new ManualClock(), withdrawal = new Cancellation() } = {},
): Promise<unknown> {
  const { handler } = registerHooks(hooks, clock);
  return handler({ subtype: 'hook_callback', callback_id: 'hook_0', input }, requestContext('c', withdrawal));
}

/** A hook with this decision. */
function deciding(
  permissionDecision: 'allow' | 'ask' | 'deny',
  more: WireObject = {},
): HookMatcher<'PreToolUse'> {
  return {
    run: () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } }),
  };
}

/** A hook that adds to the command. */
function adding(text: string): HookMatcher<'PreToolUse'> {
  return {
    run: ({ tool_input: input }) => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: `${(input as { command: string }).command} ${text}` },
      },
    }),
  };
}

const specific = (more: WireObject) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });

describe('several hooks of one event', () => {
  test('run in the given order, each with the input as the previous ones changed it', async () => {
    expect(await ask({ PreToolUse: [adding('-a'), { run: () => ({}) }, adding('-b')] })).toEqual(
      specific({ permissionDecision: 'allow', updatedInput: { command: 'ls -a -b' } }),
    );
  });

  test.each([
    [['allow', 'ask'], 'ask'],
    [['ask', 'allow'], 'ask'],
    [['deny', 'allow', 'ask'], 'deny'],
    [['allow', 'deny'], 'deny'],
  ] as const)('%j become %s, with the reasons of those who decided that', async (said, counts) => {
    const hooks = said.map((decision) => deciding(decision, { permissionDecisionReason: `for ${decision}` }));
    expect(await ask({ PreToolUse: hooks })).toEqual(
      specific({ permissionDecision: counts, permissionDecisionReason: `for ${counts}` }),
    );
  });

  test('all reasons of the same decision, contexts and messages are passed on', async () => {
    const one = deciding('deny', { permissionDecisionReason: 'one', additionalContext: 'first' });
    const two = deciding('deny', { permissionDecisionReason: 'two', additionalContext: 'second' });
    const note = { run: () => ({ systemMessage: 'noted', continue: true }) };
    const end = { run: () => ({ systemMessage: 'ended', continue: false, stopReason: 'enough' }) };
    expect(await ask({ PreToolUse: [one, note, two, end] })).toEqual({
      ...specific({
        permissionDecision: 'deny',
        permissionDecisionReason: 'one\ntwo',
        additionalContext: 'first\nsecond',
      }),
      systemMessage: 'noted\nended',
      continue: false,
      stopReason: 'enough',
    });
  });

  test('a block in the short form is not undone by an allow in the long form', async () => {
    const block = { run: () => ({ decision: 'block' as const, reason: 'no' }) };
    expect(await ask({ PreToolUse: [block, adding('-a')] })).toMatchObject(
      specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    );
  });

  test('for permission requests a denial counts, without what another hook would have allowed', async () => {
    const allow = {
      run: () =>
        ({
          hookSpecificOutput: {
            hookEventName: 'PermissionRequest',
            decision: { behavior: 'allow', updatedInput: { command: 'ls -a' } },
          },
        }) as const,
    };
    const deny: HookMatcher<'PermissionRequest'> = {
      run: ({ tool_input: input }) => ({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: JSON.stringify(input) },
        },
      }),
    };
    expect(await ask({ PermissionRequest: [allow, deny] })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: '{"command":"ls -a"}' },
      },
    });
  });

  test('a result changed by one hook is what the next one sees', async () => {
    const upper: HookMatcher<'PostToolUse'> = {
      run: ({ tool_response: said }) => ({
        hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: `${said}!` },
      }),
    };
    expect(await ask({ PostToolUse: [upper, upper] }, { tool_name: 'Bash', tool_response: 'a' })).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'a!!' },
    });
  });

  test('a hook that reports later has no output now', async () => {
    const later = { run: () => ({ async: true as const }) };
    expect(await ask({ PreToolUse: [later, deciding('deny')] })).toEqual(
      specific({ permissionDecision: 'deny' }),
    );
    expect(await ask({ PreToolUse: [later, later] })).toEqual({ async: true });
  });
});

describe('the matchers of one event', () => {
  const names = async (
    matchers: readonly (string | undefined)[],
    input: WireObject,
    event = 'PreToolUse',
  ) => {
    const ran: unknown[] = [];
    const hooks = matchers.map((matcher) => ({ matcher, run: () => void ran.push(matcher) as never }));
    await ask({ [event]: hooks }, input);
    return ran;
  };

  test('match as in the CLI: a name, a list, a pattern, everything', async () => {
    const all = ['Bash', 'BashOutput', 'Edit|Bash', 'Ba.*', '^Edit', '*', '', undefined];
    expect(await names(all, { tool_name: 'Bash' })).toEqual([
      'Bash',
      'Edit|Bash',
      'Ba.*',
      '*',
      '',
      undefined,
    ]);
    expect(await names(['Task', 'Bash'], { tool_name: 'Agent' })).toEqual(['Task']);
  });

  test('are compared with the subject of their event', async () => {
    expect(await names(['auto', 'manual'], { trigger: 'auto' }, 'PreCompact')).toEqual(['auto']);
    expect(await names(['.env', 'a.txt'], { file_path: '/x/.env' }, 'FileChanged')).toEqual(['.env']);
    expect(await names(['a', 'b'], {}, 'Stop')).toEqual(['a', 'b']);
  });

  test('if none seems to match, the CLI knows more, and all run', async () => {
    expect(await names(['Bash', 'Edit'], { tool_name: 'RenamedBash' })).toEqual(['Bash', 'Edit']);
  });
});

describe('several hooks of which one fails', () => {
  const broken = { run: () => Promise.reject(new Error('broke')), onFailure: 'continue' as const };
  const never = { run: () => new Promise<undefined>(() => {}) };

  test('the others still count; without others the failure is reported', async () => {
    expect(await ask({ PreToolUse: [broken, deciding('ask')] })).toEqual(
      specific({ permissionDecision: 'ask' }),
    );
    await expect(ask({ PreToolUse: [broken, broken] })).rejects.toThrow('broke');
  });

  test('a hook that must block denies, whatever the others return', async () => {
    expect(await ask({ PreToolUse: [{ ...broken, onFailure: 'block' }, adding('-a')] })).toMatchObject(
      specific({
        permissionDecision: 'deny',
        permissionDecisionReason: 'A hook of PreToolUse failed: broke',
      }),
    );
  });

  test('each has its own time limit, and a late one blocks unless it may be skipped', async () => {
    const clock = new ManualClock();
    const slow = [
      { ...never, timeoutMs: 10_000, onFailure: 'continue' as const },
      { ...never, timeoutMs: 20_000 },
      adding('-a'),
    ];
    const answer = ask({ PreToolUse: slow }, undefined, { clock });
    clock.advance(9_000);
    await settle();
    clock.advance(18_000);
    expect(await answer).toMatchObject(
      specific({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('within 20 s'),
      }),
    );
    expect(clock.size).toBe(0);
  });

  test('after the CLI has withdrawn its request, the next hooks do not run', async () => {
    const withdrawal = new Cancellation();
    const clock = new ManualClock();
    const ran: string[] = [];
    const answer = ask({ PreToolUse: [never, { run: () => void ran.push('next') as never }] }, undefined, {
      withdrawal,
      clock,
    });
    withdrawal.cancel();
    expect(await answer).toEqual({});
    expect(ran).toEqual([]);
    expect(clock.size).toBe(0);
  });
});
