import type { WireObject } from '../../../src/wire/protocol/frames.js';

/** A tool call's parameters as texts: strings unchanged, anything else as JSON. */
export type TextFields = Readonly<Record<string, string>>;

/** Converts an input to texts. */
export function textFields(input: WireObject): TextFields {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    ]),
  );
}

/** Converts texts to an input; `value` is undefined while one of them is invalid JSON. */
export function readEdited(
  input: WireObject,
  fields: TextFields,
): { readonly value: WireObject | undefined; readonly problems: Readonly<Record<string, string>> } {
  const problems: Record<string, string> = {};
  const value: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(fields)) {
    if (typeof input[name] === 'string') {
      value[name] = text;
      continue;
    }
    try {
      value[name] = JSON.parse(text);
    } catch (error) {
      problems[name] = `Not JSON: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return { value: Object.keys(problems).length === 0 ? value : undefined, problems };
}
