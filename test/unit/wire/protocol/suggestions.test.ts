import { expect, test } from 'vitest';
import { describeSuggestions } from '../../../../src/wire/protocol/suggestions.js';

const rules = [{ toolName: 'Bash', ruleContent: 'ls:*' }, { toolName: 'Read' }];

test.each([
  [
    { type: 'addRules', rules, behavior: 'allow', destination: 'session' },
    'Bash(ls:*), Read, in this session',
  ],
  [
    { type: 'addRules', rules, behavior: 'deny', destination: 'localSettings' },
    'deny Bash(ls:*), Read, in this folder, for you',
  ],
  [
    { type: 'addDirectories', directories: ['/a', '/b'], destination: 'session' },
    'work in /a, /b, in this session',
  ],
  [
    { type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' },
    'the mode acceptEdits, everywhere, for you',
  ],
  [{ type: 'invented', destination: 'the moon' }, 'invented, in the moon'],
  [{ type: 'invented' }, 'invented'],
  ['nonsense', 'something this version does not know'],
])('a suggestion is told in words', (suggestion, words) => {
  expect(describeSuggestions([suggestion])).toBe(words);
});

test('several are told one after the other, since all of them are taken', () => {
  const mode = { type: 'setMode', mode: 'plan' };
  expect(describeSuggestions([mode, { type: 'x' }])).toBe('the mode plan; x');
});
