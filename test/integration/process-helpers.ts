import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Transport } from '../../src/wire/transport/transport.js';
import { inTime } from '../support/eventually.js';

/** The path of a small program that replaces a CLI. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/cli/${name}.mjs`, import.meta.url));
}

/** Short deadlines for programs that ignore everything. */
export const soon = { eofMs: 150, termMs: 300, killMs: 3000 } as const;

/** Long deadlines for programs that end when they are asked to, however busy the machine is: they cost no time. */
export const patient = { eofMs: 60_000, termMs: 60_000, killMs: 60_000 } as const;

/** Whether a process is running; zombies do not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

/** The command line of a process; empty if it is gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The processes that still run after a while; returns as soon as none does. */
export async function stillRunning(pids: readonly number[], waitMs = 10_000): Promise<number[]> {
  const until = Date.now() + waitMs;
  for (;;) {
    const left = pids.filter(isRunning);
    if (left.length === 0 || Date.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The processes that carry a mark in their environment. */
export async function carriersOf(text: string): Promise<number[]> {
  const { readProcFolder } = await import('../../src/wire/transport/process/process-table.js');
  return (await readProcFolder()).filter(({ mark }) => mark.includes(text)).map(({ pid }) => pid);
}

/** Starts a transport and keeps its lines. */
export class Listener {
  readonly lines: string[] = [];
  #wake: () => void = () => {};

  constructor(transport: Transport) {
    transport.start((lines) => {
      this.lines.push(...lines);
      this.#wake();
    });
  }

  /** Waits until this many lines have arrived. */
  async count(wanted: number): Promise<readonly string[]> {
    while (this.lines.length < wanted) {
      const added = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await inTime(added, () => `line ${wanted} after ${JSON.stringify(this.lines.slice(-3))}`);
    }
    return this.lines;
  }

  /** Waits for a line and reads it as JSON. */
  async json(index = 0): Promise<Record<string, unknown>> {
    const lines = await this.count(index + 1);
    return JSON.parse(lines[index] ?? '');
  }
}
