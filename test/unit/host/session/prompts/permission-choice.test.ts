import { expect, test } from 'vitest';
import { choicesOf, offeredChoices } from '../../../../../src/host/session/prompts/permission-choice.js';

const rule = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'touch made; ls' }],
  behavior: 'allow',
  destination: 'localSettings',
};
const folder = { type: 'addDirectories', directories: ['/w'], destination: 'session' };
const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const read = { type: 'addRules', rules: [{ toolName: 'Read', ruleContent: '//etc/**' }], behavior: 'allow' };

test('there is one choice for each suggestion, for the session', () => {
  const choices = choicesOf([rule, folder, mode, { type: 'new' }], undefined);
  expect(choices.map(({ kind }) => kind)).toEqual(['rule', 'directory', 'mode', 'other']);
  expect(new Set(choices.map(({ scope }) => scope))).toEqual(new Set(['session']));
  expect(choices.map(({ suggestedScope }) => suggestedScope)).toEqual([
    'folder',
    'session',
    'session',
    'session',
  ]);
  expect(choices.every(({ warning }) => warning === undefined)).toBe(true);
});

test('people can choose the scope that the CLI suggests, besides the session', () => {
  const offered = offeredChoices(choicesOf([rule, mode], undefined));
  expect(offered.map(({ kind, scope }) => `${kind} ${scope}`)).toEqual([
    'rule session',
    'rule folder',
    'mode session',
  ]);
});

test('a choice that will not stop the prompts says so', () => {
  const [shell, work, switched, reading] = choicesOf([rule, folder, mode, read], '/w/made');
  expect(shell?.warning).toBe('The CLI may ask again: it checks /w/made separately from rules.');
  expect(shell?.for('user').warning).toBe(shell?.warning);
  expect(work?.warning).toContain('unless you switch the mode too');
  expect(switched?.warning).toContain('unless it may work in /w too');
  expect(reading?.warning).toBeUndefined();
  const [byShell] = choicesOf([read], '/etc/hosts', 'Bash');
  expect(byShell?.warning).toContain('it checks /etc/hosts separately from read rules');
});
