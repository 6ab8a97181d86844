import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import type { SchemaResult, StandardSchema } from '../../mcp/schema-standard.js';
import { type JsonSchema, readSchema, type ToolInput } from '../../mcp/tool-input.js';

/**
 * The schema of an answer: a schema from any library, `{ schema, jsonSchema }`, or a plain JSON Schema, as for tools.
 */
export type OutputSchema = ToolInput;

/** The type of `outcome.output` for a schema; unknown for a plain JSON Schema. */
export type OutputOf<Schema> =
  Schema extends StandardSchema<infer _In, infer Output>
    ? Output
    : Schema extends { readonly schema: StandardSchema<infer _In, infer Output> }
      ? Output
      : unknown;

/** A parsed output schema. */
export interface ReadOutputSchema {
  /** The schema for the CLI. */
  readonly jsonSchema: JsonSchema;
  /** The schema as written. */
  readonly asWritten: JsonSchema;
  /** Absent for a plain JSON Schema, which is used directly. */
  readonly validate?: (value: unknown) => SchemaResult<unknown> | Promise<SchemaResult<unknown>>;
}

/** Reads the option `outputSchema`. @throws OptionError for one that cannot be used. */
export function readOutputSchema(schema: OutputSchema): ReadOutputSchema {
  const wrong = (problem: string) => new OptionError('outputSchema', `Option "outputSchema": ${problem}`);
  const read = readSchema(schema, { dialect: 'draft-07', wrong });
  return { ...read, jsonSchema: portable(read.jsonSchema), asWritten: read.jsonSchema };
}

/**
 * Rewrites a JSON Schema for every CLI. Newer CLIs check it strictly by draft 7: a `$schema` that names another
 * draft, or a keyword that draft 7 does not have, makes them exit. Keywords of later drafts are translated if draft 7 has
 * an equivalent and left out otherwise; they still apply when the output is validated here. `format` is left out too: with
 * one that its validator does not know, some CLIs silently return no structured output at all.
 */
function portable(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(asDraft7(schema)).flatMap(([key, value]) => {
      if (PLAIN.has(key)) return [[key, value]];
      if (SCHEMAS.has(key)) return [[key, inside(value)]];
      return MAPS.has(key) && isObject(value) ? [[key, insideMap(value)]] : [];
    }),
  );
}

/** The keywords of draft 7 (and `$defs`, which its validators know) whose values are not schemas. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['$id', '$ref', '$comment', 'title', 'description', 'default', 'examples', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'contentMediaType', 'contentEncoding', 'required'],
  ...['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxProperties', 'minProperties'],
]);

/** Those whose values are schemas, or lists of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames'],
  ...['if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'not'],
]);

/** Those whose values are schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependencies',
]);

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside);
  return isObject(value) ? portable(value) : value;
}

function insideMap(map: WireObject): WireObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, inside(value)]));
}

/** Draft 2020-12 has `prefixItems` for a list in `items`, `items` for the rest, and two keywords for `dependencies`. */
function asDraft7(schema: JsonSchema): JsonSchema {
  const { prefixItems, items, dependentRequired, dependentSchemas, ...rest } = schema;
  const dependencies = {
    ...(isObject(rest.dependencies) ? rest.dependencies : {}),
    ...(isObject(dependentRequired) ? dependentRequired : {}),
    ...(isObject(dependentSchemas) ? dependentSchemas : {}),
  };
  return {
    ...rest,
    ...(Object.keys(dependencies).length === 0 ? {} : { dependencies }),
    ...(items === undefined ? {} : { [Array.isArray(prefixItems) ? 'additionalItems' : 'items']: items }),
    ...(Array.isArray(prefixItems) ? { items: prefixItems } : {}),
  };
}
