import { isRecord, kind, kinds, type OptionKind } from '../../../wire/util/option-checks.js';

/** Variables: names without `=`, values without NUL, which the system would refuse with no name in its error. */
export const environmentKind: OptionKind = kind(
  'a plain object of variables, each a string or undefined',
  (value) => isRecord(value) && Object.entries(value).every(([name, text]) => isVariable(name, text)),
);

/** Deadlines in milliseconds; Infinity is allowed. */
export const timesKind: OptionKind = shape('{ eofMs?, termMs?, killMs? }, each a number, 0 or more', {
  optional: { eofMs: isTime, termMs: isTime, killMs: isTime },
});

/** A local plugin. */
export const pluginKind: OptionKind = shape('{ type: "local", path, skipMcpDiscovery? }', {
  required: { type: (value) => value === 'local', path: kinds.text.accepts },
  optional: { skipMcpDiscovery: kinds.flag.accepts },
});

/** An answer format by JSON schema. */
export const schemaFormatKind: OptionKind = shape('{ type: "json_schema", schema: object }', {
  required: { type: (value) => value === 'json_schema', schema: isRecord },
});

/** A token budget. */
export const taskBudgetKind: OptionKind = shape('{ total: a whole number above 0 }', {
  required: { total: kinds.positiveCount.accepts },
});

/** The preset that stands for all tools. */
export const toolsPresetKind: OptionKind = shape('{ type: "preset", preset: "claude_code" }', {
  required: { type: (value) => value === 'preset', preset: kinds.text.accepts },
});

/** A way of thinking. */
export const thinkingKind: OptionKind = shape(
  '{ type: "adaptive" | "enabled" | "disabled", budgetTokens?, display? }',
  {
    required: { type: (value) => value === 'adaptive' || value === 'enabled' || value === 'disabled' },
    optional: {
      budgetTokens: kinds.positiveCount.accepts,
      display: (value) => value === 'summarized' || value === 'omitted' || value === 'highlights',
    },
  },
);

/** The behaviour of built-in tools. */
export const toolConfigKind: OptionKind = shape('{ askUserQuestion?: { previewFormat?: string } }', {
  optional: {
    askUserQuestion: shape('', { optional: { previewFormat: kinds.text.accepts } }).accepts,
  },
});

type Check = (value: unknown) => boolean;

interface Shape {
  readonly required?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

/** A plain object with these keys and no others. */
function shape(expected: string, { required = {}, optional = {} }: Shape): OptionKind {
  return kind(expected, (value) => {
    if (!isRecord(value)) return false;
    const given = Object.entries(value).filter(([, each]) => each !== undefined);
    const known = { ...required, ...optional };
    const fits = given.every(([name, each]) => Object.hasOwn(known, name) && known[name]?.(each));
    return fits && Object.keys(required).every((name) => value[name] !== undefined);
  });
}

function isVariable(name: string, text: unknown): boolean {
  if (name === '' || /[=\0]/.test(name)) return false;
  return text === undefined || (typeof text === 'string' && !text.includes('\0'));
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
