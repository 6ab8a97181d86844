import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readKeyboard } from '../../../../src/command/terminal/keyboard.js';

const never = new AbortController().signal;

test('a line is read without its newline', async () => {
  const input = new PassThrough();
  const line = readKeyboard(input).readLine(never);
  input.write('yes, please\n');
  expect(await line).toBe('yes, please');
});

test('lines are read one after the other', async () => {
  const input = new PassThrough();
  const keyboard = readKeyboard(input);
  const first = keyboard.readLine(never);
  input.write('one\n');
  expect(await first).toBe('one');
  const second = keyboard.readLine(never);
  input.write('two\n');
  expect(await second).toBe('two');
});

test('the end of the input gives no line, then and later', async () => {
  const input = new PassThrough();
  const keyboard = readKeyboard(input);
  const line = keyboard.readLine(never);
  input.end();
  expect(await line).toBeUndefined();
  expect(await keyboard.readLine(never)).toBeUndefined();
});

test('an abort gives no line, and the next input goes to the next question', async () => {
  const input = new PassThrough();
  const keyboard = readKeyboard(input);
  const abort = new AbortController();
  const withdrawn = keyboard.readLine(abort.signal);
  abort.abort();
  expect(await withdrawn).toBeUndefined();
  const next = keyboard.readLine(never);
  input.write('late\n');
  expect(await next).toBe('late');
});

test('a question that was withdrawn before it was asked reads nothing', async () => {
  const input = new PassThrough();
  expect(await readKeyboard(input).readLine(AbortSignal.abort())).toBeUndefined();
  expect(input.listenerCount('data')).toBe(0);
});
