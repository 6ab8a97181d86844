import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';

/** A field of a form, made from a property of a JSON Schema. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices';
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly format: string | undefined;
  readonly schema: WireObject;
}

/** The values a person has entered, by field. */
export type Filled = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The fields of a form, in the server's preferred order. */
export function fieldsOf(schema: WireObject | undefined, order: readonly string[]): readonly Field[] {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const names = [...order.filter((name) => name in properties), ...Object.keys(properties)];
  return [...new Set(names)].flatMap((name) => {
    const property = properties[name];
    return isObject(property) ? [fieldOf(name, property, required.includes(name))] : [];
  });
}

function fieldOf(name: string, schema: WireObject, required: boolean): Field {
  const items = isObject(schema.items) ? schema.items : {};
  const options = schema.type === 'array' ? optionsOf(items) : optionsOf(schema);
  return {
    name,
    label: typeof schema.title === 'string' ? schema.title : name,
    description: typeof schema.description === 'string' ? schema.description : '',
    required,
    kind: kindOf(schema, options.length > 0),
    options,
    format: typeof schema.format === 'string' ? schema.format : undefined,
    schema,
  };
}

function kindOf({ type }: WireObject, hasOptions: boolean): Field['kind'] {
  if (type === 'array') return 'choices';
  if (hasOptions) return 'choice';
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** The possible values: `enum` with or without names, or constants with titles. */
function optionsOf(schema: WireObject): Field['options'] {
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray);
  if (titled !== undefined)
    return titled.filter(isObject).map(({ const: value, title }) => ({
      value: String(value),
      label: typeof title === 'string' ? title : String(value),
    }));
  if (!Array.isArray(schema.enum)) return [];
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.map((value, index) => ({ value: String(value), label: String(names[index] ?? value) }));
}

/** A form's initial values. */
export function defaultsOf(fields: readonly Field[]): Filled {
  return Object.fromEntries(fields.map((field) => [field.name, defaultOf(field)]));
}

function defaultOf({ kind, schema }: Field): string | boolean | readonly string[] {
  if (kind === 'boolean') return schema.default === true;
  if (kind === 'choices') return Array.isArray(schema.default) ? schema.default.map(String) : [];
  return schema.default === undefined ? '' : String(schema.default);
}

/** The content to send, or the errors by field. */
export function readFilled(
  fields: readonly Field[],
  filled: Filled,
): { readonly content: WireObject; readonly problems: Readonly<Record<string, string>> } {
  const content: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const value = filledValue(field, filled[field.name]);
    const problem = problemOf(field, value);
    if (problem !== undefined) problems[field.name] = problem;
    else if (value !== undefined) content[field.name] = value;
  }
  return { content, problems };
}

function filledValue({ kind, required, schema }: Field, given: Filled[string] | undefined): unknown {
  if (kind === 'boolean') return given === true;
  if (kind === 'choices') return Array.isArray(given) && (given.length > 0 || required) ? given : undefined;
  const text = typeof given === 'string' ? given : '';
  if (text === '') return undefined;
  return kind === 'number' || schema.type === 'number' || schema.type === 'integer' ? Number(text) : text;
}

function problemOf(field: Field, value: unknown): string | undefined {
  if (value === undefined) return field.required ? 'Required.' : undefined;
  if (typeof value === 'number') return numberProblem(field.schema, value);
  if (typeof value === 'string') return textProblem(field, value);
  return Array.isArray(value) ? listProblem(field.schema, value) : undefined;
}

function numberProblem({ type, minimum, maximum }: WireObject, value: number): string | undefined {
  if (Number.isNaN(value)) return 'This must be a number.';
  if (type === 'integer' && !Number.isInteger(value)) return 'This must be a whole number.';
  if (typeof minimum === 'number' && value < minimum) return `At least ${minimum}.`;
  if (typeof maximum === 'number' && value > maximum) return `At most ${maximum}.`;
  return undefined;
}

function textProblem({ schema: { minLength, maxLength }, format }: Field, value: string): string | undefined {
  if (typeof minLength === 'number' && value.length < minLength) return `At least ${minLength} characters.`;
  if (typeof maxLength === 'number' && value.length > maxLength) return `At most ${maxLength} characters.`;
  if (format === 'email' && !/^\S+@\S+$/.test(value)) return 'This must be an e-mail address.';
  if (format === 'uri' && !URL.canParse(value))
    return 'This must be a full URL, such as https://example.org.';
  return undefined;
}

function listProblem({ minItems, maxItems }: WireObject, { length }: readonly unknown[]): string | undefined {
  if (typeof minItems === 'number' && length < minItems) return `Choose at least ${minItems}.`;
  if (typeof maxItems === 'number' && length > maxItems) return `Choose at most ${maxItems}.`;
  return undefined;
}
