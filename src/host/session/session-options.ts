import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { RecordOptions } from '../../wire/trace/record/recording.js';
import type { RecordTarget } from '../../wire/trace/record/trace-sink.js';
import type { Transport } from '../../wire/transport/transport.js';
import type { AskedLaunch } from '../cli/options/asked-launch.js';
import type { CliOptions } from '../cli/options/cli-options.js';
import type { SessionState } from '../core/connection/state.js';
import type { McpServerMap } from '../mcp/server-option.js';
import type { NamedRequestHandlers, OtherRequestHandlers } from './cli-request-handler.js';
import type { Hooks } from './hooks/hook-types.js';
import type { InitializeOptions } from './opening/initialize.js';
import type { PatchedOptions } from './opening/patched-cli.js';
import type { PromptCallbacks } from './prompts/open-prompts.js';
import type { PromptKind } from './prompts/prompt.js';
import type { WaitForServers } from './servers/wait-for-servers.js';
import type { OutputSchema } from './turns/requested-output.js';

/** How much may wait for readers. */
export interface BufferOptions {
  /** Messages that one reader may be behind before the CLI is made to wait; four times as many before its first read. */
  readonly messages?: number | undefined;
  /** Characters that one reader may be behind before the CLI is made to wait; four times as many before its first read. */
  readonly characters?: number | undefined;
  /** Characters over all readers past which the session is ended. */
  readonly hardCharacters?: number | undefined;
}

/** Rules for tool calls, as the CLI's own settings take them: `Read`, `Bash(git:*)`. The CLI applies them. */
export interface PermissionRules {
  /** What runs without asking. */
  readonly allow?: readonly string[] | undefined;
  /** What is always asked for. */
  readonly ask?: readonly string[] | undefined;
  /** What is always refused. */
  readonly deny?: readonly string[] | undefined;
}

/** What the session itself can be told, beside what goes to the CLI. */
export interface OwnOptions<Schema extends OutputSchema = OutputSchema> extends PromptCallbacks {
  /**
   * What the answer must fit; `outcome.output` then has the value, typed. A schema (zod, valibot, arktype …), `{
   * schema, jsonSchema }`, or a JSON Schema of an object.
   */
  readonly outputSchema?: Schema | undefined;
  /**
   * Whether a prompt without a callback is refused at once (`callbacks`, the default) or stays open, to be answered by
   * its id (`manual`).
   */
  readonly prompts?: 'callbacks' | 'manual' | undefined;
  /** How long a prompt of each kind may stay open, in milliseconds. Default: no limit. */
  readonly promptTimeoutsMs?: Readonly<Partial<Record<PromptKind, number>>> | undefined;
  /** Lists allow, ask and deny of tool rules, applied by the CLI's own rule engine. */
  readonly rules?: PermissionRules | undefined;
  /**
   * Uses this transport instead of starting a CLI. A function is called anew for each reopening, and told how the CLI
   * is wanted.
   */
  readonly transport?: (Transport | ((launch: AskedLaunch) => Transport | Promise<Transport>)) | undefined;
  /**
   * Writes everything that passes to a file or a writer, secrets taken out unless `redact` is false. Each further start
   * of the CLI has a file of its own: `session.trace`, `session-2.trace` …
   */
  readonly record?: RecordTarget | RecordOptions | undefined;
  /**
   * Starts a patched copy of a JavaScript CLI, which serves more endpoints; `{ folder }` adds patches of your own,
   * 'try' starts the CLI as it is where none fits.
   */
  readonly patched?: boolean | 'try' | PatchedOptions | undefined;
  /** Functions that run when something happens in the CLI, by event. */
  readonly hooks?: Hooks | undefined;
  /** MCP servers by name: configurations as in an `.mcp.json` file, and servers that run in this process. */
  readonly mcpServers?: McpServerMap | undefined;
  /**
   * Whether servers with a command go on the command line of a CLI that can switch them only if they were set after the
   * handshake: true keeps their resources and prompts, false lets them be switched. Default: what costs least.
   */
  readonly serversAtLaunch?: boolean | undefined;
  /** Holds the first message until these servers are connected, for 30 s by default; then the open fails. */
  readonly waitForServers?: WaitForServers | undefined;
  /**
   * How long an in-process server may take to be connected, and for every answer but that of a tool, in milliseconds.
   * Default: 20 s.
   */
  readonly mcpSetupMs?: number | undefined;
  /** Handlers of CLI requests by name; they come before the session's own. */
  readonly handlers?: NamedRequestHandlers | undefined;
  /** Handlers of CLI requests that Coxswain does not know, by subtype. */
  readonly otherHandlers?: OtherRequestHandlers | undefined;
  /**
   * How long the CLI may take to answer `initialize`, in milliseconds. Default: `CLAUDE_CODE_STREAM_CLOSE_TIMEOUT`
   * where that is set, else 60 s.
   */
  readonly handshakeMs?: number | undefined;
  /** How long a control request may take, in milliseconds. Default: 30 s. */
  readonly deadlineMs?: number | undefined;
  /** After how much unexplained quiet a turn counts as stalled, in milliseconds. Default: never. */
  readonly stallMs?: number | undefined;
  /**
   * Ends a turn at once, as `auth`, when the API refuses the credentials, instead of letting the CLI try again for
   * minutes. Default: false. Needs a CLI that tells of its tries.
   */
  readonly stopOnAuthFailure?: boolean | undefined;
  /** Whether a message to an ended session opens it again. Default: `manual`, only `reopen()` does. */
  readonly reopen?: 'manual' | 'auto' | undefined;
  /** What to do when the session to resume does not exist: fail (the default), or begin a fresh one. */
  readonly onMissing?: 'fail' | 'fresh' | undefined;
  /** How much may wait for readers. */
  readonly buffer?: BufferOptions | undefined;
  /** Ends the session when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Sees every message, also those of no turn. */
  readonly onMessage?: ((message: CliMessage) => void) | undefined;
  /** Hears of every change of state. */
  readonly onStateChange?: ((state: SessionState) => void) | undefined;
}

/** Everything that `openSession` takes. */
export interface SessionOptions<Schema extends OutputSchema = OutputSchema>
  extends Omit<CliOptions, 'skills' | 'mcpServers' | 'outputSchema'>,
    InitializeOptions,
    OwnOptions<Schema> {}
