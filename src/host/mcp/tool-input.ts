import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { errorText } from '../../wire/util/error-text.js';
import { isRecord, OptionError } from '../../wire/util/option-checks.js';
import { isStandardSchema, type SchemaResult, type StandardSchema } from './schema-standard.js';

/** A plain JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema with its JSON Schema, for libraries that cannot produce one. */
export interface SchemaPair<Schema extends StandardSchema = StandardSchema> {
  /** The schema that validates. */
  readonly schema: Schema;
  /** The JSON Schema of the same type. */
  readonly jsonSchema: JsonSchema;
}

/** The input schema of a tool: a schema from any library, a pair, or a plain JSON Schema. */
export type ToolInput = StandardSchema | SchemaPair | JsonSchema;

/** The argument type of `run` for an input schema; unknown values for a plain JSON Schema. */
export type ToolArguments<Input> =
  Input extends StandardSchema<infer _In, infer Output>
    ? Output
    : Input extends { readonly schema: StandardSchema<infer _In, infer Output> }
      ? Output
      : Readonly<Record<string, unknown>>;

/** A processed input schema: the JSON Schema for the model, and the validation of arguments. */
export interface ReadInput {
  /** The JSON Schema for the model. */
  readonly jsonSchema: JsonSchema;
  /** Absent for a plain JSON Schema, which is used directly. */
  readonly validate?: (value: unknown) => SchemaResult<unknown> | Promise<SchemaResult<unknown>>;
}

/** Reads an input schema when the tool is created, so that a wrong one is found before any session. @throws OptionError */
export function readToolInput(tool: string, input: unknown): ReadInput {
  if (input === undefined) return { jsonSchema: { type: 'object', properties: {} } };
  return readSchema(input, {
    dialect: 'draft-2020-12',
    wrong: (problem) => new OptionError('input', `Option "input" of tool "${tool}": ${problem}`),
  });
}

/** How to read a schema. */
export interface SchemaReading {
  /** The JSON Schema dialect to request from libraries. */
  readonly dialect: 'draft-2020-12' | 'draft-07';
  /** Creates the error for an unusable schema. */
  readonly wrong: (problem: string) => OptionError;
}

/** Reads a schema of any kind: as JSON Schema for the model, and as a validation. @throws the error of `wrong` */
export function readSchema(input: unknown, reading: SchemaReading): ReadInput {
  const { wrong } = reading;
  if (isStandardSchema(input)) {
    return {
      jsonSchema: rooted(written(input, reading), reading),
      validate: (value) => checked(input, value),
    };
  }
  if (!isRecord(input)) throw wrong(SHAPES);
  const { schema, jsonSchema } = input;
  if (isStandardSchema(schema)) {
    if (!isRecord(jsonSchema)) throw wrong('in addition to "schema", pass "jsonSchema", a JSON Schema.');
    return { jsonSchema: rooted(jsonSchema, reading), validate: (value) => checked(schema, value) };
  }
  if (Object.values(input).some(isStandardSchema)) {
    throw wrong('it is a record of schemas; wrap it in an object schema, such as z.object({ … }).');
  }
  if (!Object.keys(input).some((key) => ROOT_KEYS.has(key))) throw wrong(SHAPES);
  return { jsonSchema: rooted(input, reading) };
}

const SHAPES =
  'it must be a schema from a Standard Schema library, { schema, jsonSchema }, or a JSON Schema of an object.';

/** Every JSON Schema of an object has one of these at its root. */
const ROOT_KEYS = new Set(['type', 'properties', 'oneOf', 'anyOf', 'allOf', '$ref']);

function checked(schema: StandardSchema, value: unknown): ReturnType<NonNullable<ReadInput['validate']>> {
  return schema['~standard'].validate(value);
}

/** Asks the schema itself for its JSON Schema, so no library is loaded for it. */
function written(schema: StandardSchema, { dialect, wrong }: SchemaReading): unknown {
  const { vendor, jsonSchema } = schema['~standard'];
  try {
    if (jsonSchema !== undefined) return jsonSchema.input({ target: dialect });
  } catch (error) {
    throw wrong(`${vendor} could not convert it to JSON Schema: ${errorText(error)}`);
  }
  const remedy = 'Use a version or an adapter that does, or pass { schema, jsonSchema }.';
  throw wrong(`this schema of ${vendor} does not provide its JSON Schema (~standard.jsonSchema). ${remedy}`);
}

/** MCP requires an object at the root; a union of objects does not say so by itself. */
function rooted(jsonSchema: unknown, { wrong }: SchemaReading): JsonSchema {
  if (!isObject(jsonSchema)) throw wrong('its JSON Schema is not an object.');
  const { type = 'object' } = jsonSchema;
  if (type !== 'object')
    throw wrong(`it must describe an object, not ${JSON.stringify(type)}: the model passes named values.`);
  return { type, ...jsonSchema } satisfies WireObject;
}
