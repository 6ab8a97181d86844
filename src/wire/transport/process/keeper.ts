import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import type { Clock } from '../../util/clock.js';
import { quietClock } from '../quiet-clock.js';
import { type Deadline, Deadlines } from './deadlines.js';
import { ExitGuard } from './exit-guard.js';
import { KEEPER_SCRIPT } from './keeper-script.js';
import { hostControl, type ProcessControl } from './platform.js';
import { removeLeftovers } from './private-files.js';
import { pathsOf, realSystem, type System } from './system.js';

/** A child that is being watched. */
export interface Watch {
  /** The mark that the child and everything it starts carry in their environment. */
  readonly mark: string;
  /** A folder for private files of this child; not created yet. It is removed when the watch ends. */
  readonly folder: string;
  /** Sets the process id of the child once it is known. */
  cover(pid: number): void;
  /** Ends the watch: no process of the child is left. */
  release(): void;
}

/** The parts of a keeper. */
export interface KeeperParts {
  readonly system?: System;
  readonly control?: ProcessControl;
  readonly spawn?: typeof spawn;
  readonly randomHex?: () => string;
  readonly remove?: (folder: string) => void;
  /** Must not keep the host alive. */
  readonly clock?: Clock;
}

/** How often a keeper that died is restarted. */
const MAX_STARTS = 4;
/** How long a keeper waits for another child after the last one: starting one costs as much as a short session. */
const IDLE_MS = 10_000;

/**
 * Makes sure that no child outlives this host, however the host ends. One shell script per host, started with the
 * first child and ended soon after the last, holds a pipe to the host and ends everything with the mark
 * when the pipe closes. It never keeps the host alive, and exits with it immediately if no child is left.
 */
export class Keeper {
  readonly #system: System;
  readonly #control: ProcessControl;
  readonly #spawn: typeof spawn;
  readonly #randomHex: () => string;
  readonly #remove: (folder: string) => void;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  #isUsed = false;
  #shift: Shift | undefined;

  constructor(parts: KeeperParts = {}) {
    this.#system = parts.system ?? realSystem();
    this.#control = parts.control ?? hostControl(this.#system.platform);
    this.#spawn = parts.spawn ?? spawn;
    this.#randomHex = parts.randomHex ?? (() => randomBytes(16).toString('hex'));
    this.#remove = quietly(parts.remove ?? removeFolder);
    this.#clock = parts.clock ?? quietClock;
    this.#deadlines = new Deadlines(this.#clock.now.bind(this.#clock), () => this.#shift?.tellDeadline());
  }

  /** Starts watching a child that is about to be started. */
  watch(): Watch {
    if (!this.#isUsed) removeLeftovers(this.#system.tmp, this.#remove);
    this.#isUsed = true;
    this.#shift ??= this.#begin();
    return this.#shift.admit();
  }

  /**
   * A deadline that even a stopped host cannot miss: if it passes, the keeper kills all children.
   * Without a shell there is no keeper, and only the host itself can act.
   */
  deadline(): Deadline {
    return this.#deadlines.add();
  }

  /** The process id of the running keeper, if there is one. */
  get pid(): number | undefined {
    return this.#shift?.pid;
  }

  // Each shift has its own mark: a keeper that is exiting must not end the children of the next one.
  #begin(): Shift {
    const mark = this.#randomHex();
    const folder = pathsOf(this.#system.platform).join(this.#system.tmp, `coxswain-${mark}`);
    const start = this.#control.hasShell ? () => this.#startScript(mark, folder) : () => undefined;
    const shift: Shift = new Shift({
      mark,
      folder,
      start,
      remove: this.#remove,
      clock: this.#clock,
      msLeft: () => this.#deadlines.left,
      onOver: () => {
        if (this.#shift === shift) this.#shift = undefined;
      },
    });
    return shift;
  }

  #startScript(mark: string, folder: string): ChildProcess | undefined {
    try {
      const child = this.#spawn('/bin/sh', ['-c', KEEPER_SCRIPT, 'coxswain-keeper'], {
        detached: true,
        cwd: '/',
        // Not the host's environment: if the host itself carries a mark, the keeper must not.
        env: {
          PATH: this.#system.env.PATH ?? '/usr/bin:/bin',
          KEEPER_MARK: mark,
          KEEPER_FOLDER: folder,
          KEEPER_TABLE: this.#system.platform === 'linux' ? 'proc' : 'ps',
        },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.unref();
      // The pipe is a socket, which would keep the host alive on its own.
      if (child.stdin !== null && 'unref' in child.stdin && typeof child.stdin.unref === 'function') {
        child.stdin.unref();
      }
      child.stdin?.on('error', () => {});
      return child;
    } catch {
      return undefined;
    }
  }
}

interface ShiftParts {
  readonly mark: string;
  readonly folder: string;
  readonly start: () => ChildProcess | undefined;
  readonly remove: (folder: string) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** Until the nearest deadline, if there is one. */
  readonly msLeft: () => number | undefined;
  /** No more children can be added. */
  readonly onOver: () => void;
}

/** The time from the first child until some time after the last one, with one mark and one keeper process. */
class Shift {
  readonly #parts: ShiftParts;
  readonly #pids = new Set<number>();
  readonly #guard = new ExitGuard();
  /** What the keeper has not been told yet. */
  #unsaid: string[] = [];
  #saying: NodeJS.Immediate | undefined;
  #script: ChildProcess | undefined;
  #starts = 0;
  #admitted = 0;
  #present = 0;
  #hasDeadline = false;
  #cancelEnd: (() => void) | undefined;

