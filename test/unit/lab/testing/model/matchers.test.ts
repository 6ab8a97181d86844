import { describe, expect, test } from 'vitest';
import { describeMatcher, type Matcher, matches } from '../../../../../src/lab/testing/model/matchers.js';
import { mainBody, modelRequest, toolResultMessage } from '../../../../support/model-requests.js';

const said = modelRequest(mainBody('hello there'));
const ran = modelRequest(mainBody('', { messages: [toolResultMessage('one', 'two')] }));

describe('matches', () => {
  test.each<[string, Matcher, boolean, boolean]>([
    ['a string within the user text', 'hello', true, false],
    ['a string within a tool result', 'two', false, true],
    ['a regular expression', /^hello/, true, false],
    ['a regular expression across results', /one\ntwo/, false, true],
    ['a pattern as data', { pattern: '^HELLO', flags: 'i' }, true, false],
    ['what the user said', { user: 'hello' }, true, false],
    ['the result of a tool', { toolResult: /^one/ }, false, true],
    ['an empty text in a tool result only when there is one', { toolResult: '' }, false, true],
    ['a function of the request', (request) => request.toolResults.length === 2, false, true],
    ['both parts, of which one does not fit', { user: 'hello', toolResult: 'one' }, false, false],
  ])('matches %s', (_, matcher, fitsSaid, fitsRan) => {
    expect([matches(matcher, said), matches(matcher, ran)]).toEqual([fitsSaid, fitsRan]);
  });

  test('a global regular expression matches repeatedly', () => {
    const matcher = /hello/g;
    expect([matches(matcher, said), matches(matcher, said)]).toEqual([true, true]);
  });
});

describe('describeMatcher', () => {
  test.each<[Matcher | undefined, string]>([
    [undefined, 'any request'],
    ['a "b"', 'text with "a \\"b\\""'],
    [/x/i, 'text like /x/i'],
    [{ pattern: 'x' }, 'text like /x/'],
    [{ user: 'a', toolResult: /b/ }, 'user text with "a" and tool result like /b/'],
    [function isReady() { return true; }, 'a request that isReady accepts'], // biome-ignore format: short
  ])('describes %s as %s', (matcher, words) => {
    expect(describeMatcher(matcher)).toBe(words);
  });
});
