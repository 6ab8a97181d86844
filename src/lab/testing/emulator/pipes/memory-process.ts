import { PassThrough } from 'node:stream';
import { LineReader } from '../../../../wire/transport/line-reader.js';
import { LineWriter } from '../../../../wire/transport/line-writer.js';
import { StderrTail } from '../../../../wire/transport/process/stderr-tail.js';
import type { OnLines, Transport, TransportEnd } from '../../../../wire/transport/transport.js';
import { type Clock, systemClock, within } from '../../../../wire/util/clock.js';
import { deferred } from '../../../../wire/util/deferred.js';
import type { CliPipes, ExitStatus } from './pipes.js';

/** The options of a {@link MemoryProcess}. */
export interface MemoryProcessOptions {
  readonly clock?: Clock;
  /** How long each step of closing waits: end of input, SIGTERM, SIGKILL. */
  readonly closeWaitMs?: number;
}

/** A process in memory: pipes, signals, an exit status, and the host's transport to it. */
export class MemoryProcess {
  readonly pipes: CliPipes;
  readonly transport: Transport;
  readonly #exited = deferred<ExitStatus>();
  #onSignal: ((signal: string) => void) | undefined;
  #over = false;

  constructor({ clock = systemClock, closeWaitMs = 250 }: MemoryProcessOptions = {}) {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const tail = new StderrTail(stderr);
    this.pipes = {
      stdin,
      stdout,
      stderr,
      exit: (status) => this.#exit(status),
      onSignal: (listener) => {
        this.#onSignal = listener;
      },
    };
    this.transport = new ProcessTransport(stdin, stdout, {
      exited: this.#exited.promise,
      end: (status) => ({ reason: 'exited', ...status, stderrTail: tail.text }),
      kill: (signal) => this.kill(signal),
      hasLeft: (ms) => within(this.#exited.promise, ms, clock),
      closeWaitMs,
    });
  }

  /** Sends a signal: SIGKILL, or a signal without a listener, ends the process. */
  kill(signal: string): void {
    if (this.#over) return;
    if (signal === 'SIGKILL' || this.#onSignal === undefined) this.#exit({ code: null, signal });
    else this.#onSignal(signal);
  }

  #exit(status: ExitStatus): void {
    if (this.#over) return;
    this.#over = true;
    this.pipes.stdout.end();
    this.pipes.stdin.destroy();
    this.#exited.resolve(status);
  }
}

interface ProcessHandle {
  readonly exited: Promise<ExitStatus>;
  readonly end: (status: ExitStatus) => TransportEnd;
  readonly kill: (signal: string) => void;
  /** Whether it exits within this time. */
  readonly hasLeft: (ms: number) => Promise<boolean>;
  readonly closeWaitMs: number;
}

/** The host's end: its `ended` says how the process ended, its `close` gets more forceful step by step. */
class ProcessTransport implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly #stdin: PassThrough;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #process: ProcessHandle;
  #closing: Promise<TransportEnd> | undefined;

  constructor(stdin: PassThrough, stdout: PassThrough, process: ProcessHandle) {
    this.#stdin = stdin;
    this.#reader = new LineReader(stdout);
    this.#writer = new LineWriter(stdin);
    this.#process = process;
    this.ended = this.#end();
  }

  start(onLines: OnLines): void {
    this.#reader.start(onLines);
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  send(line: string): Promise<void> {
    return this.#writer.send(line);
  }

  close(): Promise<TransportEnd> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #end(): Promise<TransportEnd> {
    const status = await this.#process.exited;
    await this.#reader.done;
    return this.#process.end(status);
  }

  async #close(): Promise<TransportEnd> {
    const { exited, kill, hasLeft, closeWaitMs } = this.#process;
    this.#stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      if (await hasLeft(closeWaitMs)) break;
      kill(signal);
    }
    await exited;
    this.#writer.abandon();
    this.#reader.destroy();
    return this.ended;
  }
}
