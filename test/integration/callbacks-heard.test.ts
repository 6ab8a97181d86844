import { resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { SessionDeps } from '../../src/host/session/session-host.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { askHost, elicit } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { askQuestion, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { EMULATED_CLI } from '../support/cox-process.js';
import { ManualClock } from '../support/manual-clock.js';

const boom = new Error('boom');
const broken = {
  throws: () => {
    throw boom;
  },
  rejects: () => Promise.reject(boom),
};

const PROMPTS = {
  onPermission: [useTool('Bash', { command: 'ls' }, { ask: true })],
  onQuestion: [askQuestion('Go on?')],
  onPlan: [useTool('ExitPlanMode', { plan: '1.' }, { ask: true })],
  onElicitation: [elicit('files', 'Which?')],
  onDialog: [askHost({ subtype: 'request_user_dialog', dialog_kind: 'pick', payload: {} })],
} as const satisfies Partial<Record<keyof SessionOptions, readonly Step[]>>;

/** Runs a turn of these steps and returns the callbacks that were reported as failed. */
async function failuresIn(steps: readonly Step[], options: SessionOptions, deps?: SessionDeps) {
  const heard: (Diagnostic & { callback?: unknown; cause?: unknown })[] = [];
  const cli = emulateCli([onUser([...steps, say('done')])], { strict: false });
  const session = await openSession(
    {
      transport: cli.transport,
      supportedDialogKinds: ['pick'],
      onDialog: (prompt) => prompt.cancel(),
      onDiagnostic: (diagnostic) => heard.push(diagnostic),
      ...options,
    },
    deps,
  );
  expect(await session.send('go').text()).toBe('done');
  await session.close();
  return heard.filter(({ callback }) => callback !== undefined);
}

describe('a failing callback is reported', () => {
  describe.each(Object.entries(PROMPTS))('%s', (callback, steps) => {
    test.each(Object.entries(broken))('that %s', async (_how, run) => {
      const heard = await failuresIn(steps, { [callback]: run });
      expect(heard).toMatchObject([{ code: 'CALLBACK_FAILED', callback, cause: boom }]);
    });

    test('that returns nonsense', async () => {
      const heard = await failuresIn(steps, { [callback]: () => 'yes' });
      expect(heard).toMatchObject([{ callback, cause: { code: 'ANSWER_INVALID' } }]);
    });

    test('that is late', async () => {
      const all = { permission: 5, question: 5, plan: 5, elicitation: 5, dialog: 5 };
      const heard = await failuresIn(steps, {
        [callback]: () => new Promise(() => {}),
        promptTimeoutsMs: all,
      });
      expect(heard).toMatchObject([{ callback, cause: { code: 'REQUEST_TIMEOUT' } }]);
    });
  });

  test.each(Object.entries(broken))('a listener that %s', async (_how, run) => {
    const heard = await failuresIn([], { onMessage: run, onStateChange: run });
    const names = new Set(heard.map(({ callback }) => callback));
    expect([...names].toSorted()).toEqual(['onMessage', 'onStateChange']);
    expect(heard[0]).toMatchObject({ code: 'CALLBACK_FAILED', cause: boom });
  });

  test('a failing writer of a recording', async () => {
    const heard = await failuresIn([], { record: { write: broken.throws } });
    expect(heard).toMatchObject([{ code: 'RECORDING_FAILED', callback: 'record', cause: boom }]);
  });

  test('a failing stderr listener', async () => {
    const heard: Diagnostic[] = [];
    const session = await openSession({
      cli: resolve(EMULATED_CLI),
      env: { COXSWAIN_SCENARIO: resolve('test/fixtures/scenarios/cox.mjs'), EMULATED_SCENARIO: 'dies' },
      onStderr: broken.throws,
      onDiagnostic: (diagnostic) => heard.push(diagnostic),
    });
    expect(await session.send('go').outcome).toMatchObject({ kind: 'cli-ended' });
    await session.close();
    expect(heard).toContainEqual(
      expect.objectContaining({ code: 'CALLBACK_FAILED', callback: 'onStderr', cause: boom }),
    );
  });

  test('a deferred prompt that times out is not a failure of its callback', async () => {
    const heard = await failuresIn(PROMPTS.onPermission, {
      onPermission: (prompt) => prompt.defer(),
      promptTimeoutsMs: { permission: 5 },
    });
    expect(heard).toEqual([]);
  });
});

describe('a hook that fails', () => {
  const steps = [useTool('Bash', { command: 'ls' }, { result: 'listed' })];
  const timeoutMs = 60_000;
  const ways: Record<string, (clock: ManualClock) => () => Promise<undefined>> = {
    throws: () => broken.throws,
    rejects: () => broken.rejects,
    'returns nonsense': () => () => 'yes' as never,
    // Only the host's time passes: the CLI counts on its own, and must not be the first to give up.
    'is late': (clock) => () => {
      clock.advance(timeoutMs);
      return new Promise(() => {});
    },
  };

  test.each(Object.entries(ways))('is reported, and blocks the call, when it %s', async (_how, make) => {
    const clock = new ManualClock();
    const results: string[] = [];
    const heard = await failuresIn(
      steps,
      {
        hooks: { PreToolUse: [{ run: make(clock), timeoutMs }] },
        onMessage: (message) => void results.push(JSON.stringify(message)),
      },
      { clock },
    );
    expect(heard).toMatchObject([{ code: 'CALLBACK_FAILED', callback: 'hooks.PreToolUse' }]);
    expect(results.join('')).not.toContain('listed');
  });

  test.each(Object.entries(ways))(
    'is reported, and lets the call pass if configured so, when it %s',
    async (_how, make) => {
      const clock = new ManualClock();
      const run = make(clock);
      const results: string[] = [];
      const heard = await failuresIn(
        steps,
        {
          hooks: {
            PreToolUse: [{ run, timeoutMs, onFailure: 'continue' }],
            PostToolUse: [{ run, timeoutMs }],
          },
          onMessage: (message) => void results.push(JSON.stringify(message)),
        },
        { clock },
      );
      expect(heard.map(({ callback }) => callback)).toEqual(['hooks.PreToolUse', 'hooks.PostToolUse']);
      expect(results.join('')).toContain('listed');
    },
  );
});

describe('on stderr', () => {
  afterEach(() => vi.restoreAllMocks());

  /** What a session writes to stderr while its callback fails in two turns. */
  async function writtenBy(options: SessionOptions, listen = false): Promise<string> {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const ask = useTool('Bash', { command: 'ls' }, { ask: true });
    const cli = emulateCli([onUser([ask, say('one')]), onUser([ask, say('two')])]);
    const session = await openSession({
      transport: cli.transport,
      onPermission: broken.throws,
      ...options,
    });
    if (listen) session.on('diagnostic', () => {});
    for (const text of ['one', 'two']) expect(await session.send('go').text()).toBe(text);
    await session.close();
    return write.mock.calls.map(([text]) => String(text)).join('');
  }

  test('an unhandled failure is reported once', async () => {
    const written = await writtenBy({});
    expect(written).toContain('The callback onPermission failed: boom');
    expect(written.match(/coxswain:/g)).toHaveLength(1);
  });

  test('not if there is a listener, or the program turned it off', async () => {
    expect(await writtenBy({ onDiagnostic: () => {} })).toBe('');
    expect(await writtenBy({}, true)).toBe('');
    expect(await writtenBy({ onDiagnostic: null })).toBe('');
  });

  test('a failure of onDiagnostic itself', async () => {
    const written = await writtenBy({ onDiagnostic: broken.rejects });
    expect(written).toContain('The callback onDiagnostic failed: boom');
    expect(written.match(/coxswain:/g)).toHaveLength(1);
  });
});
