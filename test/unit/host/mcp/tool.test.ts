import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { type ToolContext, tool } from '../../../../src/host/mcp/tool.js';
import { OptionError } from '../../../../src/wire/util/option-checks.js';

const run = () => 'done';

describe('a tool', () => {
  test('keeps its definition, with its input as JSON Schema', () => {
    const made = tool({
      name: 'add',
      description: 'Adds two numbers',
      input: z.object({ a: z.number(), b: z.number() }),
      run: ({ a, b }) => a + b,
      annotations: { readOnlyHint: true },
      timeoutMs: 5,
      meta: { 'anthropic/alwaysLoad': true },
    });
    expect(made).toMatchObject({
      name: 'add',
      description: 'Adds two numbers',
      jsonSchema: { type: 'object', required: ['a', 'b'] },
      annotations: { readOnlyHint: true },
      timeoutMs: 5,
      meta: { 'anthropic/alwaysLoad': true },
    });
  });

  test('types the arguments of run', () => {
    tool({
      name: 'typed',
      description: 'd',
      input: z.object({ city: z.string().optional() }),
      run: (input, context) => {
        expectTypeOf(input).toEqualTypeOf<{ city?: string | undefined }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
      },
    });
    const plain = tool({
      name: 'plain',
      description: 'd',
      run: (input) => expectTypeOf(input).toEqualTypeOf<Readonly<Record<string, unknown>>>(),
    });
    expect(plain.jsonSchema).toEqual({ type: 'object', properties: {} });
  });

  test.each([
    ['no name', { description: 'd', run }, /needs the option "name"/],
    ['no description', { name: 'x', run }, /Tool "x" needs the options "description" and "run"/],
    ['no run', { name: 'x', description: 'd' }, /needs the options/],
    [
      'a name that the model could not say',
      { name: 'a b', description: 'd', run },
      /"name" must be a text of up to 64 letters/,
    ],
    [
      'a name that is too long',
      { name: 'a'.repeat(65), description: 'd', run },
      /"name" must be a text of up to 64 letters/,
    ],
    ['an unknown option', { name: 'x', description: 'd', run, inputs: {} }, /Did you mean "input"/],
    ['a time limit of nothing', { name: 'x', description: 'd', run, timeoutMs: 0 }, /"timeoutMs" must be/],
    ['an invalid schema', { name: 'x', description: 'd', run, input: 5 }, /"input" of tool "x"/],
  ])('with %s is refused', (_what, definition, problem) => {
    const make = () => tool(definition as never);
    expect(make).toThrow(OptionError);
    expect(make).toThrow(problem);
  });
});
