import { cliRequests, hookEvents } from '../../wire/protocol/catalog/catalog.js';
import {
  checkOptions,
  either,
  kind,
  kinds,
  listOf,
  type OptionKind,
  type OptionRule,
  type OptionSpec,
  oneOf,
  recordOf,
  shapeOf,
} from '../../wire/util/option-checks.js';
import { recordProblem } from '../../wire/util/record-problem.js';
import { cliOptionSpecs } from '../cli/options/cli-option-table.js';
import { permissionModes } from '../cli/options/cli-options.js';
import { cliOptionRules } from '../cli/options/option-rules.js';
import { mcpServerKind } from '../mcp/server-option.js';
import type { AgentDefinition, InitializeOptions } from './opening/initialize.js';
import { promptRules } from './prompts/prompt-rules.js';
import type { OwnOptions, SessionOptions } from './session-options.js';
import { transportRules } from './transport-rules.js';

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

const hookMatcherKind = shapeOf(
  {
    matcher: kinds.anyText,
    run: kinds.callback,
    timeoutMs: kinds.positiveNumber,
    onFailure: oneOf('continue', 'block'),
  },
  {
    required: ['run'],
    foreign: {
      hooks: 'this is the official SDK’s shape; here each function is an item of its own: { matcher, run }',
      timeout: 'it is timeoutMs here, in milliseconds',
      timeoutSeconds: 'it is timeoutMs here, in milliseconds',
    },
  },
);

const hooksKind = shapeOf(
  Object.fromEntries(Object.keys(hookEvents).map((event) => [event, listOf(hookMatcherKind)])),
  {
    keyword: 'event',
    expected: `a plain object that gives hook events lists, each item ${hookMatcherKind.expected}`,
  },
);

const handlersKind = shapeOf(
  Object.fromEntries(Object.keys(cliRequests).map((name) => [name, kinds.callback])),
  {
    keyword: 'request of the CLI (for one that Coxswain does not know use otherHandlers)',
    expected: 'a plain object that gives requests of the CLI functions',
  },
);

