import type { WireObject } from '../../../src/wire/protocol/frames.js';

/** The parameters of a tool call as texts: as they are, or as JSON where they are none. */
export type TextFields = Readonly<Record<string, string>>;

/** Makes texts of an input. */
export function textFields(input: WireObject): TextFields {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    ]),
  );
}

/** Makes an input of texts; `value` is undefined while one of them is not JSON where it should be. */
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
