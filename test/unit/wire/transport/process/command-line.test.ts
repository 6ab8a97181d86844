import { expect, test } from 'vitest';
import { argumentText, maskedArgument } from '../../../../../src/host/cli/options/argument-text.js';
import { maskWord, printable } from '../../../../../src/wire/transport/process/command-line.js';

test('an argument is one word, so that no value is mistaken for a flag', () => {
  expect(argumentText({ flag: '--model', value: '-x y' })).toBe('--model=-x y');
  expect(argumentText({ flag: '--tools', value: '' })).toBe('--tools=');
  expect(argumentText({ flag: '--verbose' })).toBe('--verbose');
});

test('possible secrets are masked for display', () => {
  expect(maskedArgument({ flag: '--settings', value: '{"env":{}}', secret: true })).toBe(
    '--settings=<10 characters>',
  );
  expect(maskedArgument({ flag: '--x', value: 'sk-ant-abcdefgh1234' })).toBe('--x=<19 characters>');
  expect(maskedArgument({ flag: '--x', value: '{"token": "abc"}' })).not.toContain('abc');
  expect(maskedArgument({ flag: '--x', value: 'Authorization: Bearer abc' })).not.toContain('abc');
  expect(maskedArgument({ flag: '--model', value: 'sonnet' })).toBe('--model=sonnet');
  expect(maskWord('sk-ant-abcdefgh1234')).toBe('<19 characters>');
  expect(maskWord('/a/cli.js')).toBe('/a/cli.js');
});

test('words that a shell would split are quoted', () => {
  expect(printable(['/bin/x', "it's me", '--a=b'])).toBe("/bin/x 'it'\\''s me' --a=b");
});
