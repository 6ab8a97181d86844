import * as z from 'zod';
import * as z3 from 'zod/v3';
import { isStandardSchema, type StandardSchema } from '../../../host/mcp/schema-standard.js';
import type { ReadInput } from '../../../host/mcp/tool-input.js';
import { isRecord } from '../../../wire/util/option-checks.js';

/** The JSON Schema draft that the original sends: all CLIs understand it. */
const TARGET = 'draft-7';

/** Reads the schema of `tool`: a record of zod schemas, or a schema of an object, of version 3 or 4. */
export async function readShape(name: string, given: unknown): Promise<ReadInput> {
  const schema = asSchema(given);
  if (schema === undefined)
    throw new Error(`Tool "${name}": its input must be a record of zod schemas, or a zod object.`);
  return {
    jsonSchema: isNew(schema)
      ? z.toJSONSchema(schema, { target: TARGET, io: 'input' })
      : await oldJsonSchema(schema),
    validate: (value) => (schema as unknown as StandardSchema)['~standard'].validate(value),
  };
}

type OldSchema = z3.ZodTypeAny;

function asSchema(given: unknown): z.core.$ZodType | OldSchema | undefined {
  if (isNew(given)) return given;
  if (isOld(given)) return given;
  if (!isRecord(given)) return undefined;
  const fields = Object.values(given);
  // Both libraries only inspect the contents, so a record from another copy of them works too.
  if (fields.every(isNew)) return z.object(given as z.core.$ZodLooseShape);
  if (fields.every(isOld)) return z3.object(given as z3.ZodRawShape);
  return undefined;
}

function isNew(value: unknown): value is z.core.$ZodType {
  return isStandardSchema(value) && '_zod' in value;
}

function isOld(value: unknown): value is OldSchema {
  return typeof value === 'object' && value !== null && '_def' in value && !('_zod' in value);
}

/** Zod 3 cannot produce JSON Schema; the converter is loaded only if such a schema is used. */
async function oldJsonSchema(schema: OldSchema): Promise<Record<string, unknown>> {
  const { zodToJsonSchema } = await import('zod-to-json-schema');
  return { ...zodToJsonSchema(schema, { strictUnions: true, pipeStrategy: 'input' }) };
}
