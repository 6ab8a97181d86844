import { findHookEvent } from '../../wire/protocol/catalog/catalog.js';
import {
  checkOptions,
  either,
  isRecord,
  kind,
  kinds,
  listOf,
  type OptionRule,
  type OptionSpec,
  oneOf,
  recordOf,
  shapeOf,
} from '../../wire/util/option-checks.js';
import { cliOptionSpecs } from '../cli/options/cli-option-table.js';
import { cliOptionRules } from '../cli/options/option-rules.js';
import { mcpServerKind } from '../mcp/server-option.js';
import type { InitializeOptions } from './opening/initialize.js';
import { promptRules } from './prompts/prompt-rules.js';
import type { OwnOptions, SessionOptions } from './session-options.js';

/** Whether a value could be a transport. */
const transportKind = kind(
  'a transport or a function that makes one',
  (value) =>
    typeof value === 'function' ||
    (typeof value === 'object' && value !== null && 'send' in value && 'ended' in value),
);

/** Whether a value says where to record. */
const recordKind = kind(
  'a path, a writer with `write`, or an object with `to`',
  (value) =>
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'object' && value !== null && ('to' in value || 'write' in value)),
);

/** Milliseconds, or Infinity for no limit. */
const durationKind = kind(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0,
);

const hookMatcherKind = shapeOf({
  matcher: kinds.anyText,
  run: kinds.callback,
  timeoutSeconds: kinds.positiveNumber,
  onFailure: oneOf('continue', 'block'),
});

const hooksKind = kind(
  `a plain object that gives hook events lists, each item ${hookMatcherKind.expected}`,
  (value) => isRecord(value) && Object.entries(value).every(([event, matchers]) => areHooks(event, matchers)),
);

function areHooks(event: string, matchers: unknown): boolean {
  if (findHookEvent(event) === undefined) return false;
  if (matchers === undefined) return true;
  return (
    Array.isArray(matchers) &&
    matchers.every(
      (matcher) => hookMatcherKind.accepts(matcher) && isRecord(matcher) && matcher.run !== undefined,
    )
  );
}

const waitKind = either(
  listOf(kinds.text),
  kind(
    '{ names, timeoutMs? }',
    (value) =>
      isRecord(value) &&
      listOf(kinds.text).accepts(value.names) &&
      (value.timeoutMs === undefined || durationKind.accepts(value.timeoutMs)),
  ),
);

const agentKind = kind(
  'an object with description and prompt',
  (value) => isRecord(value) && typeof value.description === 'string' && typeof value.prompt === 'string',
);

/** The options that travel in `initialize`. */
export const initializeOptionSpecs: Readonly<Record<keyof InitializeOptions, OptionSpec>> = {
  systemPrompt: {
    kind: either(kinds.anyText, listOf(kinds.anyText)),
    sentence: "Replaces the CLI's own system prompt; left out, that one stays; an empty string removes it.",
  },
  appendSystemPrompt: { kind: kinds.text, sentence: 'Is added to the system prompt.' },
  agents: { kind: recordOf(agentKind), sentence: 'Subagents that the session brings along, by name.' },
  title: { kind: kinds.text, sentence: "The conversation's title." },
  skills: cliOptionSpecs.skills,
  planModeInstructions: { kind: kinds.text, sentence: 'What the model is told in plan mode.' },
  toolAliases: { kind: recordOf(kinds.text), sentence: 'Other names for tools.' },
  excludeDynamicSections: {
    kind: kinds.flag,
    sentence: 'Leaves the changing parts out of the system prompt.',
  },
  promptSuggestions: {
    kind: kinds.flag,
    sentence: 'Asks for a suggestion of the next prompt after each turn.',
  },
  agentProgressSummaries: { kind: kinds.flag, sentence: 'Asks for summaries of what subagents do.' },
  forwardSubagentText: { kind: kinds.flag, sentence: 'Passes on the text that subagents write.' },
  supportedDialogKinds: { kind: listOf(kinds.text), sentence: 'The dialogs that this host can show.' },
  perTaskStopAffordance: { kind: kinds.flag, sentence: 'Says that this host lets people stop single tasks.' },
};

