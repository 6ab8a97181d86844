import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../../src/lab/testing/emulator/steps/result-steps.js';
import { programOf } from '../../support/emulated-program.js';
import { EmulatedProcess, type Spawn } from './emulated-process.js';
import type { Options, Program, RunningQuery, Sdk } from './program.js';

/** One process that a program started. */
export interface Launch {
  readonly spawn: Spawn;
  readonly process: EmulatedProcess;
}

const ANSWERS: Scenario = [onUser(undefined, [done('Hello.')], { times: 'any' })];

/** Where one program runs once: creates the processes, and records what the program saw. */
export class Stage {
  /** The values of iterators, in order. */
  readonly messages: unknown[] = [];
  /** The callback calls with their arguments, and the results of methods, in order. */
  readonly calls: unknown[] = [];
  readonly launches: Launch[] = [];
  readonly folder: string;
  readonly #program: Program;
  readonly #sdk: Sdk;

  constructor(program: Program, sdk: Sdk, folder: string) {
    this.#program = program;
    this.#sdk = sdk;
    this.folder = folder;
  }

  /** Options that replace the CLI with the emulator, and those of the program. */
  options(own: Options = {}): Options {
    return {
      pathToClaudeCodeExecutable: programOf(this.#program.version ?? '2.1.326'),
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, COXSWAIN_SESSIONS: join(this.folder, 'sessions') },
      spawnClaudeCodeProcess: (spawn: Spawn) => this.spawn(spawn),
      ...own,
    };
  }

  /** Options for a real process: the emulator as a program, which plays steps that are plain data. */
  processOptions(scenario: Scenario, own: Options = {}): Options {
    const path = join(this.folder, 'scenario.json');
    writeFileSync(path, JSON.stringify(scenario));
    const { env, ...rest } = this.options();
    return {
      ...rest,
      spawnClaudeCodeProcess: undefined,
      env: { ...(env as Options), COXSWAIN_SCENARIO: path },
      ...own,
    };
  }

  spawn(spawn: Spawn): EmulatedProcess {
    const { scenarios = [ANSWERS], version = '2.1.326' } = this.#program;
    const scenario = scenarios[this.launches.length] ?? scenarios.at(-1) ?? ANSWERS;
    const process = new EmulatedProcess(spawn, { scenario, version, folder: this.folder });
    this.launches.push({ spawn, process });
    return process;
  }

  /** Records a call or a return. */
  tell(...what: readonly unknown[]): void {
    this.calls.push(what);
  }

  /** Records how a promise settles. */
  async outcome(name: string, promise: unknown): Promise<void> {
    try {
      this.tell(name, await promise);
    } catch (error) {
      this.tell(`${name} failed`, this.thrown(error));
    }
  }

  /** An error, with the fields that programs check. */
  thrown(error: unknown): unknown {
    return { thrown: error, isAbortError: error instanceof this.#sdk.AbortError };
  }

  /** Reads a query to its end and records each message; exceptions are recorded too. */
  async read(
    query: AsyncIterable<unknown>,
    onMessage?: (message: Record<string, unknown>, query: RunningQuery) => unknown,
  ): Promise<void> {
    try {
      for await (const message of query) {
        this.messages.push(message);
        if ((await onMessage?.(message as Record<string, unknown>, query as RunningQuery)) === STOP) break;
      }
      this.messages.push('end');
    } catch (error) {
      this.messages.push(this.thrown(error));
    }
  }

  /** Runs a query whose messages wait for each other, and calls a method after the first turn. */
  async askBetween(
    ask: (query: RunningQuery) => Promise<unknown>,
    messages: readonly string[] = ['one', 'two'],
  ): Promise<void> {
    const prompts = new Prompts();
    const query = this.#sdk.query({ prompt: prompts.of(...messages), options: this.options() });
    let results = 0;
    await this.read(query, async ({ type }) => {
      if (type !== 'result') return;
      results += 1;
      if (results === 1) await ask(query);
      prompts.next();
    });
  }
}

/** What `onMessage` returns to leave the loop. */
export const STOP = Symbol('stop');

/** User messages for a streaming prompt. */
export function user(content: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, ...more };
}

/** A prompt whose messages wait for each other: the next one is sent when `next` is called. */
export class Prompts {
  #wake: () => void = () => {};

  next(): void {
    this.#wake();
  }

  async *of(...messages: readonly unknown[]): AsyncGenerator<unknown> {
    for (const message of messages) {
      const answered = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      yield typeof message === 'string' ? user(message) : message;
      await answered;
    }
  }
}
