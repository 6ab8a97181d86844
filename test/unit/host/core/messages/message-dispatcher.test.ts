import { expect, test } from 'vitest';
import { kindOf, MessageDispatcher } from '../../../../../src/host/core/messages/message-dispatcher.js';

test.each([
  [{ type: 'system', subtype: 'init' }, 'system/init'],
  [{ type: 'system' }, 'system/undefined'],
  [{ type: 'result', subtype: 'success' }, 'result'],
  [{ type: 'stream_event' }, 'stream_event'],
  [{ type: 5 }, ''],
  [{}, ''],
])('the kind of %j is %j', (message, kind) => {
  expect(kindOf(message)).toBe(kind);
});

test('calls the listeners for the kind, in order, and then the one for all messages', () => {
  const seen: string[] = [];
  const messages = new MessageDispatcher({
    receive: (_message, length, kind) => seen.push(`all ${kind} ${length}`),
  });
  messages.on('system/init', () => seen.push('first'));
  messages.on('system/init', () => seen.push('second'));
  messages.on('result', () => seen.push('never'));
  messages.dispatch({ type: 'system', subtype: 'init' }, 7);
  messages.dispatch({ type: 'something new' }, 8);
  expect(seen).toEqual(['first', 'second', 'all system/init 7', 'all something new 8']);
});

test('a listener that is removed during a message changes nothing for the others', () => {
  const seen: string[] = [];
  const messages = new MessageDispatcher({ receive: () => {} });
  const leave = messages.on('result', () => {
    seen.push('once');
    leave();
  });
  messages.on('result', () => seen.push('always'));
  messages.dispatch({ type: 'result' }, 1);
  messages.dispatch({ type: 'result' }, 1);
  expect(seen).toEqual(['once', 'always', 'always']);
});
