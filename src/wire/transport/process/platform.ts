import { setImmediate as nextRound } from 'node:timers/promises';
import { startedSoFar } from './process-numbers.js';
import {
  type OwnedChild,
  ownedBy,
  type ReadProcessTable,
  type RunProgram,
  readProcFolder,
  readPsTable,
  runProgram,
} from './process-table.js';
import { windowsProgram } from './program-path.js';

/** A shutdown signal. */
export type EndingSignal = 'SIGTERM' | 'SIGKILL';

/** Finds and ends processes. Everything that differs between systems is here. */
export interface ProcessControl {
  /** Whether a child gets its own process group. */
  readonly ownGroup: boolean;
  /** The signals that have a meaning here, the polite one first. */
  readonly signals: readonly EndingSignal[];
  /** Whether a shell for the keeper can be expected. */
  readonly hasShell: boolean;
  /** How many processes the system has started so far, if it reports that: it helps to find those of a child. */
  startedSoFar(): number | undefined;
  /** The running processes that belong to a child, itself included. */
  find(child: OwnedChild): Promise<readonly number[]>;
  signal(pids: readonly number[], signal: EndingSignal): Promise<void>;
}

/** The dependencies of the process control. */
export interface ControlParts {
  readonly kill?: (pid: number, signal: string | number) => void;
  readonly readTable?: ReadProcessTable;
  readonly run?: RunProgram;
}

/** The process control of a platform. Linux was run, Windows under Wine; macOS is tested only by injection. */
export function processControl(platform: NodeJS.Platform, parts: ControlParts = {}): ProcessControl {
  return platform === 'win32' ? windowsControl(parts) : posixControl(platform, parts);
}

/** The process control that all transports of this host share, so they also share its scans of the process list. */
export function hostControl(platform: NodeJS.Platform): ProcessControl {
  const control = controls.get(platform) ?? processControl(platform);
  controls.set(platform, control);
  return control;
}

const controls = new Map<NodeJS.Platform, ProcessControl>();

function posixControl(platform: NodeJS.Platform, parts: ControlParts): ProcessControl {
  const {
    kill = killProcess,
    readTable = platform === 'linux'
      ? (children) => readProcFolder('/proc', children)
      : () => readPsTable(parts.run),
  } = parts;
  const shared = shareRounds(readTable);
  return {
    ownGroup: true,
    signals: ['SIGTERM', 'SIGKILL'],
    hasShell: true,
    startedSoFar: () => (platform === 'linux' ? startedSoFar() : undefined),
    find: async (child) => {
      const table = await shared(child).catch(() => []);
      // A sandbox may hide the process list; the group can still be signalled, by its negative number.
      if (table.length === 0) return isRunning(-child.pid, kill) ? [-child.pid] : [];
      return ownedBy(child, table);
    },
    signal: async (pids, signal) => {
      for (const pid of pids) quietly(() => kill(pid, signal));
    },
  };
}

/**
 * Windows has no SIGTERM and does not show environments: the tree of a running child is ended with
 * taskkill; processes that outlive their parent are not found.
 */
function windowsControl({ kill = killProcess, run = runProgram }: ControlParts): ProcessControl {
  return {
    ownGroup: false,
    signals: ['SIGKILL'],
    hasShell: false,
    startedSoFar: () => undefined,
    // Windows reuses process ids immediately: after the child's exit its id may belong to another process.
    find: async ({ pid, hasExited }) => (hasExited?.() !== true && isRunning(pid, kill) ? [pid] : []),
    signal: async (pids) => {
      for (const pid of pids) await run(windowsProgram('taskkill'), ['/PID', String(pid), '/T', '/F']);
    },
  };
}

function killProcess(pid: number, signal: string | number): void {
  process.kill(pid, signal);
}

function isRunning(pid: number, kill: (pid: number, signal: number) => void): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process may be gone before its signal arrives. */
function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // There is nothing left to signal.
  }
}

/**
 * Calls in one round of the event loop share one scan, as when many children exit together; a call during a
 * scan gets the next one.
 */
function shareRounds<Asker, T>(read: (askers: readonly Asker[]) => Promise<T>): (asker: Asker) => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: { readonly askers: Asker[]; readonly round: Promise<T> } | undefined;
  return (asker) => {
    if (next === undefined) {
      const askers: Asker[] = [];
      const round = running
        .then(() => nextRound())
        .then(() => {
          next = undefined;
          const reading = read(askers);
          running = reading.catch(() => {});
          return reading;
        });
      next = { askers, round };
    }
    next.askers.push(asker);
    return next.round;
  };
}
