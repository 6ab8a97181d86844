import { describe, expect, test } from 'vitest';
import { ask, openSession } from '../../../../src/entry/sdk/on-demand.js';
import { tool } from '../../../../src/host/mcp/tool.js';
import { emulateCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { checkManagerOptions } from '../../../../src/server/manager/manager-option-checks.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';

describe('a first mistake gets a message that names the fix', () => {
  test.each([
    [{ modle: 'opus' }, 'Did you mean "model"?'],
    [{ timeout: 5 }, '"deadlineMs"'],
    [{ timeoutMs: 5 }, '"deadlineMs"'],
  ])('option %j', async (options, message) => {
    await expect(openSession(options as object)).rejects.toThrow(message);
  });

  test.each([
    [{ daily: 2 }, 'budgets.daily: it is "day" here'],
    [{ day: -1 }, 'budgets.day: must be a number of 0 or more, not -1'],
    [{ onwer: 2 }, 'budgets.onwer: no such key; did you mean owner?'],
  ])('budgets %j', (budgets, message) => {
    expect(() => checkManagerOptions({ store: 'x', budgets: budgets as object })).toThrow(message);
  });

  test.each([true, { behavior: 'allow' }, 'allow'])(
    'a permission callback that returns %j',
    async (returned) => {
      const cli = emulateCli([onUser([useTool('Bash', { command: 'ls' }, { ask: true }), done()])]);
      const heard: Diagnostic[] = [];
      await using session = await openSession({
        transport: cli.transport,
        onPermission: () => returned as never,
        onDiagnostic: (diagnostic) => heard.push(diagnostic),
      });
      await session.send('go').outcome;
      expect(heard.map(({ message }) => message).join()).toContain('return prompt.allow() or prompt.deny()');
    },
  );

  test('the form of tool() of the official SDK', () => {
    const official = tool as unknown as (...parts: readonly unknown[]) => unknown;
    expect(() => official('now', 'Tells the time', {}, async () => ({}))).toThrow(
      'tool({ name, description, input, run })',
    );
  });

  test('ask() with input that is no message starts nothing', async () => {
    let starts = 0;
    const transport = () => {
      starts += 1;
      return emulateCli([]).transport;
    };
    await expect(ask('', { transport })).rejects.toMatchObject({ code: 'MESSAGE_INVALID' });
    expect(starts).toBe(0);
  });
});
