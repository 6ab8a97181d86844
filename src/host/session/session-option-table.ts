import { cliRequests, hookEvents } from '../../wire/protocol/catalog/catalog.js';
import {
  checkOptions,
  either,
  kind,
  kinds,
  listOf,
  type OptionSpec,
  oneOf,
  recordOf,
  shapeOf,
} from '../../wire/util/option-checks.js';
import { cliOptionSpecs } from '../cli/options/cli-option-table.js';
import { initializeOptionSpecs } from '../cli/options/initialize-options.js';
import { mcpServerKind } from '../mcp/server-option.js';
import { sessionOptionRules } from './session-option-rules.js';
import type { OwnOptions, SessionOptions } from './session-options.js';

/** Whether a value could be a transport. */
const transportKind = kind(
  'a transport or a function that makes one',
  (value) =>
    typeof value === 'function' ||
    (typeof value === 'object' && value !== null && 'send' in value && 'ended' in value),
);

/** Whether a value is a recording target. */
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
      hooks: 'this is the official SDK’s shape; here each function is a separate item: { matcher, run }',
      timeout: 'it is timeoutMs here, in milliseconds',
      timeoutSeconds: 'it is timeoutMs here, in milliseconds',
    },
  },
);

const hooksKind = shapeOf(
  Object.fromEntries(Object.keys(hookEvents).map((event) => [event, listOf(hookMatcherKind)])),
  {
    keyword: 'event',
    expected: `a plain object of lists by hook event, each item ${hookMatcherKind.expected}`,
  },
);

const handlersKind = shapeOf(
  Object.fromEntries(Object.keys(cliRequests).map((name) => [name, kinds.callback])),
  {
    keyword: 'request of the CLI (for one that Coxswain does not know use otherHandlers)',
    expected: 'a plain object of functions by CLI request',
  },
);