/** The options of the session itself. */
const ownOptionSpecs: Readonly<Record<keyof OwnOptions, OptionSpec>> = {
  transport: { kind: transportKind, sentence: 'Uses this transport instead of starting a CLI.' },
  record: { kind: recordKind, sentence: 'Writes everything that passes to a file, secrets taken out.' },
  onPermission: { kind: kinds.callback, sentence: 'Decides about tool calls; without it they are denied.' },
  onQuestion: { kind: kinds.callback, sentence: "Answers the model's questions to a person." },
  onPlan: {
    kind: kinds.callback,
    sentence: "Approves the model's plans; without it they go to onPermission.",
  },
  onElicitation: {
    kind: kinds.callback,
    sentence: 'Answers what MCP servers ask; old CLIs do not pass it on.',
  },
  onDialog: { kind: kinds.callback, sentence: 'Shows the dialogs that supportedDialogKinds names.' },
  prompts: {
    kind: oneOf('callbacks', 'manual'),
    sentence:
      'Whether a prompt without a callback is refused at once or stays open, to be answered by its id.',
  },
  promptTimeouts: {
    kind: shapeOf({
      permission: durationKind,
      question: durationKind,
      plan: durationKind,
      elicitation: durationKind,
      dialog: durationKind,
    }),
    sentence: 'How long a prompt of each kind may stay open. Default: no limit.',
  },
  rules: {
    kind: shapeOf({ allow: listOf(kinds.text), ask: listOf(kinds.text), deny: listOf(kinds.text) }),
    sentence: "Lists allow, ask and deny of tool rules, applied by the CLI's own rule engine.",
  },
  patched: {
    kind: either(kinds.flag, recordOf(kinds.text)),
    sentence:
      'Starts a patched copy of a JavaScript CLI, which serves more endpoints; { folder } adds patches of your own.',
  },
  hooks: { kind: hooksKind, sentence: 'Functions that run when something happens in the CLI, by event.' },
  mcpServers: {
    kind: recordOf(mcpServerKind),
    sentence: 'MCP servers by name: configurations as in an `.mcp.json` file, and servers of this process.',
  },
  serversAtLaunch: {
    kind: kinds.flag,
    sentence:
      'Whether MCP servers with a command go on the command line of an old CLI: true keeps their resources and prompts, false lets them be switched. Default: what costs least.',
  },
  waitForServers: {
    kind: waitKind,
    sentence: 'Holds the first message until these servers are connected. Default: 30 s.',
  },
  mcpSetupMs: {
    kind: durationKind,
    sentence: 'How long an in-process server may take to be connected and to answer. Default: 20 s.',
  },
  handlers: {
    kind: recordOf(kinds.callback),
    sentence: 'Handlers of CLI requests by subtype, before our own.',
  },
  handshakeMs: {
    kind: durationKind,
    sentence: 'How long the CLI may take to answer initialize. Default: 60 s.',
  },
  deadlineMs: { kind: durationKind, sentence: 'How long a control request may take. Default: 30 s.' },
  stallMs: { kind: durationKind, sentence: 'After how much unexplained quiet a turn counts as stalled.' },
  budgetUsd: {
    kind: kinds.positiveNumber,
    sentence: 'Nothing more is sent once the session has cost this much.',
  },
  reopen: {
    kind: oneOf('manual', 'auto'),
    sentence: 'Whether a message to an ended session opens it again.',
  },
  onMissing: {
    kind: oneOf('fail', 'fresh'),
    sentence: 'What to do when the session to resume does not exist.',
  },
  buffer: {
    kind: shapeOf({
      messages: kinds.positiveCount,
      characters: kinds.positiveCount,
      hardCharacters: kinds.positiveCount,
    }),
    sentence: 'How much may wait for readers.',
  },
  signal: {
    kind: kind('an AbortSignal', (value) => value instanceof AbortSignal),
    sentence: 'Ends the session when aborted.',
  },
  onMessage: { kind: kinds.callback, sentence: 'Sees every message, also those of no turn.' },
  onStateChange: { kind: kinds.callback, sentence: 'Hears of every change of state.' },
};

/** Every option that `openSession` takes, with what it must be and what it does. */
export const sessionOptionSpecs: Readonly<Record<keyof SessionOptions, OptionSpec>> = {
  ...cliOptionSpecs,
  ...initializeOptionSpecs,
  ...ownOptionSpecs,
};

const sessionOptionRules: readonly OptionRule<SessionOptions>[] = [
  ...cliOptionRules,
  {
    option: 'transport',
    problem: ({ transport, reopen }) =>
      transport !== undefined && typeof transport !== 'function' && reopen === 'auto'
        ? 'with "reopen" it must be a function, so that a new one can be made each time.'
        : undefined,
  },
  {
    option: 'patched',
    problem: ({ patched, transport }) =>
      patched !== undefined && patched !== false && transport !== undefined
        ? 'with "transport" no CLI is started that could be patched.'
        : undefined,
  },
  ...promptRules,
  {
    option: 'rules',
    problem: ({ rules, settings }) =>
      rules !== undefined && typeof settings === 'string'
        ? 'they cannot be merged into "settings" given as a path: give the settings as an object.'
        : undefined,
  },
  {
    option: 'onMissing',
    problem: ({ onMissing, resume, reopen }) =>
      onMissing === 'fresh' && resume === undefined && reopen === undefined
        ? 'it needs "resume" or "reopen": nothing is resumed otherwise.'
        : undefined,
  },
];

/** Checks everything before anything is started. @throws OptionError naming the option. */
export function checkSessionOptions(options: SessionOptions): void {
  checkOptions(sessionOptionSpecs, options, sessionOptionRules);
}
