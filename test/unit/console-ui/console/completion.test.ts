import { expect, test } from 'vitest';
import {
  completableAt,
  complete,
  matchingCommands,
} from '../../../../console-ui/console/composer/word-at.js';

test.each([
  ['/', 'command', ''],
  ['/com', 'command', 'com'],
  ['/com pact', undefined, ''],
  ['see /com', undefined, ''],
  ['@', 'file', ''],
  ['look at @src/pa', 'file', 'src/pa'],
  ['look at @"a fi', 'file', 'a fi'],
  ['line\n@x', 'file', 'x'],
  ['mail@example', undefined, ''],
  ['@done and on', undefined, ''],
])('the word before the caret in %j', (text, kind, query) => {
  const found = completableAt(text, text.length);
  expect([found?.kind, found?.query ?? '']).toEqual([kind, query]);
});

test.each([
  ['/com', 'compact', '/compact ', 9],
  ['see @pa', 'src/parser.ts', 'see @src/parser.ts ', 19],
  ['see @sr', 'src/', 'see @src/', 9],
  ['@a', 'a file.md', '@"a file.md" ', 13],
  ['@a', 'a folder/', '@"a folder/', 11],
])('%j with %j selected', (text, name, whole, caret) => {
  const found = completableAt(text, text.length);
  expect(found && complete(text, found, { name, about: '' })).toEqual({ text: whole, caret });
});

test('the text after the caret stays, without a second space', () => {
  const found = completableAt('see @pa now', 7);
  expect(found && complete('see @pa now', found, { name: 'p.ts', about: '' })).toEqual({
    text: 'see @p.ts now',
    caret: 10,
  });
});

test('prefix matches come first', () => {
  const commands = ['recompact', 'compact', 'cost'].map((name) => ({ name, about: '' }));
  expect(matchingCommands(commands, 'Com').map(({ name }) => name)).toEqual(['compact', 'recompact']);
});
