import { expect, test } from 'vitest';
import { newsParagraph } from '../../../../../src/lab/conformance/ledger/news.js';

const ledger = {
  published: ['2.1.1', '2.1.2', '2.1.3'],
  probed: [],
  looked: [],
  facts: {
    'end:idle': '2.1.1 pass',
    'flag:--x': '2.1.1 no, 2.1.3 listed',
    'hook:ask': '2.1.1 fail, 2.1.2 pass',
  },
  unsteady: {},
};

test('the news name each fact that changed, with its meaning', () => {
  expect(newsParagraph(ledger, '2.1.1', '2.1.3').split('\n')).toEqual([
    'Claude CLI 2.1.3, compared with 2.1.1:',
    '',
    '- `flag:--x`: no, now listed',
    '- `hook:ask`: fail, now pass (A hook that says `ask` makes a call prompt that would not have.)',
  ]);
});

test('no change is reported too', () => {
  const quiet = { ...ledger, facts: { 'end:idle': '2.1.1 pass' } };
  expect(newsParagraph(quiet, '2.1.1', '2.1.3')).toBe(
    'Claude CLI 2.1.3, compared with 2.1.1: nothing changed.',
  );
});
