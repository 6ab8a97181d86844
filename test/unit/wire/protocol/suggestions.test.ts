import { expect, test } from 'vitest';
import { describeSuggestion, scopeOf } from '../../../../src/wire/protocol/suggestions.js';

const rules = [{ toolName: 'Bash', ruleContent: 'ls:*' }, { toolName: 'Read' }];

test.each([
  [
    { type: 'addRules', rules, behavior: 'allow' },
    'session',
    'Allow Bash(ls:*), Read for the rest of this session.',
  ],
  [
    { type: 'addRules', rules, behavior: 'deny' },
    'folder',
    'Deny Bash(ls:*), Read in this folder from now on, for you.',
  ],
  [
    { type: 'removeRules', rules, behavior: 'allow' },
    'session',
    'Remove the rule for Bash(ls:*), Read for the rest of this session.',
  ],
  [
    { type: 'addDirectories', directories: ['/a', '/b'] },
    'project',
    'Let the CLI work in /a, /b in this project from now on, for everyone.',
  ],
  [
    { type: 'setMode', mode: 'acceptEdits' },
    'user',
    'Switch to the mode acceptEdits, which changes files without asking, everywhere from now on, for you.',
  ],
  [{ type: 'setMode', mode: 'plan' }, 'session', 'Switch to the mode plan for the rest of this session.'],
  [
    { type: 'invented', rules },
    'session',
    "Apply the CLI's invented, which this version does not know, for the rest of this session.",
  ],
] as const)('what is remembered is told in a sentence', (suggestion, scope, sentence) => {
  expect(describeSuggestion(suggestion, scope)).toBe(sentence);
});

test('a scope is derived from where the CLI would write', () => {
  expect(scopeOf({ destination: 'localSettings' })).toBe('folder');
  expect(scopeOf({ destination: 'the moon' })).toBeUndefined();
});
