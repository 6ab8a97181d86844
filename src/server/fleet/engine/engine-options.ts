import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';

/** How to connect to the fleet's NATS servers; same settings as NATS tools. */
export interface EngineOptions {
  /** The servers: `nats://host:4222`, `tls://…`, or several of them. */
  readonly nats: string | readonly string[];
  /** Separates several fleets on the same NATS servers. Default: `coxswain`. */
  readonly namespace?: string | undefined;
  /** How many servers keep each stream. Default: 3 in a cluster, otherwise 1. */
  readonly replicas?: number | undefined;
  /** How long the events of a conversation are kept, in milliseconds. Default: 30 days. */
  readonly maxAgeMs?: number | undefined;
  /** How long to try to reach a server that may be starting, in milliseconds. Default: 20 s. */
  readonly startMs?: number | undefined;
  /** The path of a `.creds` file. */
  readonly creds?: string | undefined;
  /** The path of a file with an nkey seed. */
  readonly nkey?: string | undefined;
  /** The user name. */
  readonly user?: string | undefined;
  /** The user's password. */
  readonly pass?: string | undefined;
  /** The token. */
  readonly token?: string | undefined;
  /** Paths of PEM files: the authority, and this client's certificate and key. */
  readonly tls?:
    | {
        readonly ca?: string | undefined;
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
      }
    | undefined;
  /**
   * Receives what it waits for while NATS is not ready (`FLEET_WAITS`), a worker's warning (`FLEET_FEW_REPLICAS`), records that
   * cannot be read (`FLEET_RECORD_UNREAD`), and messages that cannot be handled (`FLEET_MESSAGE_FAILED`).
   */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}
