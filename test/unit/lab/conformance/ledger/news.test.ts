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
  expect(newsParagraph(ledger, ['2.1.1', '2.1.3']).split('\n')).toEqual([
    'Claude CLI 2.1.3, compared with 2.1.1:',
    '',
    '- `flag:--x`: no, now listed',
    '- `hook:ask`: fail, now pass (A hook that says `ask` makes a call prompt that would not have.)',
  ]);
});

test('no change is reported too', () => {
  const quiet = { ...ledger, facts: { 'end:idle': '2.1.1 pass' } };
  expect(newsParagraph(quiet, ['2.1.1', '2.1.3'])).toBe(
    'Claude CLI 2.1.3, compared with 2.1.1: nothing changed.',
  );
});

test('an answer with a key that the catalog lacks is listed apart from one that fails', () => {
  const details = new Map([
    ['endpoint:get_plan', 'success with a value, but response.response.colour: unknown-key'],
    ['endpoint:get_status', 'success with a value, but response.response.sections: wrong-type'],
  ]);
  const facts = {
    'endpoint:get_plan': '2.1.1 pass, 2.1.3 fail',
    'endpoint:get_status': '2.1.1 pass, 2.1.3 fail',
  };
  const news = newsParagraph({ ...ledger, facts }, ['2.1.1', '2.1.3'], (id) => details.get(id) ?? '');
  expect(news.split('\n')).toEqual([
    'Claude CLI 2.1.3, compared with 2.1.1:',
    '',
    expect.stringMatching(/^- `endpoint:get_status`: pass, now fail/),
    '',
    'New keys in 2.1.3; add them to the catalog, then probe again:',
    '',
    '- `endpoint:get_plan`: success with a value, but response.response.colour: unknown-key',
  ]);
});

test('a change that not all runs saw is marked', () => {
  const shaky = {
    ...ledger,
    facts: { 'hook:ask': '2.1.1 fail, 2.1.3 pass' },
    unsteady: { 'hook:ask': '2.1.3' },
  };
  expect(newsParagraph(shaky, ['2.1.1', '2.1.3'])).toContain('fail, now pass in most runs');
});
