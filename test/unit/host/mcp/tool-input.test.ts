import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { readToolInput, type ToolArguments } from '../../../../src/host/mcp/tool-input.js';
import { OptionError } from '../../../../src/wire/util/option-checks.js';

const cities = z.object({ city: z.string().describe('where'), days: z.number().default(1) });

describe('an input schema', () => {
  test('of zod is shown to the model with descriptions, defaults and optional fields', () => {
    const { jsonSchema } = readToolInput('weather', cities);
    expect(jsonSchema).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'where' },
        days: { type: 'number', default: 1 },
      },
      required: ['city'],
    });
  });

  test('of zod validates the arguments and fills in defaults', async () => {
    const { validate } = readToolInput('weather', cities);
    expect(await validate?.({ city: 'Bonn' })).toMatchObject({ value: { city: 'Bonn', days: 1 } });
    expect(await validate?.({ city: 4 })).toMatchObject({ issues: [{ path: ['city'] }] });
  });

  test('of valibot (through its adapter) or arktype works too', async () => {
    const fromValibot = readToolInput('a', toStandardJsonSchema(v.object({ city: v.string() })));
    const fromArktype = readToolInput('b', type({ city: 'string', 'days?': 'number' }));
    for (const { jsonSchema, validate } of [fromValibot, fromArktype]) {
      expect(jsonSchema).toMatchObject({ type: 'object', properties: { city: { type: 'string' } } });
      expect(await validate?.({ city: 'Bonn' })).toMatchObject({ value: { city: 'Bonn' } });
      expect(await validate?.({})).toHaveProperty('issues');
    }
  });

  test('of a library that cannot produce JSON Schema comes with one', async () => {
    const jsonSchema = { type: 'object', properties: { city: { type: 'string' } } };
    const schema = z3.object({ city: z3.string() });
    const read = readToolInput('old', { schema, jsonSchema });
    expect(read.jsonSchema).toEqual(jsonSchema);
    expect(await read.validate?.({ city: 1 })).toHaveProperty('issues');
  });

  test('as plain JSON Schema is used unchanged', () => {
    const jsonSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(readToolInput('plain', jsonSchema)).toEqual({ jsonSchema });
  });

  test('that is left out accepts no arguments', () => {
    expect(readToolInput('none', undefined)).toEqual({ jsonSchema: { type: 'object', properties: {} } });
  });

  test('that is a union of objects gets the type that MCP requires', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ]);
    expect(readToolInput('union', union).jsonSchema).toMatchObject({ type: 'object' });
  });

  test.each([
    [
      'zod 3 alone',
      z3.object({ city: z3.string() }),
      /schema of zod does not provide its JSON Schema.*\{ schema, jsonSchema \}/,
    ],
    ['valibot without its adapter', v.object({ city: v.string() }), /schema of valibot does not provide/],
    ['a schema that JSON Schema cannot say', z.object({ when: z.date() }), /zod could not convert it/],
    ['a record of schemas', { city: z.string() }, /wrap it in an object schema/],
    ['a schema of a text', z.string(), /must describe an object, not "string"/],
    ['a JSON Schema of a list', { type: 'array' }, /must describe an object, not "array"/],
    ['a pair without its JSON Schema', { schema: cities }, /pass "jsonSchema"/],
    ['an object that is not a schema', { city: 'string' }, /must be a schema/],
    ['a text', 'object', /must be a schema/],
    ['null', null, /must be a schema/],
  ])('is refused, with the name of its tool: %s', (_name, input, problem) => {
    expect(() => readToolInput('weather', input)).toThrow(OptionError);
    expect(() => readToolInput('weather', input)).toThrow(/tool "weather"/);
    expect(() => readToolInput('weather', input)).toThrow(problem);
  });

  test('types the arguments', () => {
    expectTypeOf<ToolArguments<typeof cities>>().toEqualTypeOf<{ city: string; days: number }>();
    const ark = type({ city: 'string' });
    expectTypeOf<ToolArguments<typeof ark>>().toEqualTypeOf<{ city: string }>();
    const pair = { schema: z3.object({ n: z3.number() }), jsonSchema: { type: 'object' } };
    expectTypeOf<ToolArguments<typeof pair>>().toEqualTypeOf<{ n: number }>();
    expectTypeOf<ToolArguments<{ type: 'object' }>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
  });
});
