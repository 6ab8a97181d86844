import { isObject } from '../../../../wire/protocol/frames.js';

/** Why a newer CLI does not take a schema on its command line: it is checked strictly, by draft 7. */
export function jsonSchemaProblem(text: string): string | undefined {
  const problem = problemIn(parsed(text), true);
  return problem === undefined ? undefined : `Error: --json-schema is not a valid JSON Schema: ${problem}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(schema: unknown, isRoot = false): string | undefined {
  if (!isObject(schema)) return isRoot ? 'schema must be object or boolean' : undefined;
  const { $schema } = schema;
  if (typeof $schema === 'string' && !DRAFT_7.test($schema)) return `no schema with key or ref "${$schema}"`;
  for (const [key, value] of Object.entries(schema)) {
    const holds = KEYWORDS[key];
    if (holds === undefined) return `strict mode: unknown keyword: "${key}"`;
    const inner = holds === 'map' && isObject(value) ? Object.values(value) : [value].flat();
    const problem =
      holds === 'value' ? undefined : inner.map((each) => problemIn(each)).find((each) => each !== undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;

/** Every keyword that is known, with what it holds: schemas, schemas by name, or a value. */
const KEYWORDS: Readonly<Record<string, 'schemas' | 'map' | 'value'>> = {
  ...holding(
    'value',
    '$schema $id $ref $comment $anchor $vocabulary title description default examples deprecated',
  ),
  ...holding('value', 'readOnly writeOnly type enum const format contentMediaType contentEncoding required'),
  ...holding(
    'value',
    'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern',
  ),
  ...holding('value', 'maxItems minItems uniqueItems maxProperties minProperties nullable'),
  ...holding('schemas', 'items additionalItems contains additionalProperties propertyNames'),
  ...holding('schemas', 'if then else allOf anyOf oneOf not'),
  ...holding('map', 'properties patternProperties definitions $defs dependencies'),
};

function holding<What extends string>(what: What, names: string): Record<string, What> {
  return Object.fromEntries(names.split(' ').map((name) => [name, what]));
}
