import { expect, test } from 'vitest';
import { firstDifference, promptOf } from '../../../../../src/lab/testing/model/prompt.js';
import { PromptCache } from '../../../../../src/lab/testing/model/prompt-cache.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const billing = (mark: string) => ({ type: 'text', text: `x-anthropic-billing-header: ${mark};` });
const said = (role: string, text: string, mark = {}) => ({ role, content: [{ type: 'text', text, ...mark }] });
const body = (messages: readonly object[], line = 'a') => ({
  tools: [{ name: 'Bash', description: 'Runs' }],
  system: [billing(line), { type: 'text', text: 'You help.', ...MARK }],
  messages: [...messages],
});

test('a prompt is tools, system prompt and messages, in this order', () => {
  const prompt = promptOf(body([said('user', 'one', { cache_control: { type: 'ephemeral', ttl: '1h' } })]));
  expect(prompt.map(({ name, cached }) => [name, cached])).toEqual([
    ['tool Bash', undefined],
    ['billing', undefined],
    ['system 1', '5m'],
    ['user 0.0', '1h'],
  ]);
  expect(promptOf({})).toEqual([]);
});

test('marks, the line for billing and more messages are no difference; anything else is', () => {
  const before = promptOf(body([said('user', 'one', MARK)]));
  const longer = promptOf(body([{ role: 'user', content: 'one' }, said('assistant', 'two', MARK)], 'b'));
  expect(firstDifference(before, longer)).toBeUndefined();
  expect(firstDifference(longer, before)?.name).toBe('assistant 1.0');
  expect(firstDifference(before, promptOf(body([said('user', 'other')])))?.name).toBe('user 0.0');
});

test('a cache reads what an earlier prompt has written up to a mark', () => {
  const cache = new PromptCache();
  const first = cache.count('m', promptOf(body([said('user', 'one', MARK)])));
  expect(first).toMatchObject({ cache_read_input_tokens: 0, input_tokens: 0 });
  const next = [said('user', 'one'), said('assistant', 'two'), said('user', 'three', MARK)];
  const second = cache.count('m', promptOf(body(next)));
  expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
  expect(second.cache_creation_input_tokens).toBeGreaterThan(0);
  const other = cache.count('m', promptOf(body([said('user', 'other', MARK)])));
  expect(other.cache_read_input_tokens).toBeGreaterThan(0);
  expect(other.cache_read_input_tokens).toBeLessThan(Number(first.cache_creation_input_tokens));
  expect(cache.count('another model', promptOf(body(next)))).toMatchObject({ cache_read_input_tokens: 0 });
});

test('a cache looks back 20 parts from a mark, and no further', () => {
  const cache = new PromptCache();
  const one = { system: [{ type: 'text', text: 'You help.', ...MARK }] };
  cache.count('m', promptOf(one));
  const longer = (count: number) => ({
    system: [{ type: 'text', text: 'You help.' }],
    messages: [...Array.from({ length: count - 1 }, () => said('user', 'more')), said('user', 'last', MARK)],
  });
  expect(cache.count('m', promptOf(longer(20))).cache_read_input_tokens).toBeGreaterThan(0);
  expect(cache.count('m', promptOf(longer(22))).cache_read_input_tokens).toBe(0);
});
