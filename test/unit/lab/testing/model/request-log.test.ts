import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RequestLog, RequestWaiters } from '../../../../../src/lab/testing/model/request-log.js';
import { mainBody, modelRequest } from '../../../../support/model-requests.js';

const request = (number: number, size = 10) => modelRequest(mainBody('a'), { number, size });
const numbers = (log: RequestLog) => log.kept.map(({ number }) => number);

test('keeps the latest requests up to a number', () => {
  const log = new RequestLog({ count: 2, bytes: 1_000 });
  for (const number of [1, 2, 3]) log.add(request(number));
  expect(numbers(log)).toEqual([2, 3]);
});

test('keeps the latest requests up to a size', () => {
  const log = new RequestLog({ count: 100, bytes: 25 });
  for (const number of [1, 2, 3]) log.add(request(number));
  expect(numbers(log)).toEqual([2, 3]);
});

test('always keeps the newest, however large', () => {
  const log = new RequestLog({ count: 100, bytes: 25 });
  log.add(request(1));
  log.add(request(2, 1_000));
  expect(numbers(log)).toEqual([2]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hello = modelRequest(mainBody('hello'));
const report = () => 'the table';

test('delivers a request to everyone who waits for it and to nobody else, and leaves no timer', async () => {
  const waiters = new RequestWaiters();
  const both = [1, 2].map(() => waiters.wait(({ userText }) => userText === 'hello', 1_000, report));
  const other = waiters.wait(({ userText }) => userText === 'goodbye', 1_000, report);
  waiters.offer(hello);
  expect(await Promise.all(both)).toEqual([hello, hello]);
  expect(vi.getTimerCount()).toBe(1);
  const outcome = expect(other).rejects.toThrow('it is over');
  waiters.rejectAll('it is over');
  await outcome;
  expect(vi.getTimerCount()).toBe(0);
});

test('ends a wait after its time limit, with the table', async () => {
  const waiting = new RequestWaiters().wait(() => true, 1_000, report);
  const outcome = expect(waiting).rejects.toThrow(
    expect.objectContaining({
      code: 'MODEL_SCRIPT_FAILED',
      message: 'The awaited request did not arrive: 1000 ms have passed.\nthe table',
    }),
  );
  vi.advanceTimersByTime(1_000);
  await outcome;
});
