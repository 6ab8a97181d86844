import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Console } from '../../src/server/console/start-console.js';
import { Keeper } from '../../src/wire/transport/process/keeper.js';
import { chainMarks, MARK_VARIABLE } from '../../src/wire/transport/process/process-mark.js';
import { inTime } from './eventually.js';

const keeper = new Keeper();

/** A part of a fleet as a process of its own; it goes after the test. */
export interface FleetProcess {
  readonly pid: number;
  /** What it has printed, one object a line. */
  readonly said: readonly Record<string, string>[];
  readonly exited: Promise<unknown>;
  signal(name: NodeJS.Signals): void;
  tell(line: string): void;
  /** Waits until it prints this. */
  heard(key: string, count?: number): Promise<string>;
}

/** What a worker's process is told; see the program. */
export interface WorkerProcessOptions {
  readonly nats: string | readonly string[];
  readonly root: string;
  readonly leaseSeconds?: number;
  readonly slots?: number;
  readonly labels?: readonly string[];
  /** A CLI to start as a process; emulated in the worker unless given. */
  readonly cli?: string;
  /** A folder: with a file `all` in it, every CLI that is started ends its worker. */
  readonly poison?: string;
  /** A file that grows by a byte with each message that a CLI says. */
  readonly said?: string;
  readonly configDir?: string;
  readonly workspaces?: unknown;
  /** How its CLIs are started. */
  readonly session?: object;
}

/** Starts a worker and waits until it takes conversations. */
export async function workerProcess({ root, ...options }: WorkerProcessOptions): Promise<FleetProcess> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'coxswain-worker-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true, maxRetries: 3 }));
  const given = { leaseSeconds: 3, slots: 100, configDir: root, ...options, roots: [root], stateFolder };
  const started = start('worker', given);
  await started.heard('worker');
  return started;
}

/** Starts a gateway; gives where it is. */
export async function gatewayProcess(
  nats: string | readonly string[],
): Promise<FleetProcess & Pick<Console, 'origin' | 'token'>> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'coxswain-gateway-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true, maxRetries: 3 }));
  const started = start('gateway', { fleet: { nats }, stateFolder });
  await started.heard('origin');
  const { origin = '', token = '' } = started.said[0] ?? {};
  return Object.assign(started, { origin, token });
}

function start(program: 'worker' | 'gateway', options: object): FleetProcess {
  const file = fileURLToPath(new URL(`../fixtures/fleet/${program}.mjs`, import.meta.url));
  const watch = keeper.watch();
  const env = { ...process.env, [MARK_VARIABLE]: chainMarks(process.env[MARK_VARIABLE], watch.mark) };
  const child = spawn(process.execPath, ['--expose-gc', file, JSON.stringify(options)], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  watch.cover(child.pid ?? 0);
  const running = new RunningPart(child);
  void running.exited.then(() => watch.release());
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await running.exited;
  });
  return running;
}

class RunningPart implements FleetProcess {
  readonly said: Record<string, string>[] = [];
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;
  #errors = '';
  #waiting: (() => void)[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    this.exited = once(child, 'exit');
    void this.exited.then(() => this.#wake());
    if (child.stdout === null) throw new Error('no pipe');
    createInterface(child.stdout).on('line', (line) => {
      this.said.push(JSON.parse(line));
      this.#wake();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = `${this.#errors}${text}`.slice(-20_000);
    });
    child.stdin?.on('error', () => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async heard(key: string, count = 1): Promise<string> {
    for (;;) {
      const found = this.said.filter((each) => key in each)[count - 1];
      if (found !== undefined) return found[key] ?? '';
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`It left before it said ${key}: ${this.#errors}`);
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await inTime(more, () => `${key}, said by a process: ${this.#errors}`);
    }
  }
}
