import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acceptedDifferences, acceptedFor, explains } from './harness/accepted.js';
import { differences, sentence } from './harness/compare.js';
import { Normaliser } from './harness/normalise.js';

test('every difference between two runs is found, with its path', () => {
  const official = { messages: [{ type: 'a', deep: { key: 1 } }, 'end'], calls: [] };
  const ours = { messages: [{ type: 'a', deep: { key: 2, more: true } }], calls: [['told']] };
  expect(differences(official, ours).map(sentence)).toEqual([
    'messages[0].deep.key: 1 there, 2 here',
    'messages[0].deep.more: nothing there, true here',
    'messages[1]: "end" there, "<nothing>" here',
    'calls[0]: "<nothing>" there, ["told"] here',
  ]);
});

test('two messages of different kinds are one difference', () => {
  expect(differences([{ type: 'a', x: 1 }], [{ type: 'b', x: 2 }])).toHaveLength(1);
});

test('equal ids stay equal, and times are ignored', () => {
  const id = '0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';
  const normaliser = new Normaliser('/tmp/run');
  expect(normaliser.value({ b: id, a: `${id} in /tmp/run/x`, duration_ms: 7, request_id: 'r' })).toEqual({
    a: '<id 1> in <folder>/x',
    b: '<id 1>',
    duration_ms: '<duration_ms>',
    request_id: '<request_id>',
  });
});

test('an accepted difference covers only its own place and value', () => {
  const accepted = { name: 'n', at: ['messages[*].thrown.name'], ours: 'AbortError', reason: 'better' };
  const at = 'messages[2].thrown.name';
  expect(explains(accepted, { at, official: 'Error', ours: 'AbortError' })).toBe(true);
  expect(explains(accepted, { at, official: 'Error', ours: 'Other' })).toBe(false);
  expect(explains(accepted, { at: 'messages[2].thrown.names', official: 1, ours: 'AbortError' })).toBe(false);
  expect(explains(accepted, { at: 'calls[0]', official: 1, ours: 'AbortError' })).toBe(false);
});

test('a program cannot accept unlisted differences, and each listed one has a reason', () => {
  expect(() => acceptedFor(['made-up'])).toThrow('not in accepted-differences.json: made-up');
  expect(acceptedDifferences.filter(({ reason }) => reason.length < 20)).toEqual([]);
  expect(new Set(acceptedDifferences.map(({ name }) => name)).size).toBe(acceptedDifferences.length);
});

const FOLDER = new URL('.', import.meta.url);
const PROGRAMS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
  .join('\n');

test('every accepted difference is used by a program', () => {
  const unused = acceptedDifferences.filter(({ name }) => !PROGRAMS.includes(`'${name}'`));
  expect(unused).toEqual([]);
});

test('every option and method that the official SDK declares is used by a program', () => {
  const words = new Set(PROGRAMS.match(/\w+/g));
  // Given by every program, in harness/stage.ts.
  const ofStage = ['spawnClaudeCodeProcess'];
  const { options, methods } = JSON.parse(readFileSync(new URL('official-surface.json', FOLDER), 'utf8'));
  const unused = [...options, ...methods].filter((name) => !words.has(name) && !ofStage.includes(name));
  expect(unused).toEqual([]);
});
