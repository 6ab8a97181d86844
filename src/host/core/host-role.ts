import type { ControlPeer } from '../../wire/peer/control-peer.js';
import type { RequestWatcher } from '../../wire/peer/received-requests.js';
import type { RequestBody, WireObject } from '../../wire/protocol/frames.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { Capabilities } from '../cli/capabilities.js';
import type { Connection } from './connection/connection.js';
import type { LaunchedCli } from './connection/launch.js';
import type { SessionState } from './connection/state.js';
import type { MessageReceiver } from './messages/message-dispatcher.js';

/** How a CLI went. */
export interface Gone {
  /** The owner closed the session. */
  readonly asked: boolean;
  /** And wants nothing more of it, not even what has come already. */
  readonly aborted: boolean;
  /** The handshake had been completed. */
  readonly opened: boolean;
}

/** The interface between the core and its user, over one CLI after another, in the order of events. */
export interface HostRole extends MessageReceiver {
  stateChanged?(state: SessionState): void;
  diagnostic?(diagnostic: Diagnostic): void;
  /** Does what can fail before anything is started. */
  prepare?(): Promise<void>;
  /** A CLI was started; nothing was said to it yet. */
  started?(peer: ControlPeer): void;
  /** Whether {@link initialize} depends on the CLI's version, so that it must be waited for. */
  readonly needsVersion?: boolean;
  /** Builds the `initialize` request, for what the CLI can do as far as is known before. */
  initialize(capabilities: Capabilities): RequestBody;
  /** Told of the CLI's requests that handlers are busy with. */
  readonly watcher?: RequestWatcher;
  /** MCP servers that were not seen to be set up, for the error of an open that fails. */
  readonly serversPending?: readonly string[];
  /** Looks at a CLI that has completed the handshake. @throws CoxswainError when it will not do. */
  check?(capabilities: Capabilities): void;
  /** Does what is left to do before the CLI counts as ready. */
  settleIn?(connection: Connection, cli: LaunchedCli): Promise<void>;
  connected?(connection: Connection): void;
  /** A request of the host was answered with success. */
  answered?(subtype: string, params: WireObject): void;
  /** The owner closes the session: says how long the CLI may take to leave, if that is not the usual time. */
  closing?(): number | undefined;
  /** The CLI is gone; `cause` is what everything that waited gets. */
  gone(cause: Error, how: Gone): void;
}
