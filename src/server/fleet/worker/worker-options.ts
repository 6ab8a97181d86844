import type { SessionStore } from '../../../host/transcripts/store.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { ConsoleOptions } from '../../console/console-options.js';
import type { EngineOptions } from '../engine/engine-options.js';
import type { Workspaces } from '../workspaces/workspace-policy.js';

/** Options of a worker: how to connect to NATS, and how to start its CLIs. */
export interface WorkerOptions
  extends EngineOptions,
    Pick<
      ConsoleOptions,
      | 'roots'
      | 'allowBypass'
      | 'session'
      | 'configDir'
      | 'idleMs'
      | 'parkBy'
      | 'onLimit'
      | 'limitSpreadMs'
      | 'holdAbove'
      | 'stateFolder'
    > {
  /** How many conversations may have a CLI here at once. Default: 8. */
  readonly slots?: number | undefined;
  /** The labels that conversations may require. Default: none. */
  readonly labels?: readonly string[] | undefined;
  /** The version of its CLI, for conversations that require one. */
  readonly cliVersion?: string | undefined;
  /** How long it may be silent before others take its conversations, in whole seconds, at most 120. Default: 15. */
  readonly leaseSeconds?: number | undefined;
  /** How many characters of a conversation may wait on disk while NATS is unreachable before its CLI waits, at most 16 Mi. Default: 16 Mi. */
  readonly spoolCharacters?: number | undefined;
  /** Where to keep transcripts, so that other workers can continue. Default: in NATS. */
  readonly transcripts?: SessionStore | undefined;
  /** How files move with a conversation. Default: `none`. */
  readonly workspaces?: Workspaces | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
}

/** What others know about a worker. */
export interface WorkerFacts {
  /** The format version of these facts. */
  readonly format: 1;
  /** Its name. */
  readonly worker: string;
  /** The name of its machine. */
  readonly host: string;
  /** How many conversations may have a CLI there at once. */
  readonly slots: number;
  /** How many of them are taken. */
  readonly used: number;
  /** How many of those are idle and without viewers: they make room when others wait. */
  readonly idle?: number | undefined;
  /** The labels that conversations may require. */
  readonly labels: readonly string[];
  /** The version of its CLI, if known. */
  readonly cliVersion?: string | undefined;
  /** The folders below which conversations may work there. */
  readonly roots: readonly string[];
  /** Identifies the folder with the transcripts of its CLIs: workers may share one. */
  readonly disk?: string | undefined;
  /** Whether it accepts no more conversations, and releases those that it has. */
  readonly draining: boolean;
  /** The version of Coxswain. */
  readonly version: string;
}
