import { expect, test } from 'vitest';
import { classOf, eventIn, isPassing } from '../../../../src/server/conversation/events.js';

const entry = (event: object) => ({ n: 1, at: 2, rest: JSON.stringify(event).slice(1) });
const line = (frame: object) => entry({ kind: 'line', t: 0.5, from: 'cli', frame });

test('an entry has a class, which is found without parsing it', () => {
  expect(classOf(entry({ kind: 'queued', uuid: 'm' }))).toBe('durable');
  expect(classOf(line({ type: 'assistant' }))).toBe('kept');
  expect(classOf(line({ session_id: 's', parent: null, type: 'stream_event' }))).toBe('passing');
  expect(classOf({ n: 1, at: 2, rest: '"kind":"title","tit' })).toBe('durable');
});

test('a kind of a newer version is kept, and so is a name that every object has', () => {
  expect(classOf(entry({ kind: 'dreamt' }))).toBe('kept');
  expect(classOf(entry({ kind: 'constructor' }))).toBe('kept');
  expect(eventIn(entry({ kind: 'dreamt' }))).toBeUndefined();
});

test('text that mentions a partial message is not one', () => {
  expect(isPassing(line({ type: 'assistant', text: '"type":"stream_event"' }))).toBe(false);
});

test('a damaged entry has no event', () => {
  expect(eventIn({ n: 1, at: 2, rest: '"kind":"title","tit' })).toBeUndefined();
  expect(eventIn(entry({ kind: 'title', title: 't' }))).toEqual({
    n: 1,
    at: 2,
    event: { kind: 'title', title: 't' },
  });
});
