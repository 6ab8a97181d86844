import type { CliOptions } from '../../host/cli/options/cli-options.js';
import type { Transport } from '../../wire/transport/transport.js';
import type { Reply } from '../testing/model/replies.js';
import type { ModelRequest } from '../testing/model/request.js';

/** A CLI to probe that can be started repeatedly: a real one, or the emulator. */
export interface Subject {
  /** Its path, or the emulator's name. */
  readonly name: string;
  /** How long to wait for it. */
  readonly patience: Patience;
  /** How many may run in parallel. */
  readonly concurrency: number;
  /** Creates a home and a working folder that several starts can share, for resumed sessions. */
  makePlace(): Promise<Place>;
  /** Starts it. */
  start(start: Start): Promise<StartedCli>;
}

/** How long to wait for expected events, and to confirm that nothing comes. */
export interface Patience {
  /** For the first answer, start-up included. */
  readonly startMs: number;
  /** For the answer to a request. */
  readonly answerMs: number;
  /** For a whole turn. */
  readonly turnMs: number;
  /** How long nothing must happen to count as silence. */
  readonly quietMs: number;
}

/** The flags that probes use. */
export type Flags = Pick<
  CliOptions,
  | 'allowDangerouslySkipPermissions'
  | 'continue'
  | 'enableFileCheckpointing'
  | 'extraArgs'
  | 'forkSession'
  | 'maxBudgetUsd'
  | 'maxTurns'
  | 'mcpServers'
  | 'partialMessages'
  | 'permissionMode'
  | 'permissionPromptTool'
  | 'replayUserMessages'
  | 'resume'
  | 'resumeSessionAt'
  | 'sessionId'
  | 'settings'
  | 'settingSources'
>;

/** Options for starting a CLI for probes. */
export interface Start {
  /** Flags for its command line. */
  readonly flags?: Flags;
  /** Variables in addition to those of the subject. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files that exist before the start, by their path from `work/` or `home/`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where it runs. Default: a new place. */
  readonly place?: Place;
  /** Whether {@link StartedCli.write} is needed. */
  readonly raw?: boolean;
}

/** A home and a working folder. */
export interface Place {
  /** The home folder. */
  readonly home: string;
  /** The working folder. */
  readonly cwd: string;
  /** Removes both. */
  remove(): Promise<void>;
}

/** How a process exited. */
export interface Exit {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; null if it exited on its own. */
  readonly signal: string | null;
  /** Its stderr output. */
  readonly stderr: string;
}

/** The model behind a CLI. */
export interface ModelControl {
  /** Sets the next replies, one per call; after that the model says "ok". */
  say(replies: readonly Reply[]): void;
  /** The model calls of the conversation so far. */
  readonly calls: readonly ModelRequest[];
}

/** A running CLI. */
export interface StartedCli {
  /** The transport to it. */
  readonly transport: Transport;
  /** Its working folder. */
  readonly cwd: string;
  /** Its version, if it can be found without asking over the wire. */
  readonly version: Promise<string | undefined>;
  /** The model that it talks to. */
  readonly model: ModelControl;
  /** Resolves when the process has exited. */
  readonly exit: Promise<Exit>;
  /** Writes to its stdin unchanged, without a newline; needs {@link Start.raw}. */
  write(text: string): Promise<void>;
  /** Ends its stdin. */
  endInput(): void;
  /** Sends it a signal. */
  kill(signal: NodeJS.Signals): void;
  /** The text of a file in the working folder; undefined if there is none. */
  readFile(path: string): Promise<string | undefined>;
  /** Ends it immediately and removes its files. */
  close(): Promise<void>;
}
