import { expect, test } from 'vitest';
import { toolLabel } from '../../../../src/wire/protocol/tool-label.js';

test.each([
  ['Bash', { command: 'ls -la', description: 'List' }, 'Bash: ls -la'],
  ['Read', { file_path: '/a/b.ts', limit: 3 }, 'Read: /a/b.ts'],
  ['Task', { description: 'Look around', prompt: 'long' }, 'Task: Look around'],
  ['Odd', { things: [1] }, 'Odd'],
  ['Bash', { command: `echo\n\u001b[2J${'x'.repeat(200)}` }, `Bash: echo \\x1b[2J${'x'.repeat(65)}...`],
])('a call of %s is described in a few words', (tool, input, label) => {
  expect(toolLabel(tool, input)).toBe(label);
});
