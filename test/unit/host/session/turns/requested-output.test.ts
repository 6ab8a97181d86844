import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { z as z3 } from 'zod/v3';
import { type OutputOf, readOutputSchema } from '../../../../../src/host/session/turns/requested-output.js';
import { checkOutput, loadOutputCheck } from '../../../../../src/host/session/turns/structured-output.js';

const counted = z.object({ n: z.number() });
const properties = { n: { type: 'number' } };

describe('an output schema', () => {
  test.each([
    ['zod', counted],
    ['valibot', toStandardJsonSchema(v.object({ n: v.number() }))],
    ['arktype', type({ n: 'number' })],
    [
      'zod 3, with its JSON Schema',
      { schema: z3.object({ n: z3.number() }), jsonSchema: { type: 'object', properties } },
    ],
    ['a JSON Schema', { type: 'object', properties }],
    ['a JSON Schema of the newest draft', z.toJSONSchema(counted)],
  ])('of %s is sent to the CLI without the name of a draft', (_name, schema) => {
    const { jsonSchema } = readOutputSchema(schema);
    expect(jsonSchema).toMatchObject({ type: 'object', properties });
    expect(JSON.stringify(jsonSchema)).not.toContain('$schema');
  });

  test('writes tuples in a form that every CLI reads', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'string' } };
    const { jsonSchema } = readOutputSchema({
      type: 'object',
      properties: { t: tuple, $schema: { type: 'string' } },
    });
    expect(jsonSchema.properties).toEqual({
      t: { type: 'array', items: [{ type: 'number' }], additionalItems: { type: 'string' } },
      $schema: { type: 'string' },
    });
  });

  test('leaves out keywords of later drafts, and keeps them for validation', async () => {
    const given = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' }, unevaluatedProperties: { type: 'string' } },
      $defs: { N: { type: 'number', format: 'double', 'x-own': 1 } },
      dependentRequired: { n: ['m'] },
      unevaluatedProperties: false,
    };
    const { jsonSchema, asWritten } = readOutputSchema(given);
    expect(jsonSchema).toEqual({
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' }, unevaluatedProperties: { type: 'string' } },
      $defs: { N: { type: 'number' } },
      dependencies: { n: ['m'] },
    });
    expect(asWritten).toEqual(given);
  });

  test('that cannot be used is refused by name', () => {
    expect(() => readOutputSchema(z.array(z.string()))).toThrow(/"outputSchema": it must describe an object/);
    expect(() => readOutputSchema({ n: counted })).toThrow(/record of schemas/);
  });

  test('types its output', () => {
    expectTypeOf<OutputOf<typeof counted>>().toEqualTypeOf<{ n: number }>();
    const ark = type({ n: 'number' });
    expectTypeOf<OutputOf<typeof ark>>().toEqualTypeOf<{ n: number }>();
    const vali = toStandardJsonSchema(v.object({ n: v.number() }));
    expectTypeOf<OutputOf<typeof vali>>().toEqualTypeOf<{ n: number }>();
    const old = { schema: z3.object({ n: z3.number() }), jsonSchema: {} };
    expectTypeOf<OutputOf<typeof old>>().toEqualTypeOf<{ n: number }>();
    expectTypeOf<OutputOf<{ type: 'object' }>>().toBeUnknown();
  });

  test('validates the output, and returns the parsed value', async () => {
    const check = await loadOutputCheck(readOutputSchema(z.object({ n: z.string().transform(Number) })));
    const success = { kind: 'success', text: '' } as const;
    expect(checkOutput({ ...success, output: { n: '7' } }, check)).toMatchObject({ output: { n: 7 } });
    expect(checkOutput({ ...success, output: { n: 7 } }, check)).toMatchObject({
      kind: 'output-invalid',
      message: expect.stringMatching(/^n: /),
      output: { n: 7 },
    });
  });

  test('that validates asynchronously is reported, not awaited', async () => {
    const slow = z.object({ n: z.number() }).refine(async () => true);
    const check = await loadOutputCheck(readOutputSchema({ schema: slow, jsonSchema: { type: 'object' } }));
    expect(check({ n: 1 })).toMatchObject({ problem: expect.stringContaining('asynchronously') });
  });
});
