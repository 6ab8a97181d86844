import { EventEmitter } from 'node:events';
import { PassThrough, Transform } from 'node:stream';
import { Emulator } from '../../../src/lab/testing/emulator/emulator.js';
import type { CliPipes, ExitStatus } from '../../../src/lab/testing/emulator/pipes/pipes.js';
import { isRefusal, readArguments } from '../../../src/lab/testing/emulator/program/arguments.js';
import { launchSession } from '../../../src/lab/testing/emulator/program/session-start.js';
import { Transcript } from '../../../src/lab/testing/emulator/program/transcript.js';
import type { Scenario } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { Script } from '../../../src/lab/testing/emulator/turns/scenario-progress.js';
import { traitsOf } from '../../../src/lab/testing/emulator/versions/traits.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { systemClock } from '../../../src/wire/util/clock.js';

/** The argument of `spawnClaudeCodeProcess`. */
export interface Spawn {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What is played in a process. */
export interface Play {
  readonly scenario: Scenario;
  readonly version: string;
  /** The current folder if the program names none. */
  readonly folder: string;
}

/** A fake CLI process: an emulator in memory behind the object that both SDKs accept as a child process. */
export class EmulatedProcess extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout: Transform;
  readonly pid = 4711;
  killed = false;
  exitCode: number | null = null;
  signalCode: string | null = null;
  /** Every line from the host. */
  readonly lines: readonly string[];
  /** Plays the scenario, and records differences. */
  readonly script: Script;
  /** Every object that the CLI wrote. */
  readonly written: WireObject[] = [];
  /** The signals that were sent. */
  readonly signals: string[] = [];
  /** How many results the CLI had written when its input ended. */
  resultsAtEof: number | undefined;
  readonly exited: Promise<ExitStatus>;
  #onSignal: ((signal: string) => void) | undefined;
  #settle: (status: ExitStatus) => void = () => {};
  #over = false;

  constructor(spawn: Spawn, play: Play) {
    super();
    this.exited = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.stdout = recorder(this.written);
    // A host may write to an exited process; that must not end the tests.
    this.stdin.on('error', () => {});
    this.stdin.on('finish', () => {
      this.resultsAtEof ??= this.written.filter(({ type }) => type === 'result').length;
    });
    this.script = new Script(play.scenario);
    this.lines = this.#start(spawn, play);
  }

  kill(signal = 'SIGTERM'): boolean {
    if (this.#over) return false;
    this.killed = true;
    this.signals.push(signal);
    if (signal === 'SIGKILL' || this.#onSignal === undefined) this.#exit({ code: null, signal });
    else this.#onSignal(signal);
    return true;
  }

  #start(spawn: Spawn, { version, folder }: Play): readonly string[] {
    const { env, cwd = folder } = spawn;
    const traits = traitsOf(version);
    const args = readArguments(cliArguments(spawn));
    const state = launchSession({ args, traits, env, cwd, pid: this.pid, isRoot: false });
    if (isRefusal(state)) {
      if (state.message !== undefined) this.stdout.write(`${JSON.stringify(state.message)}\n`);
      this.#exit({ code: state.code, signal: null });
      return [];
    }
    const clock = systemClock;
    const transcript = new Transcript({ env, cwd, sessionId: state.sessionId, traits, clock });
    const emulator = new Emulator({
      pipes: this.#pipes(),
      traits,
      script: this.script,
      state,
      clock,
      strict: true,
      keepsLines: true,
      transcript,
    });
    void emulator.start();
    return emulator.lines;
  }

  #pipes(): CliPipes {
    return {
      stdin: this.stdin,
      stdout: this.stdout,
      stderr: new PassThrough().resume(),
      exit: (status) => this.#exit(status),
      onSignal: (listener) => {
        this.#onSignal = listener;
      },
    };
  }

  #exit(status: ExitStatus): void {
    if (this.#over) return;
    this.#over = true;
    this.stdin.destroy();
    this.stdout.end(() => {
      this.exitCode = status.code;
      this.signalCode = status.signal;
      this.#settle(status);
      this.emit('exit', status.code, status.signal);
      this.emit('close', status.code, status.signal);
    });
  }
}

/** The arguments of the CLI itself, without Node and the path of a script if the CLI is one. */
export function cliArguments({ args }: Pick<Spawn, 'args'>): readonly string[] {
  const script = args.findIndex((word) => /\.[cm]?js$/.test(word));
  return args.slice(script + 1);
}

function recorder(written: WireObject[]): Transform {
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      const lines = `${rest}${chunk.toString('utf8')}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) keep(line, written);
      next(null, chunk);
    },
  });
}

function keep(line: string, written: WireObject[]): void {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) written.push(value);
  } catch {
    // Noise is a part of some scenarios.
  }
}
