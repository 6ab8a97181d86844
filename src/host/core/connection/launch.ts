import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ExitReport } from '../../../wire/transport/process/line-process.js';
import type { Transport } from '../../../wire/transport/transport.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import type { Capabilities } from '../../cli/capabilities.js';
import type { Login } from '../../cli/login/login.js';

/** The conversation that a CLI is started for. */
export interface Identity {
  /** Undefined if only the CLI knows it, as with `continue`. */
  readonly sessionId: string | undefined;
  /** Whether the CLI already has it on disk. */
  readonly resume: boolean;
  /** Whether this is the first start, to which the caller's resume options apply. */
  readonly first: boolean;
}

/** Another host that runs the CLI, such as a console server. Its own session knows more, so it is asked instead. */
export interface OtherHost {
  /** Calls a session method by name, such as `mcp.disable`. */
  ask(method: string, params: WireObject, options?: RequestOptions): Promise<WireObject>;
}

/** What the session needs to know about a started CLI. */
export interface LaunchedCli {
  readonly transport: Transport;
  /** Known without delaying the start; undefined if unknown. */
  readonly version: Promise<string | undefined>;
  /** Whether the version is known only after `initialize` was sent, so that nothing may wait for it before that. */
  readonly versionComesLate?: boolean | undefined;
  /** The exact command line, secrets masked. */
  readonly commandLine?: string | undefined;
  readonly stderrTail?: (() => string) | undefined;
  readonly debugLog?: string | undefined;
  /** The requests that patches added to it, as far as known before the CLI reports them. */
  readonly patched?: ReadonlySet<string> | undefined;
  /** Whether it is a JavaScript file on this machine. */
  readonly isScript?: boolean | undefined;
  /** The options that it got as flags because it ignores them in `initialize`. */
  readonly inFlags?: ReadonlyMap<string, unknown> | undefined;
  /** Diagnostics about its start. */
  readonly told?: readonly Diagnostic[] | undefined;
  /** The session's servers that it was not started with, and that must be set over the wire. */
  readonly serversToSet?: ((capabilities: Capabilities) => readonly string[]) | undefined;
  /** The home folder of its user, if it runs on this machine. */
  readonly home?: string | undefined;
  /** The login that it shares with other CLIs of this machine. */
  readonly login?: Login | undefined;
  /** The host that owns it, if it is another one. */
  readonly otherHost?: OtherHost | undefined;
  /** The process id, if there is a process. */
  readonly pid?: number | undefined;
  /** How the process exited, once it has. */
  readonly exit?: (() => ExitReport | undefined) | undefined;
}

/** Starts a CLI for a session. */
export type Launch = (identity: Identity) => Promise<LaunchedCli>;
