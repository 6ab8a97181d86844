import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorResult, soundResult, toolResult } from '../../../../src/host/mcp/tool-result.js';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('the result of a tool', () => {
  test('is a string unchanged', () => {
    expect(toolResult('noon')).toEqual(text('noon'));
  });

  test('is empty for nothing and for an empty string, which the API would refuse', () => {
    expect(toolResult(undefined)).toEqual({ content: [] });
    expect(toolResult('')).toEqual({ content: [] });
  });

  test('is MCP content unchanged: one block, several, or a whole result', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const words = { type: 'text', text: 'a picture' };
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    expect(toolResult(image)).toEqual({ content: [image] });
    expect(toolResult([words, image, link])).toEqual({ content: [words, image, link] });
    const whole = { content: [words], isError: true, structuredContent: { a: 1 } };
    expect(toolResult(whole)).toBe(whole);
  });

  test.each([
    null,
    true,
    0,
    [],
    [1],
    { a: 1 },
    { type: 'text' },
    { type: 'circle', radius: 1 },
    { content: 'x' },
  ])('is the JSON of any other value: %j', (value) => {
    expect(toolResult(value)).toEqual(text(JSON.stringify(value)));
  });

  test('refuses values that are not JSON', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(() => toolResult(() => 1)).toThrow(/function/);
    expect(() => toolResult(Symbol('x'))).toThrow(/symbol/);
    expect(() => toolResult(1n)).toThrow(/BigInt/);
    expect(() => toolResult(circular)).toThrow(/circular/);
  });

  test('any JSON value gives content that is a list of blocks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { content } = toolResult(value);
        expect(Array.isArray(content) && content.every((block) => typeof block.type === 'string')).toBe(true);
      }),
    );
  });

  test('says that it is an error if it is one', () => {
    expect(errorResult('broken')).toEqual({ ...text('broken'), isError: true });
  });
});

describe('a result sent to the client', () => {
  test.each([
    { content: [] },
    { content: [{ type: 'text', text: 'noon' }], isError: true },
    { content: [{ type: 'image', data: 'x', mimeType: 'image/png' }] },
  ])('is unchanged if MCP knows its content: %j', (result) => {
    expect(soundResult(result)).toBe(result);
  });

  test('is an error that shows what is wrong if a block lacks what its kind needs', () => {
    const broken = { content: [{ type: 'text', text: 'a' }, { type: 'image' }] };
    expect(soundResult(broken)).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('{"type":"image"}') }],
    });
  });
});