/** Whether a value could be a schema; whether it is usable is found when it is read. */
const outputSchemaKind = kind(
  'a schema from a Standard Schema library, { schema, jsonSchema }, or a JSON Schema',
  (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
);

const waitKind = either(
  listOf(kinds.text),
  shapeOf(
    { names: listOf(kinds.text), timeoutMs: durationKind },
    { required: ['names'], expected: '{ names, timeoutMs? }' },
  ),
);

/** The options of the session itself. */
const ownOptionSpecs: Readonly<Record<keyof OwnOptions, OptionSpec>> = {
  outputSchema: {
    kind: outputSchemaKind,
    sentence:
      'A schema that the answer must match; `outcome.output` has the typed value. A schema (zod, valibot, arktype …), `{ schema, jsonSchema }`, or a JSON Schema of an object.',
  },
  transport: {
    kind: transportKind,
    sentence:
      'Uses this transport instead of starting a CLI. A function is called at each start, with the requested launch.',
  },
  record: {
    kind: recordKind,
    sentence:
      'Records all traffic to a file or a writer, with secrets removed unless `redact` is false. Each restart of the CLI gets its own file: `session.trace`, `session-2.trace` …',
  },
  onPermission: {
    kind: kinds.callback,
    sentence: 'Called when a tool needs permission. Without it, such calls are denied.',
  },
  onQuestion: { kind: kinds.callback, sentence: "Answers the model's questions to the user." },
  onPlan: {
    kind: kinds.callback,
    sentence: "Approves the model's plans. Without it they go to `onPermission`.",
  },
  onElicitation: {
    kind: kinds.callback,
    sentence: 'Answers elicitations of MCP servers. Old CLIs do not forward them.',
  },
  onDialog: { kind: kinds.callback, sentence: 'Shows the dialogs listed in `supportedDialogKinds`.' },
  prompts: {
    kind: oneOf('callbacks', 'manual'),
    sentence:
      'Whether a prompt without a callback is refused immediately (`callbacks`) or stays open until you answer it by id (`manual`). Default: `callbacks`.',
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
  askWhenDenied: {
    kind: kinds.flag,
    sentence:
      "Asks about calls that the CLI's own check denies in auto mode, as permission prompts. If one is allowed, the model may make the same call once more, without the check. The CLI waits for the answer, ten minutes at most. Default: false.",
  },
  rules: {
    kind: shapeOf({ allow: listOf(kinds.text), ask: listOf(kinds.text), deny: listOf(kinds.text) }),
    sentence: "Tool rules in the lists `allow`, `ask` and `deny`, applied by the CLI's own rule engine.",
  },
  patched: {
    kind: either(kinds.flag, oneOf('try'), recordOf(kinds.text)),
    sentence:
      "Starts a patched copy of a JavaScript CLI, which supports more endpoints. `{ folder }` adds your own patches; 'try' starts the CLI unpatched if none fits.",
  },
  hooks: { kind: hooksKind, sentence: 'Functions that the CLI calls on its events, by event name.' },
  mcpServers: {
    kind: recordOf(mcpServerKind),
    sentence:
      'MCP servers by name: configurations as in an `.mcp.json` file, and servers that run in this process.',
  },
  serversAtLaunch: {
    kind: kinds.flag,
    sentence:
      'For CLIs that can reconnect, enable and disable a server with a command only if it was set after the handshake: true puts such servers on the command line, which keeps their resources and prompts; false sets them later, so you can reconnect, enable and disable them. Default: whichever keeps more features.',
  },
  waitForServers: {
    kind: waitKind,
    sentence:
      'Waits until these servers are connected before the session opens, and fails if they are not. Default time limit: 30 s.',
  },
  mcpSetupMs: {
    kind: durationKind,
    sentence:
      'How long an in-process server may take to connect and to answer anything except tool calls, in milliseconds. Default: 20 s.',
  },
  handlers: {
    kind: handlersKind,
    sentence: "Handlers of CLI requests, by name. They take precedence over the session's own.",
  },
  otherHandlers: {
    kind: recordOf(kinds.callback),
    sentence: 'Handlers of CLI requests that Coxswain does not know, by subtype.',
  },
  handshakeMs: {
    kind: durationKind,
    sentence:
      'How long the CLI may take to answer `initialize`, in milliseconds. Default: `CLAUDE_CODE_STREAM_CLOSE_TIMEOUT` if set, otherwise 60 s.',
  },
  deadlineMs: {
    kind: durationKind,
    sentence: 'How long a control request may take, in milliseconds. Default: 30 s.',
  },
  stallMs: {
    kind: durationKind,
    sentence:
      'How long a turn may be silent without a known reason before it counts as stalled, in milliseconds. Default: no limit.',
  },
  reopen: {
    kind: oneOf('manual', 'auto'),
    sentence:
      'Whether sending a message to an ended session reopens it (`auto`) or only `reopen()` does (`manual`). Default: `manual`.',
  },
  stopOnAuthFailure: {
    kind: kinds.flag,
    sentence:
      'Ends a turn immediately with the outcome `auth` when the API refuses the credentials, instead of letting the CLI retry for minutes. Needs a CLI that reports its retries. Default: false.',
  },
  onMissing: {
    kind: oneOf('fail', 'fresh'),
    sentence:
      'What to do when the session to resume does not exist: `fail`, or start a `fresh` one. Default: `fail`.',
  },
  buffer: {
    kind: shapeOf({
      messages: kinds.positiveCount,
      characters: kinds.positiveCount,
      hardCharacters: kinds.positiveCount,
    }),
    sentence: 'How much may be buffered for readers.',
  },
  signal: {
    kind: kind('an AbortSignal', (value) => value instanceof AbortSignal),
    sentence:
      'Ends the session when aborted: opening and calls reject with an `AbortError`, turns have the outcome `aborted`.',
  },
  onMessage: { kind: kinds.callback, sentence: 'Receives every message, including those outside of turns.' },
  onStateChange: { kind: kinds.callback, sentence: 'Called on every state change.' },
};

/** Every option of `openSession`, with its kind and what it does. */
export const sessionOptionSpecs: Readonly<Record<keyof SessionOptions, OptionSpec>> = {
  ...cliOptionSpecs,
  ...initializeOptionSpecs,
  ...ownOptionSpecs,
};

/** Checks everything before anything is started. @throws OptionError naming the option. */
export function checkSessionOptions(options: SessionOptions): void {
  checkOptions(sessionOptionSpecs, options, sessionOptionRules, { ...OFFICIAL_NAMES, ...OTHER_NAMES });
}

const TIMEOUT =
  'use "deadlineMs" for control requests, or send(text, { signal: AbortSignal.timeout(ms) }) for a turn.';

/** Names that people try. */
const OTHER_NAMES: Readonly<Record<string, string>> = { timeout: TIMEOUT, timeoutMs: TIMEOUT };

/** Option names of the official SDK that are called something else here; `coxswain/compat` accepts them unchanged. */
export const OFFICIAL_NAMES: Readonly<Record<string, string>> = {
  abortController: 'pass its signal as "signal".',
  canUseTool: 'it is "onPermission" here, which answers with prompt.allow() or prompt.deny().',
  pathToClaudeCodeExecutable: 'it is "cli" here.',
  permissionPromptToolName: 'it is "permissionPromptTool" here.',
  stderr: 'it is "onStderr" here.',
  onUserDialog: 'it is "onDialog" here.',
  spawnClaudeCodeProcess: 'pass a "transport", for example streamTransport() of coxswain/transport.',
  sessionStore: 'only coxswain/compat has session stores.',
  outputFormat: 'it is "outputSchema" here, the schema itself.',
  customSystemPrompt: 'it is "systemPrompt" here.',
};
