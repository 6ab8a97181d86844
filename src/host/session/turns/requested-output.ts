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

/** An output schema, read. */
export interface ReadOutputSchema {
  /** What is passed to the CLI. */
  readonly jsonSchema: JsonSchema;
  /** The same as it was written. */
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
 * A JSON Schema in words that every CLI takes. The newer ones check it strictly by draft 7: a `$schema` that names another
 * draft, or a keyword that draft 7 does not have, ends them. What later drafts spell otherwise is spelt as there; what
 * they have alone is left out, and still counts when the output is checked here. So is `format`: with one that its
 * checker does not know, some CLIs give no structured output at all, and say nothing.
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

/** The keywords of draft 7 (and `$defs`, which its checkers know) whose values are no schemas. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['$id', '$ref', '$comment', 'title', 'description', 'default', 'examples', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'contentMediaType', 'contentEncoding', 'required'],
  ...['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxProperties', 'minProperties'],
]);

/** Those whose values are schemas, or lists of them. */
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

/** Draft 2020-12 has `prefixItems` for what was a list in `items`, `items` for the rest, and two words for `dependencies`. */
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
