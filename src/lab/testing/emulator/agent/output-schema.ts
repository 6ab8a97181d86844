import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Traits } from '../versions/traits.js';

/**
 * Why a CLI cannot use a schema for its output: it validates schemas against draft 7, and how strictly
 * depends on the version.
 */
export function unusableReason(schema: unknown, traits: Traits): string | undefined {
  if (!isObject(schema)) return 'schema must be object or boolean';
  const { $schema } = schema;
  // At deeper levels it is an ordinary keyword.
  if (typeof $schema === 'string' && !DRAFT_7.test($schema)) return `no schema with key or ref "${$schema}"`;
  return problemIn(schema, traits);
}

/** The schema if the CLI can use it. Otherwise it is silently ignored, unless it came from the flag. */
export function usableSchema(schema: unknown, traits: Traits): WireObject | undefined {
  return isObject(schema) && unusableReason(schema, traits) === undefined ? schema : undefined;
}

function problemIn(schema: unknown, traits: Traits): string | undefined {
  if (!isObject(schema)) return undefined;
  for (const [key, value] of Object.entries(schema)) {
    const problem = keywordProblem(key, value, traits);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function keywordProblem(key: string, value: unknown, traits: Traits): string | undefined {
  const holds = KEYWORDS[key];
  if (holds === undefined)
    return traits.takesOtherKeywords ? undefined : `strict mode: unknown keyword: "${key}"`;
  if (key === 'type' && ![value].flat().every((each) => TYPES.has(each)))
    return 'data/type must be equal to one of the allowed values';
  if (key === 'format' && !takesFormat(value, traits)) return `unknown format "${value}" ignored in schema`;
  if (holds === 'value') return undefined;
  const inner = holds === 'map' && isObject(value) ? Object.values(value) : [value].flat();
  return inner.map((each) => problemIn(each, traits)).find((each) => each !== undefined);
}

function takesFormat(format: unknown, traits: Traits): boolean {
  return traits.takesAnyFormat || (traits.takesFormats && FORMATS.has(format));
}

const DRAFT_7 = /^http:\/\/json-schema\.org\/draft-07\/schema#?$/;

const TYPES: ReadonlySet<unknown> = new Set('array boolean integer null number object string'.split(' '));

/** The formats defined by draft 7. */
const FORMATS: ReadonlySet<unknown> = new Set([
  ...'date time date-time email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri'.split(' '),
  ...'iri-reference uri-template json-pointer relative-json-pointer regex'.split(' '),
]);

/** Every known keyword, with its content: schemas, schemas by name, or a value. */
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
