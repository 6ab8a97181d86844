import { MemoryProcess } from '../../../src/lab/testing/emulator/pipes/memory-process.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { LineReader } from '../../../src/wire/transport/line-reader.js';
import type { Transport } from '../../../src/wire/transport/transport.js';
import { settle } from '../../support/settle.js';

/** One action of the CLI in a turn. */
export type CliAct =
  | { readonly do: 'say' | 'noise' | 'stray-answer' | 'half' | 'wait' }
  | { readonly do: 'ask'; readonly waits: boolean; readonly withdraws: boolean };

/** How the CLI answers the calls of the host, one after the other. */
export type AnswerManner = 'once' | 'twice' | 'refused' | 'never' | 'nonsense';

/** How the CLI ends, and after how many actions. */
export interface Death {
  readonly after: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly half: boolean;
}

/** What a {@link NumberedCli} does. */
export interface CliPlan {
  readonly version: '2.1.17' | '2.1.326';
  /** The actions of each turn; they repeat if there are more turns. */
  readonly turns: readonly (readonly CliAct[])[];
  readonly answers: readonly AnswerManner[];
  readonly death: Death | undefined;
}

interface Queued {
  readonly uuid: string;
}

/** A CLI in memory that numbers its messages and records them, so that loss and repetition are detected. */
export class NumberedCli {
  readonly transport: Transport & { readonly version: string };
  /** The received user messages. */
  readonly received: string[] = [];
  /** The numbers written before the end. */
  readonly said: number[] = [];
  /** The numbers by message. */
  readonly saidTo = new Map<string, number[]>();
  /** The messages whose result was written. */
  readonly finished = new Set<string>();
  /** How often each of its requests was answered. */
  readonly answered = new Map<string, number>();
  readonly #process = new MemoryProcess({ closeWaitMs: 1 });
  readonly #plan: CliPlan;
  readonly #first: number;
  readonly #waiters = new Map<string, () => void>();
  #queue: Queued[] = [];
  #current: readonly Queued[] = [];
  #turns = 0;
  #acts = 0;
  #calls = 0;
  #asked = 0;
  #dead = false;
  #interrupted = false;
  #busy = false;

