import type { OptionRule } from '../../wire/util/option-checks.js';
import { recordProblem } from '../../wire/util/record-problem.js';
import { launchOptionSpecs } from '../cli/options/cli-option-table.js';
import { cliOptionRules } from '../cli/options/option-rules.js';
import { optionsOf } from '../cli/options/passing.js';
import type { SessionOptions } from './session-options.js';

/** The callbacks whose prompts arrive as `can_use_tool`, with the tool that belongs to each. */
const TOOL_CALLBACKS = [
  { option: 'onPermission', tool: undefined },
  { option: 'onQuestion', tool: 'AskUserQuestion' },
  { option: 'onPlan', tool: 'ExitPlanMode' },
] as const;

/** Options with which no prompt could ever reach a callback. Options that hide only some are reported, not refused. */
const promptRules: readonly OptionRule<SessionOptions>[] = [
  ...TOOL_CALLBACKS.map(({ option, tool }) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] === undefined ? undefined : (noPromptsHere(options) ?? noSuchTool(tool, options)),
  })),
  {
    option: 'prompts',
    problem: (options) => (options.prompts === 'manual' ? noPromptsHere(options) : undefined),
  },
  {
    option: 'onDialog',
    problem: ({ onDialog, supportedDialogKinds = [] }) =>
      onDialog !== undefined && supportedDialogKinds.length === 0
        ? 'it would never be called: list the dialogs it can show in "supportedDialogKinds".'
        : undefined,
  },
];

function noPromptsHere({ permissionPromptTool, permissionPrompts }: SessionOptions): string | undefined {
  if (permissionPrompts === 'none') return 'it would never be called: "permissionPrompts" is "none".';
  return permissionPromptTool === undefined || permissionPromptTool === 'stdio'
    ? undefined
    : `it would never be called: "permissionPromptTool" sends the prompts to "${permissionPromptTool}".`;
}

function noSuchTool(
  tool: string | undefined,
  { tools, disallowedTools = [], rules }: SessionOptions,
): string | undefined {
  if (tool === undefined) return undefined;
  const left = isList(tools) && !tools.includes(tool);
  return left || disallowedTools.includes(tool) || rules?.deny?.includes(tool)
    ? `it would never be called: the tool ${tool} is not allowed.`
    : undefined;
}

function isList(tools: SessionOptions['tools']): tools is readonly string[] {
  return Array.isArray(tools);
}

/** With a custom transport, options that could not take effect are refused by name. */
const transportRules: readonly OptionRule<SessionOptions>[] = [
  ...optionsOf(launchOptionSpecs, 'actsOn', 'process').map((option) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] !== undefined && options.transport !== undefined
        ? 'with "transport" the session starts no process, so it would have no effect.'
        : undefined,
  })),
  ...optionsOf(launchOptionSpecs, 'actsOn', 'launch').map((option) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] !== undefined && isMade(options)
        ? 'it has no effect on an existing "transport": pass a function, which receives the launch options.'
        : undefined,
  })),
  {
    option: 'transport',
    problem: (options) =>
      isMade(options) && options.reopen === 'auto'
        ? 'with "reopen" it must be a function, so that each start can create a new one.'
        : undefined,
  },
  {
    option: 'patched',
    problem: ({ patched, transport }) =>
      patched !== undefined && patched !== false && transport !== undefined
        ? 'with "transport" no CLI is started, so there is nothing to patch.'
        : undefined,
  },
];

function isMade({ transport }: SessionOptions): boolean {
  return transport !== undefined && typeof transport !== 'function';
}

/** Combinations of options that a session refuses. */
export const sessionOptionRules: readonly OptionRule<SessionOptions>[] = [
  ...cliOptionRules,
  ...transportRules,
  { option: 'record', problem: ({ record }) => recordProblem(record) },
  ...promptRules,
  {
    option: 'rules',
    problem: ({ rules, settings }) =>
      rules !== undefined && typeof settings === 'string'
        ? 'rules cannot be merged into "settings" given as a path: pass the settings as an object.'
        : undefined,
  },
  {
    option: 'onMissing',
    problem: ({ onMissing, resume, reopen }) =>
      onMissing === 'fresh' && resume === undefined && reopen === undefined
        ? 'it needs "resume" or "reopen", because otherwise nothing is resumed.'
        : undefined,
  },
];
