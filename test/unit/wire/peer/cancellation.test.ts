import { describe, expect, test } from 'vitest';
import { Cancellation } from '../../../../src/wire/peer/cancellation.js';

describe('Cancellation', () => {
  test('notifies its listeners once and then its signal, with the reason of the first cancel', () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    cancellation.signal.addEventListener('abort', () => told.push('signal'));
    cancellation.onCancel(() => told.push('listener'));
    cancellation.cancel('first');
    cancellation.cancel('second');
    expect(told).toEqual(['listener', 'signal']);
    expect([cancellation.cancelled, cancellation.signal.reason]).toEqual([true, 'first']);
  });

  test('has an aborted signal if it is first read after the cancel', () => {
    const cancellation = new Cancellation();
    cancellation.cancel('gone');
    expect(cancellation.signal).toMatchObject({ aborted: true, reason: 'gone' });
  });

  test('notifies neither a removed listener nor one added later', () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    const callOff = cancellation.onCancel(() => told.push('called off'));
    callOff();
    callOff();
    cancellation.cancel();
    cancellation.onCancel(() => told.push('late'))();
    expect(told).toEqual([]);
  });
});
