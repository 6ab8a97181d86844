import { expect, test } from 'vitest';
import {
  describeSuggestion,
  exactly,
  labelSuggestion,
  scopeOf,
} from '../../../../src/wire/protocol/suggestions.js';

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
    'Switch to “Accepts edits” (acceptEdits), which changes files without asking, everywhere from now on, for you.',
  ],
  [
    { type: 'setMode', mode: 'plan' },
    'session',
    'Switch to “Plans only” (plan) for the rest of this session.',
  ],
  [{ type: 'setMode', mode: 'new' }, 'session', 'Switch to the mode new for the rest of this session.'],
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

test.each([
  [
    { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }], behavior: 'allow' },
    'session',
    'npm test:* · this session',
    ['Bash(npm test:*)'],
  ],
  [
    { type: 'addRules', rules: [...rules, { toolName: 'Glob' }], behavior: 'allow' },
    'folder',
    'ls:* and 2 more · this folder, for you',
    ['Bash(ls:*)', 'Read', 'Glob'],
  ],
  [
    { type: 'addRules', rules: [{ toolName: 'Read', ruleContent: '//etc/**' }], behavior: 'allow' },
    'user',
    'Read(//etc/**) · everywhere, for you',
    ['Read(//etc/**)'],
  ],
  [
    { type: 'addDirectories', directories: ['/a'] },
    'project',
    'Work in /a · this project, for everyone',
    ['/a'],
  ],
  [{ type: 'setMode', mode: 'acceptEdits' }, 'session', 'Accepts edits · this session', ['Accepts edits']],
  [{ type: 'invented' }, 'session', 'invented · this session', []],
] as const)(
  'what is remembered has a short label, and is told exactly',
  (suggestion, scope, label, exact) => {
    expect(labelSuggestion(suggestion, scope)).toBe(label);
    expect(exactly(suggestion)).toEqual(exact);
  },
);

test('a long rule is cut in the label and nowhere else', () => {
  const ruleContent = `echo ${'long '.repeat(100)}`;
  const suggestion = { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent }], behavior: 'allow' };
  expect(labelSuggestion(suggestion, 'session').length).toBeLessThan(60);
  expect(exactly(suggestion)).toEqual([`Bash(${ruleContent})`]);
});