  /** `first` is the number that it starts with, so that no two CLIs use the same. */
  constructor(plan: CliPlan, first = 1) {
    this.#plan = plan;
    this.#first = first;
    this.transport = Object.assign(this.#process.transport, { version: plan.version });
    const reader = new LineReader(this.#process.pipes.stdin);
    reader.start((lines) => {
      for (const line of lines) this.#take(JSON.parse(line));
    });
    void reader.done.then(() => this.#exit({ code: 0, signal: null }));
    this.#process.pipes.onSignal((signal) => this.#exit({ code: null, signal }));
  }

  /** Ends it as the system would. */
  kill(): void {
    this.#exit({ code: null, signal: 'SIGKILL' });
  }

  get #newer(): boolean {
    return this.#plan.version === '2.1.326';
  }

  #take(frame: WireObject): void {
    if (this.#dead) return;
    if (frame.type === 'control_request' && isObject(frame.request)) this.#answer(frame, frame.request);
    else if (frame.type === 'control_response' && isObject(frame.response)) this.#noteAnswer(frame.response);
    else if (frame.type === 'user') this.#enqueue(String(frame.uuid));
  }

  #answer({ request_id: id }: WireObject, { subtype }: WireObject): void {
    const write = (response: WireObject) => this.#write({ type: 'control_response', response });
    const success = { subtype: 'success', request_id: id, response: {} };
    if (subtype === 'initialize') {
      write({ ...success, response: { claude_code_version: this.#plan.version } });
      return;
    }
    if (subtype === 'interrupt') {
      this.#interrupted = this.#busy;
      for (const wake of this.#waiters.values()) wake();
      write(success);
      return;
    }
    const { answers } = this.#plan;
    const manner = answers[this.#calls++ % Math.max(1, answers.length)] ?? 'once';
    if (manner === 'never') return;
    if (manner === 'nonsense') write({ subtype: 'maybe', request_id: id });
    else if (manner === 'refused') write({ subtype: 'error', request_id: id, error: 'no' });
    else write(success);
    if (manner === 'twice') write(success);
  }

  #noteAnswer({ request_id: id }: WireObject): void {
    const key = String(id);
    this.answered.set(key, (this.answered.get(key) ?? 0) + 1);
    this.#waiters.get(key)?.();
  }

  #enqueue(uuid: string): void {
    this.received.push(uuid);
    this.#queue.push({ uuid });
    if (this.#newer)
      this.#say({ type: 'command_lifecycle', command_uuid: uuid, state: 'queued' }, [{ uuid }]);
    if (!this.#busy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#queue.length > 0 && !this.#dead) {
      // Newer CLIs add all waiting messages to one turn.
      this.#current = this.#newer ? this.#queue.splice(0) : this.#queue.splice(0, 1);
      this.#interrupted = false;
      await this.#turn(this.#plan.turns[this.#turns++ % Math.max(1, this.#plan.turns.length)] ?? []);
    }
    this.#busy = false;
  }

  async #turn(acts: readonly CliAct[]): Promise<void> {
    const uuids = this.#current.map(({ uuid }) => uuid);
    const named = this.#newer ? { user_message_uuids: uuids } : {};
    for (const command_uuid of this.#newer ? uuids : [])
      this.#say({ type: 'command_lifecycle', command_uuid, state: 'started' }, [{ uuid: command_uuid }]);
    this.#say({ type: 'system', subtype: 'init', session_id: 's', ...named });
    for (const act of acts) {
      await settle();
      if (this.#dead || this.#interrupted) break;
      await this.#act(act);
    }
    if (this.#dead) return;
    const how = this.#interrupted ? 'error_during_execution' : 'success';
    for (const uuid of uuids) this.finished.add(uuid);
    this.#say({ type: 'result', subtype: how, is_error: this.#interrupted, result: 'done', ...named });
  }

  async #act(act: CliAct): Promise<void> {
    this.#acts += 1;
    const { death } = this.#plan;
    if (death !== undefined && this.#acts > death.after) {
      if (death.half) this.#process.pipes.stdout.write('{"type":"assist');
      this.#exit(death);
      return;
    }
    if (act.do === 'say') this.#say({ type: 'assistant', message: { content: [] } });
    else if (act.do === 'noise') this.#process.pipes.stdout.write('not JSON at all\n');
    else if (act.do === 'half') {
      this.#process.pipes.stdout.write('{"type":"keep_');
      this.#process.pipes.stdout.write('alive"}\n');
    } else if (act.do === 'stray-answer')
      this.#write({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } });
    else if (act.do === 'ask') await this.#ask(act.waits, act.withdraws);
  }

  async #ask(waits: boolean, withdraws: boolean): Promise<void> {
    this.#asked += 1;
    const id = `ask-${this.#asked}`;
    this.answered.set(id, 0);
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: id };
    this.#write({ type: 'control_request', request_id: id, request });
    if (withdraws) this.#write({ type: 'control_cancel_request', request_id: id });
    else if (waits) await new Promise<void>((resolve) => this.#waiters.set(id, resolve));
    this.#waiters.delete(id);
  }

  /** Sends a message with the next number. */
  #say(message: WireObject, to: readonly Queued[] = this.#current): void {
    if (this.#dead) return;
    const n = this.#first + this.said.length;
    this.said.push(n);
    for (const { uuid } of to) this.saidTo.set(uuid, [...(this.saidTo.get(uuid) ?? []), n]);
    this.#write({ ...message, n });
  }

  #write(frame: WireObject): void {
    if (!this.#dead) this.#process.pipes.stdout.write(`${JSON.stringify(frame)}\n`);
  }

  #exit({ code, signal }: { readonly code: number | null; readonly signal: string | null }): void {
    if (this.#dead) return;
    this.#dead = true;
    for (const wake of this.#waiters.values()) wake();
    this.#process.pipes.exit({ code, signal });
  }
}
