import { describe, expect, test } from 'vitest';
import { UsedIds, userMessage } from '../../../../../src/host/session/turns/user-message.js';

const uuid = () => 'made';

describe('userMessage', () => {
  test('builds one from text and from blocks', () => {
    expect(userMessage('hi', {}, uuid)).toEqual({
      type: 'user',
      message: { role: 'user', content: 'hi' },
      uuid: 'made',
    });
    const blocks = [{ type: 'image' as const, source: {} }];
    expect(userMessage(blocks, { uuid: 'own', priority: 'now' }, uuid)).toEqual({
      type: 'user',
      message: { role: 'user', content: blocks },
      uuid: 'own',
      priority: 'now',
    });
  });

  test('accepts a complete one with its own uuid and keys', () => {
    const message = { role: 'user', content: 'x' } as const;
    const prepared = { type: 'user', message, uuid: 'p', isSynthetic: true } as const;
    expect(userMessage(prepared, {}, uuid)).toEqual(prepared);
  });

  test.each([
    [''],
    [[]],
    [[{ text: 'no type' }]],
    [{ type: 'assistant', message: { role: 'user', content: 'x' } }],
    [{ type: 'user' }],
    [{ type: 'user', message: { role: 'assistant', content: 'x' } }],
    [{ type: 'user', message: { role: 'user' } }],
  ])('refuses %j, which would end the CLI', (input) => {
    expect(() => userMessage(input as string, {}, uuid)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_INVALID' }),
    );
  });
});

test('a uuid is accepted once; only the latest are remembered', () => {
  const used = new UsedIds(2);
  used.use('a');
  expect(() => used.use('a')).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }));
  for (const id of ['b', 'c', 'd', 'e']) used.use(id);
  used.use('a');
});
