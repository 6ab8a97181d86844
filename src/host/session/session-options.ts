import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { RecordOptions } from '../../wire/trace/record/recording.js';
import type { RecordTarget } from '../../wire/trace/record/trace-sink.js';
import type { Transport } from '../../wire/transport/transport.js';
import type { AskedLaunch } from '../cli/options/asked-launch.js';
import type { CliOptions } from '../cli/options/cli-options.js';
import type { InitializeOptions } from '../cli/options/initialize-options.js';
import type { SessionState } from '../core/connection/state.js';
import type { McpServerMap } from '../mcp/server-option.js';
import type { NamedRequestHandlers, OtherRequestHandlers } from './cli-request-handler.js';
import type { Hooks } from './hooks/hook-types.js';
import type { PatchedOptions } from './opening/patched-cli.js';
import type { PromptCallbacks } from './prompts/open-prompts.js';
import type { PromptKind } from './prompts/prompt.js';
import type { WaitForServers } from './servers/wait-for-servers.js';
import type { OutputSchema } from './turns/requested-output.js';

/** How much may be buffered for readers. */
export interface BufferOptions {
  /** How many messages one reader may lag before the CLI has to wait; four times as many before its first read. */
  readonly messages?: number | undefined;
  /** How many characters one reader may lag before the CLI has to wait; four times as many before its first read. */
  readonly characters?: number | undefined;
  /** How many characters may be buffered over all readers before the session ends. */
  readonly hardCharacters?: number | undefined;
}

/** Rules for tool calls, as in the CLI's settings: `Read`, `Bash(git:*)`. The CLI applies them. */
export interface PermissionRules {
  /** Tools that run without asking. */
  readonly allow?: readonly string[] | undefined;
  /** Tools that always ask. */
  readonly ask?: readonly string[] | undefined;
  /** Tools that are always refused. */
  readonly deny?: readonly string[] | undefined;
}

/** The options of the session itself, besides those for the CLI. */
export interface OwnOptions<Schema extends OutputSchema = OutputSchema> extends PromptCallbacks {
  /**
   * A schema that the answer must match; `outcome.output` has the typed value. A schema (zod, valibot, arktype …), `{
   * schema, jsonSchema }`, or a JSON Schema of an object.
   */
  readonly outputSchema?: Schema | undefined;
  /**
   * Whether a prompt without a callback is refused immediately (`callbacks`) or stays open until you answer it by id
   * (`manual`). Default: `callbacks`.
   */
  readonly prompts?: 'callbacks' | 'manual' | undefined;
  /** How long a prompt of each kind may stay open, in milliseconds. Default: no limit. */
  readonly promptTimeoutsMs?: Readonly<Partial<Record<PromptKind, number>>> | undefined;
  /**
   * Asks about calls that the CLI's own check denies in auto mode, as permission prompts. If one is allowed, the model
   * may make the same call once more, without the check. The CLI waits for the answer, ten minutes at most. Default:
   * false.
   */
  readonly askWhenDenied?: boolean | undefined;
  /** Tool rules in the lists `allow`, `ask` and `deny`, applied by the CLI's own rule engine. */
  readonly rules?: PermissionRules | undefined;
  /** Uses this transport instead of starting a CLI. A function is called at each start, with the requested launch. */
  readonly transport?: (Transport | ((launch: AskedLaunch) => Transport | Promise<Transport>)) | undefined;
  /**
   * Records all traffic to a file or a writer, with secrets removed unless `redact` is false. Each restart of the CLI
   * gets its own file: `session.trace`, `session-2.trace` …
   */
  readonly record?: RecordTarget | RecordOptions | undefined;
  /**
   * Starts a patched copy of a JavaScript CLI, which supports more endpoints. `{ folder }` adds your own patches; 'try'
   * starts the CLI unpatched if none fits.
   */
  readonly patched?: boolean | 'try' | PatchedOptions | undefined;
  /** Functions that the CLI calls on its events, by event name. */
  readonly hooks?: Hooks | undefined;
  /** MCP servers by name: configurations as in an `.mcp.json` file, and servers that run in this process. */
  readonly mcpServers?: McpServerMap | undefined;
  /**
   * For CLIs that can reconnect, enable and disable a server with a command only if it was set after the handshake:
   * true puts such servers on the command line, which keeps their resources and prompts; false sets them later, so you
   * can reconnect, enable and disable them. Default: whichever keeps more features.
   */
  readonly serversAtLaunch?: boolean | undefined;
  /**
   * Waits until these servers are connected before the session opens, and fails if they are not. Default time limit: 30
   * s.
   */
  readonly waitForServers?: WaitForServers | undefined;
  /**
   * How long an in-process server may take to connect and to answer anything except tool calls, in milliseconds.
   * Default: 20 s.
   */
  readonly mcpSetupMs?: number | undefined;
  /** Handlers of CLI requests, by name. They take precedence over the session's own. */
  readonly handlers?: NamedRequestHandlers | undefined;
  /** Handlers of CLI requests that Coxswain does not know, by subtype. */
  readonly otherHandlers?: OtherRequestHandlers | undefined;
  /**
   * How long the CLI may take to answer `initialize`, in milliseconds. Default: `CLAUDE_CODE_STREAM_CLOSE_TIMEOUT` if
   * set, otherwise 60 s.
   */
  readonly handshakeMs?: number | undefined;
  /** How long a control request may take, in milliseconds. Default: 30 s. */
  readonly deadlineMs?: number | undefined;
  /**
   * How long a turn may be silent without a known reason before it counts as stalled, in milliseconds. Default: no
   * limit.
   */
  readonly stallMs?: number | undefined;
  /**
   * Ends a turn immediately with the outcome `auth` when the API refuses the credentials, instead of letting the CLI
   * retry for minutes. Needs a CLI that reports its retries. Default: false.
   */
  readonly stopOnAuthFailure?: boolean | undefined;
  /**
   * Whether sending a message to an ended session reopens it (`auto`) or only `reopen()` does (`manual`). Default:
   * `manual`.
   */
  readonly reopen?: 'manual' | 'auto' | undefined;
  /** What to do when the session to resume does not exist: `fail`, or start a `fresh` one. Default: `fail`. */
  readonly onMissing?: 'fail' | 'fresh' | undefined;
  /** How much may be buffered for readers. */
  readonly buffer?: BufferOptions | undefined;
  /** Ends the session when aborted: opening and calls reject with an `AbortError`, turns have the outcome `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Receives every message, including those outside of turns. */
  readonly onMessage?: ((message: CliMessage) => void) | undefined;
  /** Called on every state change. */
  readonly onStateChange?: ((state: SessionState) => void) | undefined;
}

/** Everything that `openSession` takes. */
export interface SessionOptions<Schema extends OutputSchema = OutputSchema>
  extends Omit<CliOptions, 'skills' | 'mcpServers' | 'outputSchema'>,
    InitializeOptions,
    OwnOptions<Schema> {}
