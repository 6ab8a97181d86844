import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ExitReport } from '../../../wire/transport/process/line-process.js';
import type { Transport } from '../../../wire/transport/transport.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import type { Capabilities } from '../../cli/capabilities.js';

/** Which conversation a CLI is started for. */
export interface Identity {
  /** Undefined when only the CLI knows, as with `continue`. */
  readonly sessionId: string | undefined;
  /** Whether the CLI has it on disk already. */
  readonly resume: boolean;
  /** Whether this is the first start, for which the caller's own options on resuming count. */
  readonly first: boolean;
}

/** A host that has the CLI in our place, as a console server has: what its own session knows is better asked of it. */
export interface OtherHost {
  /** Asks for something by the name of a session's method, such as `mcp.disable`. */
  ask(method: string, params: WireObject, options?: RequestOptions): Promise<WireObject>;
}

/** A CLI that was started, as the session needs it. */
export interface LaunchedCli {
  readonly transport: Transport;
  /** Known without delaying the start; undefined if unknown. */
  readonly version: Promise<string | undefined>;
  /** Whether the version is known only once `initialize` was sent, so that nothing may wait for it before. */
  readonly versionComesLate?: boolean | undefined;
  /** The exact command line, secrets masked. */
  readonly commandLine?: string | undefined;
  readonly stderrTail?: (() => string) | undefined;
  readonly debugLog?: string | undefined;
  /** The requests that patches have added to it, as far as is known before it tells itself. */
  readonly patched?: ReadonlySet<string> | undefined;
  /** What there is to tell of its start. */
  readonly told?: readonly Diagnostic[] | undefined;
  /** Names the servers of the session that it was not started with, and that are to be set over the wire. */
  readonly serversToSet?: ((capabilities: Capabilities) => readonly string[]) | undefined;
  /** The home folder of its user, if it runs on this machine. */
  readonly home?: string | undefined;
  /** The host that owns it, if it is another one. */
  readonly otherHost?: OtherHost | undefined;
  /** The process id, if there is a process. */
  readonly pid?: number | undefined;
  /** How the process went, once it is gone. */
  readonly exit?: (() => ExitReport | undefined) | undefined;
}

/** Starts a CLI for a session. */
export type Launch = (identity: Identity) => Promise<LaunchedCli>;
