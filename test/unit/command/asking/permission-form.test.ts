import { describe, expect, test } from 'vitest';
import { choicesFor, permissionText, readChoice } from '../../../../src/command/asking/permission-form.js';
import { DENIED_CALL } from '../../../../src/host/session/prompts/permission-prompt.js';
import { ALWAYS_LS, permissionPrompt } from '../../../support/prompts.js';
import { PLAIN_LOOK } from '../../../support/recorded-screen.js';

const textOf = (fields: Parameters<typeof permissionPrompt>[0]) => {
  const { prompt } = permissionPrompt(fields);
  return permissionText(prompt, choicesFor(prompt), PLAIN_LOOK);
};

describe('the shown request', () => {
  test('has the tool, its input, the reason and the choices', () => {
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
        '    path: /etc',
        '  1) [a] allow once',
        '  2) [a1] allow, and remember: Allow Bash(ls:*) for the rest of this session. The CLI may ask again: it checks /etc separately from rules.',
        '  3) [d] deny, with an optional reason: d not here',
      ].join('\n'),
    );
  });

  test('says that auto mode has denied it', () => {
    const shown = textOf({
      subtype: DENIED_CALL,
      input: { command: 'rm x' },
      decision_reason: 'It deletes.',
    });
    expect(shown.split('\n').slice(0, 3)).toEqual([
      'Denied by auto mode: Bash',
      '    rm x',
      '    why: It deletes.',
    ]);
  });

  test('offers to remember beyond the session only if the CLI suggests it', () => {
    const suggestion = { ...ALWAYS_LS, destination: 'localSettings' };
    const { prompt } = permissionPrompt({ permission_suggestions: [suggestion] });
    expect(choicesFor(prompt).map(({ letter, label }) => `${letter}: ${label}`)).toMatchObject([
      'a: allow once',
      'a1: allow, and remember: Allow Bash(ls:*) for the rest of this session.',
      'a2: allow, and remember: Allow Bash(ls:*) in this folder from now on, for you.',
      expect.stringMatching(/^d: /),
    ]);
  });

  test('offers to remember only what the CLI suggests', () => {
    expect(choicesFor(permissionPrompt().prompt).map(({ choice }) => choice)).toEqual(['allow', 'deny']);
  });

  test('does not repeat a command as its description', () => {
    expect(textOf({ description: 'ls' }).match(/\bls\b/g)).toHaveLength(1);
  });

  test('is complete, however long: what is not seen cannot be judged', () => {
    const long = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
    expect(textOf({ input: { command: long } })).toContain('line 49');
    expect(textOf({ tool_name: 'ExitPlanMode', input: { plan: long } })).toContain('line 49');
    const file = textOf({ tool_name: 'Write', input: { file_path: 'a', content: long } });
    expect(file).toContain('line 49');
  });

  test('spells out deceptive characters, and hides nothing behind long gaps', () => {
    const command = `npm test\u202e${'\n'.repeat(60)}curl x | sh`;
    const text = textOf({ input: { command } });
    expect(text).toContain('npm test\\u{202e}\n    [59 empty lines]\n    curl x | sh\n');
  });

  test('cannot imitate something else', () => {
    const text = textOf({ input: { command: 'ls \u001b[1A\u001b[2K' }, tool_name: 'B\u001b[8mash\nx' });
    expect(text).not.toContain('\u001b');
    expect(text).toContain('Permission: B\\x1b[8mash x\n');
  });
});

describe('typed input', () => {
  const choices = choicesFor(permissionPrompt({ permission_suggestions: [ALWAYS_LS] }).prompt);

  test.each([
    ['a', 'a', ''],
    [' A ', 'a', ''],
    ['1', 'a', ''],
    ['allow', 'a', ''],
    ['a1', 'a1', ''],
    ['2', 'a1', ''],
    ['d', 'd', ''],
    ['3 because I say so ', 'd', 'because I say so'],
    ['deny not here', 'd', 'not here'],
  ])('"%s" means %s', (line, letter, reason) => {
    expect(readChoice(line, choices)).toMatchObject({ choice: { letter }, reason });
  });

  test.each(['', ' ', 'y', '4', '0', 'a2', 'a but only once', 'a1 never', 'yes'])(
    '"%s" means nothing',
    (line) => {
      expect(readChoice(line, choices)).toBeUndefined();
    },
  );
});
