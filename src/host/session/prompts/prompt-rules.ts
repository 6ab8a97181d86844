import type { OptionRule } from '../../../wire/util/option-checks.js';
import type { SessionOptions } from '../session-options.js';

/** The callbacks whose prompts arrive as `can_use_tool`, with the tool that belongs to each. */
const TOOL_CALLBACKS = [
  { option: 'onPermission', tool: undefined },
  { option: 'onQuestion', tool: 'AskUserQuestion' },
  { option: 'onPlan', tool: 'ExitPlanMode' },
] as const;

/** Options with which no prompt could ever reach a callback. Options that hide only some are reported, not refused. */
export const promptRules: readonly OptionRule<SessionOptions>[] = [
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
