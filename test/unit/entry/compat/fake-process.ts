import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Options } from '../../../../src/entry/compat/types/option-types.js';
import type { SpawnedProcess, SpawnOptions } from '../../../../src/entry/compat/types/process-types.js';
import { isObject, type WireObject } from '../../../../src/wire/protocol/frames.js';

/** How a fake CLI reacts to its input. */
export interface FakeCli {
  /** The contents of the answer to `initialize`; null for none. Default: a new one. */
  readonly version?: string | null;
  readonly onUser?: (cli: FakeProcess, message: WireObject) => void;
  /** The answer to a control request; null for none. */
  readonly onRequest?: (body: WireObject) => WireObject | null;
  /** Unless set, the process exits when its stdin ends. */
  readonly onEof?: (cli: FakeProcess) => void;
  readonly onKill?: (cli: FakeProcess, signal: string) => void;
}

/** A CLI in memory, as the program's own spawner would return it. */
export class FakeProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly heard: WireObject[] = [];
  readonly signals: string[] = [];
  killed = false;
  exitCode: number | null = null;
  inputEnded = false;

  constructor(cli: FakeCli = {}) {
    super();
    const lines = createInterface({ input: this.stdin });
    lines.on('line', (line) => this.#hear(cli, line));
    lines.on('close', () => {
      this.inputEnded = true;
      if (cli.onEof === undefined) this.exit(0);
      else cli.onEof(this);
    });
    this.#onKill = cli.onKill ?? ((process, signal) => process.exit(null, signal));
  }

  readonly #onKill: (cli: FakeProcess, signal: string) => void;

  say(message: WireObject): void {
    this.stdout.write(`${JSON.stringify(message)}\n`);
  }

  ask(id: string, request: WireObject): void {
    this.say({ type: 'control_request', request_id: id, request });
  }

  kill(signal: NodeJS.Signals): boolean {
    this.killed = true;
    this.signals.push(signal);
    this.#onKill(this, signal);
    return true;
  }

  exit(code: number | null, signal: string | null = null): void {
    if (this.exitCode !== null) return;
    this.exitCode = code ?? -1;
    this.stdout.end();
    this.emit('exit', code, signal);
  }

  /** The answers to its requests, by id. */
  get answers(): Record<string, unknown> {
    const given = this.heard.filter(({ type }) => type === 'control_response');
    return Object.fromEntries(
      given.map(({ response }) => (isObject(response) ? [String(response.request_id), response] : [])),
    );
  }

  #hear({ onUser = hello, onRequest = () => ({}), version = '2.1.326' }: FakeCli, line: string): void {
    const message: unknown = JSON.parse(line);
    if (!isObject(message)) return;
    this.heard.push(message);
    if (message.type === 'user') onUser(this, message);
    if (message.type !== 'control_request' || !isObject(message.request)) return;
    const answer = onRequest(message.request);
    const tells = answer !== null && version !== null && message.request.subtype === 'initialize';
    const response = tells ? { ...answer, claude_code_version: version } : answer;
    const { request_id } = message;
    if (response !== null)
      this.say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  }
}

/** One turn: its start and its result. */
export function hello(cli: FakeProcess): void {
  cli.say(INIT);
  cli.say(RESULT);
}

export const INIT = { type: 'system', subtype: 'init', session_id: 's', uuid: 'u' };
export const RESULT = { type: 'result', subtype: 'success', is_error: false, result: 'hi', session_id: 's' };

/** Options that start fake CLIs, and the started ones. */
export function fakeCli(cli: FakeCli = {}): {
  options: Options;
  started: FakeProcess[];
  asked: SpawnOptions[];
} {
  const started: FakeProcess[] = [];
  const asked: SpawnOptions[] = [];
  const spawnClaudeCodeProcess = (options: SpawnOptions) => {
    asked.push(options);
    const process = new FakeProcess(cli);
    started.push(process);
    return process;
  };
  return { options: { pathToClaudeCodeExecutable: '/made/up', spawnClaudeCodeProcess }, started, asked };
}

/** All messages of a loop, by type. */
export async function typesOf(messages: AsyncIterable<{ type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of messages) types.push(type);
  return types;
}
