import { expect, test } from 'vitest';
import { ansiSpans } from '../../../../console-ui/console/conversation/ansi.js';
import { marked } from '../../../../console-ui/console/conversation/diff-code.js';
import {
  lastLines,
  terminalLines,
  withoutCodes,
} from '../../../../console-ui/console/conversation/terminal-lines.js';
import { wordParts } from '../../../../console-ui/console/conversation/word-diff.js';
import { filePlace } from '../../../../console-ui/console/files/file-links.js';
import { filePieces } from '../../../../console-ui/console/files/file-pieces.js';
import { exitCode, hasFailed } from '../../../../console-ui/console/model/exit-status.js';
import type { ToolItem } from '../../../../console-ui/console/model/items.js';

const tool = (own: Partial<ToolItem>): ToolItem => ({
  kind: 'tool',
  id: 't',
  at: 0,
  name: 'Bash',
  agent: null,
  input: { command: 'x' },
  inputText: '',
  state: 'done',
  result: [],
  children: [],
  ...own,
});
const said = (text: string) => [{ type: 'text' as const, text }];

test.each([
  ['a command that failed', tool({ state: 'failed', result: said('Exit code 127\nnot found') }), 127],
  ['a task in the background', tool({ result: said('<status>failed</status><exit_code>2</exit_code>') }), 2],
  ['what the CLI tells beside', tool({ result: said('x'), details: { task: { exitCode: 3 } } }), 3],
  ['a command that prints such words', tool({ result: said('Exit code 1 is what I expected') }), undefined],
  ['another failure', tool({ state: 'failed', result: said('Permission denied') }), undefined],
])('the exit code of %s', (_name, item, code) => {
  expect(exitCode(item)).toBe(code);
  expect(hasFailed(item)).toBe(code !== undefined || item.state === 'failed');
});

test('output as a terminal would show it', () => {
  expect(
    terminalLines('10 %\r50 %\r100 %\r\nnext\u001b[2A\u001b]8;;http://x\u0007link\u001b]8;;\u0007'),
  ).toBe('100 %\nnextlink');
  expect(withoutCodes('\u001b[31;1mred\u001b[0m')).toBe('red');
  expect(lastLines('1\n2\n3\n', 2)).toEqual({ text: '2\n3', before: 1 });
  const long = 'x\n'.repeat(100_000);
  expect(lastLines(long, 6)).toMatchObject({ text: 'x\nx\nx\nx\nx\nx' });
});

test('colours by name, by number and by components', () => {
  const looks = (text: string) =>
    ansiSpans(text).map(({ text: of, looks: names, colour }) => [of, [...names], colour]);
  expect(looks('a\u001b[1;31mb\u001b[0mc')).toEqual([
    ['a', [], undefined],
    ['b', ['red', 'bold'], undefined],
    ['c', [], undefined],
  ]);
  expect(looks('\u001b[38;5;244mgrey\u001b[38;2;1;2;3mown')).toEqual([
    ['grey', [], 'rgb(128 128 128)'],
    ['own', [], 'rgb(1, 2, 3)'],
  ]);
});

test('words are compared if lines replace each other and have something in common', () => {
  const parts = wordParts([' same', '-const a = one;', '-zzz', '+const a = two;', '+qqq', '-lonely']);
  expect(parts.get(1)?.filter(({ changed }) => changed)).toEqual([{ text: 'one', changed: true }]);
  expect(
    parts
      .get(3)
      ?.map(({ text }) => text)
      .join(''),
  ).toBe('const a = two;');
  expect([2, 4, 5].map((place) => parts.has(place))).toEqual([false, false, false]);
});

test('in a block with other lines besides, the lines that are most alike are compared', () => {
  const parts = wordParts([
    '-  return title.toLowerCase();',
    '+  const plain = title.normalize();',
    '+  return plain.toLowerCase();',
  ]);
  expect([...parts.keys()].sort()).toEqual([0, 2]);
  expect(parts.get(2)?.filter(({ changed }) => changed)).toEqual([{ text: 'plain', changed: true }]);
  const crossed = wordParts(['-const a = one;', '-let b = two;', '+let b = 2;', '+const a = 1;', '+more();']);
  expect([...crossed.keys()].sort()).toEqual([0, 3]);
});

test('a changed line has its words marked, and code around them', () => {
  const words = [
    { text: 'const a', changed: false },
    { text: 'bc', changed: true },
    { text: ' = 1', changed: false },
  ];
  const code = [
    { text: 'const', kind: 'hljs-keyword' },
    { text: ' abc = ', kind: undefined },
    { text: '1', kind: 'hljs-number' },
  ];
  expect(marked(words, code)).toEqual([
    { text: 'const', kind: 'hljs-keyword' },
    { text: ' a', kind: undefined },
    { text: 'bc', kind: 'word' },
    { text: ' = ', kind: undefined },
    { text: '1', kind: 'hljs-number' },
  ]);
});

test.each([
  ['src/a.ts', 'src/a.ts', undefined],
  ['./src/a.ts:12', './src/a.ts', 12],
  ['/w/src/a.test.ts:12:3', '/w/src/a.test.ts', 12],
  ['a.ts:7', 'a.ts', 7],
  ['npm test', undefined, undefined],
  ['a/b', undefined, undefined],
  ['https://a.example/b.html', undefined, undefined],
  ['1.5', undefined, undefined],
])('the file that %j names', (text, path, line) => {
  const place = filePlace(text);
  expect([place?.path, place?.line]).toEqual([path, line]);
});

test('a file is cut between lines, and line numbers continue', () => {
  const text = Array.from({ length: 450 }, (_, index) => `line ${index + 1}`).join('\n');
  const pieces = filePieces(`${text}\n`);
  expect(pieces.map(({ from, lines }) => [from, lines])).toEqual([
    [1, 200],
    [201, 200],
    [401, 50],
  ]);
  expect(pieces.map((piece) => piece.text).join('\n')).toBe(text);
});
