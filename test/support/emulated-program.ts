import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { label } from './emulated-host.js';
import { inTime } from './eventually.js';

/** The flags that every SDK passes. */
export const STREAMING = [
  '--output-format',
  'stream-json',
  '--input-format',
  'stream-json',
  '--verbose',
  '--permission-prompt-tool',
  'stdio',
];

/** The built program of a version. */
export function programOf(version: string): string {
  const name = `claude-${version.replaceAll('.', '-')}.js`;
  return fileURLToPath(new URL(`../../dist/emulator/${name}`, import.meta.url));
}

/** How an {@link EmulatedProgram} is started. */
export interface StartOptions {
  readonly version?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The emulated CLI as a separate process, driven with raw lines. */
export class EmulatedProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly frames: WireObject[] = [];
  readonly lines: string[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stderr = '';
  #wake: () => void = () => {};

  constructor({ version = '2.1.326', args = STREAMING, env = {}, cwd }: StartOptions = {}) {
    // A conversation that no test resumes goes with its program.
    const sessions = mkdtempSync(join(tmpdir(), 'emulated-sessions-'));
    this.child = spawn(process.execPath, [programOf(version), ...args], {
      env: { PATH: process.env.PATH, COXSWAIN_SESSIONS: sessions, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    const read = once(
      createInterface(this.child.stdout).on('line', (line) => this.#take(line)),
      'close',
    );
    this.exited = once(this.child, 'exit').then(async ([code, signal]) => {
      await read;
      rmSync(sessions, { recursive: true, force: true });
      return { code, signal };
    });
    void this.exited.then(() => this.#wake());
  }

  write(text: string): void {
    this.child.stdin.write(text);
  }

  send(frame: WireObject): void {
    this.write(`${JSON.stringify(frame)}\n`);
  }

  user(text: string, extra: WireObject = {}): void {
    this.send({ type: 'user', message: { role: 'user', content: text }, ...extra });
  }

  answer({ request_id: id }: WireObject, response: unknown): void {
    this.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  }

  /** Waits for the first frame of this kind; fails if the process ends. */
  async next(wanted: string): Promise<WireObject> {
    for (;;) {
      const found = this.frames.find((frame) => label(frame) === wanted);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`The program ended before ${wanted}: ${this.stderr}`);
      }
      const more = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await inTime(more, () => `${wanted} of ${this.frames.map(label)}; ${this.stderr}`);
    }
  }

  /** Ends the input and waits for the exit. */
  async close(): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.child.stdin.end();
    return this.exited;
  }

  #take(line: string): void {
    this.lines.push(line);
    try {
      const frame: unknown = JSON.parse(line);
      if (isObject(frame)) this.frames.push(frame);
    } catch {
      // Noise is only in `lines`.
    }
    this.#wake();
  }
}
