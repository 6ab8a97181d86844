import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { ExitGuard } from './exit-guard.js';
import { KEEPER_SCRIPT } from './keeper-script.js';
import { type ProcessControl, processControl } from './platform.js';
import { pathsOf, realSystem, type System } from './system.js';

/** One child that is watched over. */
export interface Watch {
  /** The value that the child and all it starts carry in their environment. */
  readonly mark: string;
  /** A folder for private files of this child; not made yet. It goes when the watch ends. */
  readonly folder: string;
  /** Names the child once it has a number. */
  cover(pid: number): void;
  /** Ends the watch: nothing of the child is left. */
  release(): void;
}

/** What a keeper is made of. */
export interface KeeperParts {
  readonly system?: System;
  readonly control?: ProcessControl;
  readonly spawn?: typeof spawn;
  readonly randomHex?: () => string;
}

/** How often a keeper that died is started again. */
const MAX_STARTS = 4;

/**
 * Sees to it that no child outlives this host, however the host ends: one shell script per host, started
 * with the first child and gone with the last, holds a pipe to the host and ends what carries the mark
 * when the pipe closes. It never keeps the host alive.
 */
export class Keeper {
  readonly #system: System;
  readonly #control: ProcessControl;
  readonly #spawn: typeof spawn;
  readonly #randomHex: () => string;
  #shift: Shift | undefined;

  constructor(parts: KeeperParts = {}) {
    this.#system = parts.system ?? realSystem();
    this.#control = parts.control ?? processControl(this.#system.platform);
    this.#spawn = parts.spawn ?? spawn;
    this.#randomHex = parts.randomHex ?? (() => randomBytes(16).toString('hex'));
  }

  /** Begins to watch over a child that is about to be started. */
  watch(): Watch {
    this.#shift ??= this.#begin();
    const shift = this.#shift;
    return shift.admit(() => {
      if (this.#shift === shift) this.#shift = undefined;
    });
  }

  /** The number of the running keeper process, if there is one. */
  get pid(): number | undefined {
    return this.#shift?.pid;
  }

  // Each shift has a mark of its own: a keeper on its way out must not end the children of the next one.
  #begin(): Shift {
    const mark = this.#randomHex();
    const folder = pathsOf(this.#system.platform).join(this.#system.tmp, `coxswain-${mark}`);
    const start = this.#control.hasShell ? () => this.#startScript(mark, folder) : () => undefined;
    return new Shift(mark, folder, start);
  }

  #startScript(mark: string, folder: string): ChildProcess | undefined {
    try {
      const child = this.#spawn('/bin/sh', ['-c', KEEPER_SCRIPT, 'coxswain-keeper'], {
        detached: true,
        cwd: '/',
        // Not the host's environment: a mark of the host's own owner must not be on the keeper.
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

/** The time from the first child to the last one, with one mark and one keeper process. */
class Shift {
  readonly #mark: string;
  readonly #folder: string;
  readonly #start: () => ChildProcess | undefined;
  readonly #pids = new Set<number>();
  readonly #guard = new ExitGuard();
  #script: ChildProcess | undefined;
  #starts = 0;
  #admitted = 0;
  #present = 0;

  constructor(mark: string, folder: string, start: () => ChildProcess | undefined) {
    this.#mark = mark;
    this.#folder = folder;
    this.#start = start;
    this.#startScript();
  }

  get pid(): number | undefined {
    return this.#script?.pid;
  }

  admit(onLast: () => void): Watch {
    this.#admitted += 1;
    this.#present += 1;
    const folder = `${this.#folder}/${this.#admitted}`;
    let covered: number | undefined;
    let released = false;
    return {
      mark: `${this.#mark}-${this.#admitted}`,
      folder,
      cover: (pid) => {
        covered = pid;
        this.#cover(pid);
      },
      release: () => {
        if (released) return;
        released = true;
        rmSync(folder, { recursive: true, force: true });
        if (covered !== undefined) this.#uncover(covered);
        this.#present -= 1;
        if (this.#present > 0) return;
        onLast();
        this.#end();
      },
    };
  }

  #cover(pid: number): void {
    this.#pids.add(pid);
    this.#tell(`add ${pid}`);
    this.#guard.add(pid);
  }

  #uncover(pid: number): void {
    this.#pids.delete(pid);
    this.#tell(`del ${pid}`);
    this.#guard.remove(pid);
  }

  #startScript(): void {
    this.#starts += 1;
    const script = this.#start();
    this.#script = script;
    // Without a script (Windows, no /bin/sh) what can be done is done when the host exits in an orderly way.
    if (script === undefined) this.#guard.enable();
    script?.once('error', () => this.#restart(script));
    script?.once('exit', () => this.#restart(script));
    for (const pid of this.#pids) this.#tell(`add ${pid}`);
  }

  /** Somebody ended the keeper: another one takes over, with the same mark. */
  #restart(gone: ChildProcess): void {
    if (this.#script !== gone || this.#present === 0) return;
    this.#script = undefined;
    if (this.#starts < MAX_STARTS) this.#startScript();
    else this.#guard.enable();
  }

  #tell(line: string): void {
    this.#script?.stdin?.write(`${line}\n`);
  }

  #end(): void {
    const script = this.#script;
    this.#script = undefined;
    this.#guard.disable();
    rmSync(this.#folder, { recursive: true, force: true });
    script?.stdin?.end('quit\n');
  }
}

let shared: Keeper | undefined;

/** The keeper of this host; one for all its transports. */
export function hostKeeper(): Keeper {
  shared ??= new Keeper();
  return shared;
}
