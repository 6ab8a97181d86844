import { type Clock, within } from '../../util/clock.js';
import type { EndingSignal, ProcessControl } from './platform.js';
import type { OwnedChild } from './process-table.js';

/** How long each shutdown step may take, in milliseconds. */
export interface EndingTimes {
  /** After stdin was closed: the CLI finishes its turn and its transcript. */
  readonly eofMs?: number | undefined;
  /** After SIGTERM to the CLI and all its descendants. */
  readonly termMs?: number | undefined;
  /** After SIGKILL to the remaining processes. */
  readonly killMs?: number | undefined;
}

/** The last step that was needed to end a process; `none` if it exited on its own. */
export type ShutdownStep = 'none' | 'eof' | 'term' | 'kill';

/** A child to be ended. */
export interface EndingChild extends OwnedChild {
  /** Settles when the process itself has exited. */
  readonly exited: Promise<unknown>;
  closeStdin(): void;
}

/** The dependencies of the shutdown. */
export interface EndingParts {
  readonly control: ProcessControl;
  readonly clock: Clock;
  readonly times?: EndingTimes | undefined;
  /** Called before each step. */
  readonly onStep?: (step: Exclude<ShutdownStep, 'none'>) => void;
}

const DEFAULT_TIMES = { eofMs: 5_000, termMs: 2_000, killMs: 2_000 } as const;
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 200;

/** Ends a child and everything that belongs to it, in increasingly forceful steps; returns the remaining processes. */
export async function endChild(child: EndingChild, parts: EndingParts): Promise<readonly number[]> {
  parts.onStep?.('eof');
  child.closeStdin();
  // SIGTERM loses the last messages of a turn and of the transcript, so the end of stdin comes first.
  await within(child.exited, parts.times?.eofMs ?? DEFAULT_TIMES.eofMs, parts.clock);
  return endLeftovers(child, parts);
}

/** Ends processes that a child left running, or the child itself if it still runs, using only signals. */
export async function endLeftovers(child: EndingChild, parts: EndingParts): Promise<readonly number[]> {
  let left: readonly number[] = await parts.control.find(child);
  for (const signal of parts.control.signals) {
    if (left.length === 0) return left;
    parts.onStep?.(signal === 'SIGTERM' ? 'term' : 'kill');
    left = await signalUntilGone(child, signal, left, parts);
  }
  return left;
}

/** Signals each process once, including those that appear meanwhile, until none is left or the time is up. */
async function signalUntilGone(
  child: EndingChild,
  signal: EndingSignal,
  first: readonly number[],
  { control, clock, times }: EndingParts,
): Promise<readonly number[]> {
  const limit = (signal === 'SIGTERM' ? times?.termMs : times?.killMs) ?? defaultTime(signal);
  const start = clock.now();
  const told = new Set<number>();
  let left = first;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    const untold = left.filter((pid) => !told.has(pid));
    for (const pid of untold) told.add(pid);
    await control.signal(untold, signal);
    const rest = limit - (clock.now() - start);
    if (rest <= 0) return left;
    await new Promise<void>((resolve) => clock.after(Math.min(lookMs, rest), resolve));
    left = await control.find(child);
    if (left.length === 0) return left;
  }
}

function defaultTime(signal: EndingSignal): number {
  return signal === 'SIGTERM' ? DEFAULT_TIMES.termMs : DEFAULT_TIMES.killMs;
}
