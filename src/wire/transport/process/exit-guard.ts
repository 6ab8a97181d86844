import { spawnSync } from 'node:child_process';
import { windowsProgram } from './program-path.js';

/**
 * Ends children on systems where no keeper can run, with an exit listener. It handles an orderly exit and a throw,
 * but not SIGKILL. One listener per host, and only while it is enabled.
 */
export class ExitGuard {
  readonly #pids = new Set<number>();
  readonly #endTree: (pid: number) => void;
  readonly #emitter: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  readonly #onExit = (): void => {
    for (const pid of this.#pids) this.#endTree(pid);
  };
  #enabled = false;

  constructor(
    endTree: (pid: number) => void = endTreeNow,
    emitter: Pick<NodeJS.EventEmitter, 'on' | 'off'> = process,
  ) {
    this.#endTree = endTree;
    this.#emitter = emitter;
  }

  add(pid: number): void {
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    this.#pids.delete(pid);
  }

  enable(): void {
    if (this.#enabled) return;
    this.#enabled = true;
    this.#emitter.on('exit', this.#onExit);
  }

  disable(): void {
    this.#enabled = false;
    this.#emitter.off('exit', this.#onExit);
  }
}

/** An exit listener cannot wait, so everything here is synchronous. */
function endTreeNow(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync(windowsProgram('taskkill'), ['/PID', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
