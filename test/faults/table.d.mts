/** What the user of a session saw, in short words: `turn: 'cli-ended: CLI_ENDED, signal SIGKILL'`. */
export type Seen = Readonly<Record<string, string>>;

/** One fault in one phase. `%s` stands for the variant, everywhere. */
export interface FaultRow {
  readonly fault: string;
  readonly phase: string;
  /** The variants; each is a test of its own. */
  readonly each?: readonly string[];
  /** Who plays it: the shell script as a process, the emulator in memory, or a host program that ends itself. */
  readonly by: 'script' | 'emulator' | 'host';
  /** What the script runs in that phase, the name of the play in memory, or how the host ends. */
  readonly run: string;
  /** The emulated versions it is played on; all unless given. */
  readonly on?: readonly string[];
  /** Options of the session, as far as they are data. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** When the user must know: at once, or when this deadline has passed. */
  readonly when: string;
  readonly see: Seen;
}

/** All faults. */
export const faults: readonly FaultRow[];