  constructor(parts: ShiftParts) {
    this.#parts = parts;
    this.#startScript();
  }

  get pid(): number | undefined {
    return this.#script?.pid;
  }

  admit(): Watch {
    this.#wake();
    this.#admitted += 1;
    this.#present += 1;
    const folder = `${this.#parts.folder}/${this.#admitted}`;
    let covered: number | undefined;
    let released = false;
    return {
      mark: `${this.#parts.mark}-${this.#admitted}`,
      folder,
      cover: (pid) => {
        covered = pid;
        this.#cover(pid);
      },
      release: () => {
        if (released) return;
        released = true;
        this.#parts.remove(folder);
        if (covered !== undefined) this.#uncover(covered);
        this.#present -= 1;
        if (this.#present === 0) this.#rest();
      },
    };
  }

  /** The last child is gone, but another one may come soon. */
  #rest(): void {
    this.#parts.remove(this.#parts.folder);
    if (this.#script === undefined) {
      this.#end();
      return;
    }
    this.#tellSoon('rest');
    this.#cancelEnd = this.#parts.clock.after(IDLE_MS, () => this.#end());
  }

  /** Called before the next child starts: from then on the keeper has something to end. */
  #wake(): void {
    if (this.#cancelEnd === undefined) return;
    this.#cancelEnd();
    this.#cancelEnd = undefined;
    // It never heard that it may rest.
    if (this.#unsaid.at(-1) === 'rest') this.#unsaid.pop();
    else this.#tell('wake');
  }

  tellDeadline(): void {
    const left = this.#parts.msLeft();
    if (left === undefined && !this.#hasDeadline) return;
    this.#hasDeadline = left !== undefined;
    this.#tell(`until ${left === undefined ? 'never' : (left / 1_000).toFixed(3)}`);
  }

  #cover(pid: number): void {
    this.#pids.add(pid);
    this.#tell(`add ${pid}`);
    this.#guard.add(pid);
  }

  #uncover(pid: number): void {
    this.#pids.delete(pid);
    this.#tellSoon(`del ${pid}`);
    this.#guard.remove(pid);
  }

  #startScript(): void {
    this.#starts += 1;
    // It gets the list as it is now.
    this.#forget();
    const script = this.#parts.start();
    this.#script = script;
    // Without a script (Windows, no /bin/sh), only an orderly exit of the host can clean up.
    if (script === undefined) this.#guard.enable();
    script?.once('error', () => this.#restart(script));
    script?.once('exit', () => this.#restart(script));
    for (const pid of this.#pids) this.#tell(`add ${pid}`);
    this.tellDeadline();
  }

  /** The keeper died: another one takes over, with the same mark. */
  #restart(gone: ChildProcess): void {
    if (this.#script !== gone) return;
    this.#script = undefined;
    if (this.#present === 0) this.#end();
    else if (this.#starts < MAX_STARTS) this.#startScript();
    else this.#guard.enable();
  }

  #tell(line: string): void {
    this.#unsaid.push(line);
    this.#say();
  }

  /**
   * What only takes work from the keeper waits for the next round of the event loop: each line wakes a process, and a child
   * that starts by then changes it. If the host exits before, the keeper searches for processes that do not exist.
   */
  #tellSoon(line: string): void {
    this.#unsaid.push(line);
    this.#saying ??= setImmediate(() => this.#say());
  }

  #say(): void {
    const lines = this.#forget();
    if (lines.length > 0) this.#script?.stdin?.write(`${lines.join('\n')}\n`);
  }

  #forget(): readonly string[] {
    const lines = this.#unsaid;
    this.#unsaid = [];
    clearImmediate(this.#saying);
    this.#saying = undefined;
    return lines;
  }

  #end(): void {
    const script = this.#script;
    this.#script = undefined;
    this.#cancelEnd?.();
    this.#forget();
    this.#parts.onOver();
    this.#guard.disable();
    script?.stdin?.end('quit\n');
  }
}

function removeFolder(folder: string): void {
  // Most children have none, and removing what is not there costs an error each time.
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}

/** On Windows an open file cannot be removed; it is in the temporary folder and does not affect the session. */
function quietly(remove: (folder: string) => void): (folder: string) => void {
  return (folder) => {
    try {
      remove(folder);
    } catch {
      // The system removes it eventually.
    }
  };
}

let shared: Keeper | undefined;

/** The keeper of this host; one for all its transports. */
export function hostKeeper(): Keeper {
  shared ??= new Keeper();
  return shared;
}
