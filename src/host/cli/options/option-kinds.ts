import {
  isRecord,
  kind,
  kinds,
  type OptionFault,
  type OptionKind,
  oneOf,
  shapeOf,
} from '../../../wire/util/option-checks.js';

/** Variables: names without `=`, values without NUL, which the system would refuse without naming the variable. */
export const environmentKind: OptionKind = kind(
  'a plain object of variables, each a string or undefined',
  (value) => isRecord(value) && variableFault(value) === undefined,
  (value) => (isRecord(value) ? variableFault(value) : undefined),
);

const time = kind('a number, 0 or more', (value) => typeof value === 'number' && value >= 0);

/** Deadlines in milliseconds; Infinity is allowed. */
export const timesKind: OptionKind = shapeOf(
  { eofMs: time, termMs: time, killMs: time },
  { expected: '{ eofMs?, termMs?, killMs? }, each a number, 0 or more' },
);

/** A spawner. */
export const spawnerKind: OptionKind = shapeOf(
  { name: kinds.text, hasOwnPrograms: kinds.flag, hasOwnFolders: kinds.flag, prepare: kinds.callback },
  {
    required: ['name', 'hasOwnPrograms', 'hasOwnFolders', 'prepare'],
    hasOthers: true,
    expected: 'a spawner, such as bubblewrap() of coxswain/spawners',
  },
);

/** A local plugin. */
export const pluginKind: OptionKind = shapeOf(
  { type: oneOf('local'), path: kinds.text, skipMcpDiscovery: kinds.flag },
  { required: ['type', 'path'], expected: '{ type: "local", path, skipMcpDiscovery? }' },
);

/** A token budget. */
export const taskBudgetKind: OptionKind = shapeOf(
  { total: kinds.positiveCount },
  { required: ['total'], expected: '{ total: a whole number above 0 }' },
);

/** The preset for all tools. */
export const toolsPresetKind: OptionKind = shapeOf(
  { type: oneOf('preset'), preset: kinds.text },
  { required: ['type', 'preset'], expected: '{ type: "preset", preset: "claude_code" }' },
);

/** A thinking setting. */
export const thinkingKind: OptionKind = shapeOf(
  {
    type: oneOf('adaptive', 'enabled', 'disabled'),
    budgetTokens: kinds.positiveCount,
    display: oneOf('summarized', 'omitted', 'highlights'),
  },
  {
    required: ['type'],
    expected: '{ type: "adaptive" | "enabled" | "disabled", budgetTokens?, display? }',
  },
);

/** Settings of built-in tools. */
export const toolConfigKind: OptionKind = shapeOf(
  { askUserQuestion: shapeOf({ previewFormat: kinds.text }, { expected: '{ previewFormat?: string }' }) },
  { expected: '{ askUserQuestion?: { previewFormat?: string } }' },
);

/** The first variable that the system would refuse; its value is never shown. */
function variableFault(variables: Readonly<Record<string, unknown>>): OptionFault | undefined {
  for (const [name, text] of Object.entries(variables)) {
    const path = `.${name}`;
    if (name === '' || /[=\0]/.test(name)) return { path, problem: 'this is not a valid variable name' };
    if (text === undefined) continue;
    if (typeof text !== 'string') return { path, problem: `must be a string, not ${String(text)}` };
    if (text.includes('\0')) return { path, problem: 'must not contain a NUL character' };
  }
  return undefined;
}
