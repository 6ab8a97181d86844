import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AcpPlace } from './acp-places.js';
import { nodeFor22 } from './programs-of-others.js';

/** A running acpx command, with its output so far. */
export class AcpxRun {
  out = '';
  err = '';
  readonly exited: Promise<number | string>;
  readonly #child: ChildProcessWithoutNullStreams;

  constructor({ cwd, env }: AcpPlace, args: readonly string[]) {
    const program = resolve('test/acp/node_modules/acpx/dist/cli.js');
    this.#child = spawn(nodeFor22() ?? '', [program, ...args], { cwd, env: env as NodeJS.ProcessEnv });
    this.#child.stdin.end();
    this.#child.stdout.on('data', (chunk) => {
      this.out += chunk;
    });
    this.#child.stderr.on('data', (chunk) => {
      this.err += chunk;
    });
    this.exited = once(this.#child, 'close').then(([code, signal]) => code ?? signal);
  }

  /** Waits until it prints a text, or ends. */
  async until(text: string): Promise<void> {
    while (!this.out.includes(text) && this.#child.exitCode === null)
      await Promise.race([once(this.#child.stdout, 'data'), this.exited]);
  }
}

/** The processes with this home: agents, their CLIs and everything those started. */
export function processesOf({ env }: Pick<AcpPlace, 'env'>): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${env.HOME}`);
    } catch {
      return false;
    }
  });
}
