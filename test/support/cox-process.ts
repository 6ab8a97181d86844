import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inTime } from './eventually.js';

/** The emulator as a program, playing 2.1.326. */
export const EMULATED_CLI = 'dist/emulator/claude-2-1-326.js';
/** The same, playing 2.0.73. */
export const EMULATED_OLD_CLI = 'dist/emulator/claude-2-0-73.js';

/** How to start a command line. */
export interface CoxProcessOptions {
  /** A scenario of the emulated CLI, from test/fixtures/scenarios/cox.mjs. */
  readonly scenario?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The contents of stdin. Default: empty. */
  readonly input?: string;
  /** Keeps stdin open. */
  readonly keepInput?: boolean;
}

/** Starts the built program as users do, with pipes. */
export function startCoxProcess(args: readonly string[], options: CoxProcessOptions = {}): Watched {
  const child = spawn(process.execPath, ['dist/command.js', ...args], { env: environment(options) });
  if (options.keepInput !== true) child.stdin.end(options.input ?? '');
  return new Watched(child);
}

/**
 * Starts the built program in a pseudo terminal, so that it sees a person.
 * `script` of util-linux passes its stdin to the terminal as typed text.
 */
export function startCoxTerminal(args: readonly string[], options: CoxProcessOptions = {}): Watched {
  const command = [process.execPath, 'dist/command.js', ...args].map(quoted).join(' ');
  const env = { ...environment(options), TERM: 'xterm-256color' };
  const child = spawn('script', ['-qec', `stty cols 200; exec ${command}`, '/dev/null'], { env });
  return new Watched(child);
}

/** Why no pseudo terminal is available here; undefined if one is. */
export function terminalProblem(): string | undefined {
  const { error } = spawnSync('script', ['--version']);
  return error === undefined
    ? undefined
    : 'no pseudo terminal: the program "script" of util-linux is missing';
}

/** Starts the built program with pipes and waits for its end. */
export async function ranCox(args: readonly string[], options: CoxProcessOptions = {}) {
  const cox = startCoxProcess(args, options);
  const exitCode = await cox.exited;
  return { exitCode, out: cox.out, err: cox.err };
}

/** A process with its output so far. */
export class Watched implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  out = '';
  err = '';
  #seen = { out: 0, err: 0 };
  #wake = () => {};

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#add('out', text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#add('err', text));
    this.exited = once(child, 'close').then(([code, signal]) => code ?? signal);
    void this.exited.then(() => this.#wake());
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it as a user does. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGTERM');
    await this.exited;
  }

  /** Waits for a text that no earlier call has returned. */
  async until(text: string, stream: 'out' | 'err' = 'out'): Promise<void> {
    for (;;) {
      const at = this[stream].indexOf(text, this.#seen[stream]);
      if (at !== -1) {
        this.#seen[stream] = at + text.length;
        return;
      }
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`It ended without ${JSON.stringify(text)}:\n${this.out}\n${this.err}`);
      }
      const more = new Promise<void>((wake) => {
        this.#wake = wake;
      });
      await inTime(more, () => `${JSON.stringify(text)} in\n${this.out}\n${this.err}`);
    }
  }

  #add(stream: 'out' | 'err', text: string): void {
    this[stream] += text;
    this.#wake();
  }
}

/** Only what programs need to start. */
function environment({ scenario, env }: CoxProcessOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    LANG: 'C.UTF-8',
    COXSWAIN_SCENARIO: resolve('test/fixtures/scenarios/cox.mjs'),
    ...(scenario === undefined ? {} : { EMULATED_SCENARIO: scenario }),
    ...env,
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
