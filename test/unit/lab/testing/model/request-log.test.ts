import { expect, test } from 'vitest';
import { RequestLog } from '../../../../../src/lab/testing/model/request-log.js';
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