/** Whether a value could be a schema; whether it can be used is found when it is read. */
const outputSchemaKind = kind(
  'a schema: of a library that keeps to Standard Schema, { schema, jsonSchema }, or a JSON Schema',
  (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
);

const waitKind = either(
  listOf(kinds.text),
  shapeOf(
    { names: listOf(kinds.text), timeoutMs: durationKind },
    { required: ['names'], expected: '{ names, timeoutMs? }' },
  ),
);

const agentKind = shapeOf(
  {
    description: kinds.anyText,
    prompt: kinds.anyText,
    tools: listOf(kinds.text),
    disallowedTools: listOf(kinds.text),
    model: kinds.text,
    mcpServers: listOf(either(kinds.text, kinds.record)),
    skills: listOf(kinds.text),
    initialPrompt: kinds.anyText,
    maxTurns: kinds.positiveCount,
    autoCompactWindow: kinds.positiveCount,
    background: kinds.flag,
    omitClaudeMd: kinds.flag,
    memory: oneOf('user', 'project', 'local'),
    effort: either(kinds.text, kinds.positiveNumber),
    permissionMode: oneOf(...permissionModes),
    criticalSystemReminder_EXPERIMENTAL: kinds.anyText,
  } satisfies Record<keyof AgentDefinition, OptionKind>,
  { required: ['description', 'prompt'], expected: 'an object with description and prompt' },
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
  outputSchema: {
    kind: outputSchemaKind,
    sentence:
      'What the answer must fit; `outcome.output` then has the value, typed. A schema (zod, valibot, arktype …), `{ schema, jsonSchema }`, or a JSON Schema of an object.',
  },
  transport: {
    kind: transportKind,
    sentence:
      'Uses this transport instead of starting a CLI. A function is called anew for each reopening, and told how the CLI is wanted.',
  },
  record: {
    kind: recordKind,
    sentence:
      'Writes everything that passes to a file or a writer, secrets taken out unless `redact` is false. Each further start of the CLI has a file of its own: `session.trace`, `session-2.trace` …',
  },
  onPermission: { kind: kinds.callback, sentence: 'Decides about tool calls; without it they are denied.' },
  onQuestion: { kind: kinds.callback, sentence: "Answers the model's questions to a person." },
  onPlan: {
    kind: kinds.callback,
    sentence: "Approves the model's plans; without it they go to `onPermission`.",
  },
  onElicitation: {
    kind: kinds.callback,
    sentence: 'Answers what MCP servers ask; old CLIs do not pass it on.',
  },
  onDialog: { kind: kinds.callback, sentence: 'Shows the dialogs that `supportedDialogKinds` names.' },
  prompts: {
    kind: oneOf('callbacks', 'manual'),
    sentence:
      'Whether a prompt without a callback is refused at once (`callbacks`, the default) or stays open, to be answered by its id (`manual`).',
  },
  promptTimeoutsMs: {
    kind: shapeOf({
      permission: durationKind,
      question: durationKind,
      plan: durationKind,
      elicitation: durationKind,
      dialog: durationKind,
    }),
    sentence: 'How long a prompt of each kind may stay open, in milliseconds. Default: no limit.',
  },
  rules: {
    kind: shapeOf({ allow: listOf(kinds.text), ask: listOf(kinds.text), deny: listOf(kinds.text) }),
    sentence: "Lists allow, ask and deny of tool rules, applied by the CLI's own rule engine.",
  },
  patched: {
    kind: either(kinds.flag, oneOf('try'), recordOf(kinds.text)),
    sentence:
      "Starts a patched copy of a JavaScript CLI, which serves more endpoints; `{ folder }` adds patches of your own, 'try' starts the CLI as it is where none fits.",
  },
  hooks: { kind: hooksKind, sentence: 'Functions that run when something happens in the CLI, by event.' },
  mcpServers: {
    kind: recordOf(mcpServerKind),
    sentence:
      'MCP servers by name: configurations as in an `.mcp.json` file, and servers that run in this process.',
  },
  serversAtLaunch: {
    kind: kinds.flag,
    sentence:
      'Whether servers with a command go on the command line of a CLI that can switch them only if they were set after the handshake: true keeps their resources and prompts, false lets them be switched. Default: what costs least.',
  },
  waitForServers: {
    kind: waitKind,
    sentence:
      'Holds the first message until these servers are connected, for 30 s by default; then the open fails.',
  },
  mcpSetupMs: {
    kind: durationKind,
    sentence:
      'How long an in-process server may take to be connected, and for every answer but that of a tool, in milliseconds. Default: 20 s.',
  },
  handlers: {
    kind: handlersKind,
    sentence: "Handlers of CLI requests by name; they come before the session's own.",
  },
  otherHandlers: {
    kind: recordOf(kinds.callback),
    sentence: 'Handlers of CLI requests that Coxswain does not know, by subtype.',
  },
  handshakeMs: {
    kind: durationKind,
    sentence:
      'How long the CLI may take to answer `initialize`, in milliseconds. Default: `CLAUDE_CODE_STREAM_CLOSE_TIMEOUT` where that is set, else 60 s.',
  },
  deadlineMs: {
    kind: durationKind,
    sentence: 'How long a control request may take, in milliseconds. Default: 30 s.',
  },
  stallMs: {
    kind: durationKind,
    sentence: 'After how much unexplained quiet a turn counts as stalled, in milliseconds. Default: never.',
  },
  reopen: {
    kind: oneOf('manual', 'auto'),
    sentence:
      'Whether a message to an ended session opens it again. Default: `manual`, only `reopen()` does.',
  },
  stopOnAuthFailure: {
    kind: kinds.flag,
    sentence:
      'Ends a turn at once, as `auth`, when the API refuses the credentials, instead of letting the CLI try again for minutes. Default: false. Needs a CLI that tells of its tries.',
  },
  onMissing: {
    kind: oneOf('fail', 'fresh'),
    sentence:
      'What to do when the session to resume does not exist: fail (the default), or begin a fresh one.',
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
  ...transportRules,
  { option: 'record', problem: ({ record }) => recordProblem(record) },
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
  checkOptions(sessionOptionSpecs, options, sessionOptionRules, OFFICIAL_NAMES);
}

/** Names of the official SDK whose meaning has another name here; `coxswain/compat` takes them as they are. */
const OFFICIAL_NAMES: Readonly<Record<string, string>> = {
  abortController: 'pass its signal as "signal".',
  canUseTool: 'it is "onPermission" here, which answers with prompt.allow() or prompt.deny().',
  pathToClaudeCodeExecutable: 'it is "cli" here.',
  permissionPromptToolName: 'it is "permissionPromptTool" here.',
  stderr: 'it is "onStderr" here.',
  onUserDialog: 'it is "onDialog" here.',
  spawnClaudeCodeProcess: 'give a "transport", for example streamTransport() of coxswain/transport.',
  sessionStore: 'only coxswain/compat has session stores.',
  outputFormat: 'it is "outputSchema" here, the schema itself.',
  customSystemPrompt: 'it is "systemPrompt" here.',
};
