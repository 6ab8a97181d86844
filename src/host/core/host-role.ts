import type { ControlPeer } from '../../wire/peer/control-peer.js';
import type { RequestWatcher } from '../../wire/peer/received-requests.js';
import type { RequestBody, WireObject } from '../../wire/protocol/frames.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { Capabilities } from '../cli/capabilities.js';
import type { Connection } from './connection/connection.js';
import type { LaunchedCli } from './connection/launch.js';
import type { SessionState } from './connection/state.js';
import type { MessageReceiver } from './messages/message-dispatcher.js';

/** How the run of a CLI ended. */
export interface Gone {
  /** The owner closed the session. */
  readonly asked: boolean;
  /** And wants nothing more from it, not even what has already arrived. */
  readonly aborted: boolean;
  /** The handshake was completed. */
  readonly opened: boolean;
}

/** The interface between the core and its user, over one CLI after another, in the order of events. */
export interface HostRole extends MessageReceiver {
  stateChanged?(state: SessionState): void;
  diagnostic?(diagnostic: Diagnostic): void;
  /** Does what can fail before anything is started. */
  prepare?(): Promise<void>;
  /** A CLI was started; nothing was sent to it yet. */
  started?(peer: ControlPeer): void;
  /** Whether {@link initialize} depends on the CLI's version, so that it must be waited for. */
  readonly needsVersion?: boolean;
  /** Builds the `initialize` request, for what is known about the CLI by then. */
  initialize(capabilities: Capabilities, cli: LaunchedCli): RequestBody;
  /** Follows the CLI's requests that handlers are working on. */
  readonly watcher?: RequestWatcher;
  /** MCP servers that did not complete their setup, for the error of a failed open. */
  readonly serversPending?: readonly string[];
  /** Checks a CLI that has completed the handshake. @throws CoxswainError if it cannot be used. */
  check?(capabilities: Capabilities): void;
  /** Completes everything else before the CLI counts as ready. */
  settleIn?(connection: Connection, cli: LaunchedCli): Promise<void>;
  connected?(connection: Connection): void;
  /** A request of the host was answered with success. */
  answered?(subtype: string, params: WireObject): void;
  /** The owner closes the session: returns how long the CLI may take to exit, if not the default. */
  closing?(): number | undefined;
  /** The CLI is gone; `cause` is the error for everything that waited. */
  gone(cause: Error, how: Gone): void;
}
