import type { CliOptions } from '../../host/cli/options/cli-options.js';
import type { Transport } from '../../wire/transport/transport.js';
import type { Reply } from '../testing/model/replies.js';
import type { ModelRequest } from '../testing/model/request.js';

/** Something that behaves like a CLI and can be started again and again: a real one, or the emulator. */
export interface Subject {
  /** Its path, or the emulator's name. */
  readonly name: string;
  /** How long is waited for it. */
  readonly patience: Patience;
  /** How many may run side by side. */
  readonly concurrency: number;
  /** Makes a home and a working folder that several starts can share, as a resumed session needs. */
  makePlace(): Promise<Place>;
  /** Starts it. */
  start(start: Start): Promise<StartedCli>;
}

/** How long is waited for what should come, and for what should not. */
export interface Patience {
  /** For the first answer, start-up included. */
  readonly startMs: number;
  /** For the answer to a request. */
  readonly answerMs: number;
  /** For a whole turn. */
  readonly turnMs: number;
  /** How long nothing must happen to call it silence. */
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

/** How a CLI is started for probes. */
export interface Start {
  /** Flags for its command line. */
  readonly flags?: Flags;
  /** Variables beside those of the subject. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files that are there before, by their path from `work/` or `home/`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where it runs. Default: a fresh place. */
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

/** How a process went. */
export interface Exit {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; null where it ended by itself. */
  readonly signal: string | null;
  /** What it wrote to stderr. */
  readonly stderr: string;
}

/** The model behind a CLI. */
export interface ModelControl {
  /** What it says next, call by call; with nothing left it says "ok". */
  say(replies: readonly Reply[]): void;
  /** The calls of the conversation so far. */
  readonly calls: readonly ModelRequest[];
}

/** A CLI that runs. */
export interface StartedCli {
  /** The pipes to it. */
  readonly transport: Transport;
  /** Its working folder. */
  readonly cwd: string;
  /** Its version, where it can be told without asking over the wire. */
  readonly version: Promise<string | undefined>;
  /** The model that it talks to. */
  readonly model: ModelControl;
  /** Settles when the process is over. */
  readonly exit: Promise<Exit>;
  /** Writes to its stdin as it is, without a newline; needs {@link Start.raw}. */
  write(text: string): Promise<void>;
  /** Ends its stdin. */
  endInput(): void;
  /** Sends it a signal. */
  kill(signal: NodeJS.Signals): void;
  /** The text of a file in the working folder; undefined if there is none, or no folder. */
  readFile(path: string): Promise<string | undefined>;
  /** Ends it at once and removes what was made for it. */
  close(): Promise<void>;
}
