import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { checkReply } from './check-reply.js';
import { describeMatcher } from './matchers.js';
import { apiError, isErrorReply, type Reply } from './replies.js';
import type { ModelRequest } from './request.js';
import { type Script, type ScriptStep, toStep } from './script.js';
import { ScriptState } from './script-state.js';

interface Failure {
  readonly row: ReportRow;
  times: number;
}

interface FailedReply {
  readonly reply: Reply;
  /** Whether every retry gets the same reply, as the API would do with a bad request. */
  readonly firm: boolean;
  readonly failure?: Failure;
}

/** Answers main requests from a script and tracks what arrived and what did not. */
export class ScriptRunner {
  readonly #script: Script;
  readonly #state: ScriptState;
  readonly #failures: Failure[] = [];
  readonly #failedReplies = new Map<string, FailedReply>();

  constructor(script: Script) {
    this.#script = script;
    this.#state = new ScriptState(typeof script === 'function' ? [] : script.map(toStep));
  }

  /** Whether a step that is due has a matcher for this request. */
  awaits(request: ModelRequest): boolean {
    return this.#state.awaits(request);
  }

  /** The reply to a main request; if the script did not expect it, an error that CLIs do not retry. */
  async answer(request: ModelRequest): Promise<Reply> {
    try {
      return typeof this.#script === 'function'
        ? await this.#callFunction(this.#script, request)
        : await this.#takeStep(request);
    } catch (error) {
      const problem = errorText(error);
      return this.#fail(request, 'a reply', `${describeRequest(request)}, and the script threw: ${problem}`);
    }
  }

  /** Records something that should not have happened, such as a callback that threw. */
  noteProblem(expected: string, got: string): void {
    if (this.#failures.length < MAX_FAILURES) {
      this.#failures.push({ row: { step: '!', expected, got }, times: 1 });
    }
  }

  /** Whether every step was used and nothing unexpected arrived. */
  get finished(): boolean {
    return this.#failures.length === 0 && this.#state.leftover.length === 0;
  }

  /** What arrived and what did not, as a table. */
  report(): string {
    const steps = this.#state.all.map(({ step, number, taken, got }) => ({
      step: String(number),
      expected: describeStep(step),
      got: got === undefined ? 'never came' : `${got}${times(taken)}`,
    }));
    const failures = this.#failures.map(({ row, times: count }) => ({
      ...row,
      got: `${row.got}${times(count)}`,
    }));
    return reportTable([...steps, ...failures]);
  }

  /** Throws if the script failed or is not finished. */
  assertFinished(): void {
    if (this.finished) return;
    const unexpected = this.#failures.length;
    const left = this.#state.leftover.length;
    throw new CoxswainError(
      'MODEL_SCRIPT_FAILED',
      `The model's script failed: ${unexpected} unexpected, ${left} left over.\n${this.report()}`,
    );
  }

  async #callFunction(script: Exclude<Script, readonly unknown[]>, request: ModelRequest): Promise<Reply> {
    const value = await script(request);
    if (value === undefined) return this.#unexpected(request, 'a request that the script answers');
    return checkReply(value, 'the reply of the script');
  }

  async #takeStep(request: ModelRequest): Promise<Reply> {
    const key = repeatKey(request);
    const before = this.#failedReplies.get(key);
    if (before?.firm) return again(before);
    const taken = this.#state.take(request);
    if (taken === undefined) return before === undefined ? this.#unexpectedStep(request) : again(before);
    taken.got = describeRequest(request);
    const value = await replyOf(taken.step, taken.number, request);
    this.#failedReplies.delete(key);
    if (isFailing(value)) this.#remember(key, { reply: value, firm: isFirm(value, taken.step) });
    return value;
  }

  #unexpectedStep(request: ModelRequest): Reply {
    const due = this.#state.due.map(({ step, number }) => `step ${number}: ${describeStep(step)}`);
    return this.#unexpected(request, due.join(', or ') || 'no further request');
  }

  #unexpected(request: ModelRequest, expected: string): Reply {
    return this.#fail(request, expected, describeRequest(request));
  }

  #fail(request: ModelRequest, expected: string, got: string): Reply {
    const failure = { row: { step: '!', expected, got }, times: 1 };
    if (this.#failures.length < MAX_FAILURES) this.#failures.push(failure);
    const reply = apiError(400, {
      message: `The script of the model did not expect this request. Expected ${expected}; got ${got}.`,
    });
    // CLIs repeat a refused request a few times: that is one problem, not several.
    this.#remember(repeatKey(request), { reply, firm: typeof this.#script !== 'function', failure });
    return reply;
  }

  #remember(key: string, failed: FailedReply): void {
    const oldest = this.#failedReplies.keys().next();
    if (this.#failedReplies.size >= MAX_REMEMBERED && !oldest.done) this.#failedReplies.delete(oldest.value);
    this.#failedReplies.set(key, failed);
  }
}

/** A short description of a request. */
export function describeRequest(request: ModelRequest): string {
  const results = request.toolResults.map(({ text, isError }) => `${isError ? 'error ' : ''}${quote(text)}`);
  const said =
    results.length > 0 ? `tool result ${results.join(', ')}` : `user text ${quote(request.userText)}`;
  return `request ${request.number}: ${said}`;
}

const MAX_FAILURES = 50;
const MAX_REMEMBERED = 100;
const SHOWN_LENGTH = 60;

async function replyOf(step: ScriptStep, number: number, request: ModelRequest): Promise<Reply> {
  if (typeof step.reply !== 'function') return step.reply;
  return checkReply(await step.reply(request), `the reply of step ${number}`);
}

function again({ reply, failure }: FailedReply): Reply {
  if (failure !== undefined) failure.times += 1;
  return reply;
}

/** The same state of the same conversation gives the same key, whatever else a retry changes. */
function repeatKey({ sessionId, messages, userText, toolResults }: ModelRequest): string {
  const count = messages.filter((message) => message.role !== 'system').length;
  return JSON.stringify([sessionId, count, userText, toolResults]);
}

function isFailing(reply: Reply): boolean {
  if (isErrorReply(reply)) return true;
  const end = 'delivery' in reply ? reply.delivery?.end : undefined;
  return end !== undefined && end !== 'whole';
}

function isFirm(reply: Reply, step: ScriptStep): boolean {
  if (step.times !== undefined || !isErrorReply(reply)) return false;
  return reply.error < 500 && ![408, 409, 429].includes(reply.error);
}

function describeStep(step: ScriptStep): string {
  return `${describeMatcher(step.when)}${step.anyOrder ? ', at any place' : ''}`;
}

function times(count: number): string {
  return count > 1 ? ` (${count} times)` : '';
}

function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
}

/** One row of a script's report. */
export interface ReportRow {
  readonly step: string;
  readonly expected: string;
  readonly got: string;
}

/** Formats rows as a table of three columns with a header. */
function reportTable(rows: readonly ReportRow[]): string {
  const all = [{ step: 'step', expected: 'expected', got: 'got' }, ...rows];
  const step = widest(all.map((row) => row.step));
  const expected = widest(all.map((row) => row.expected));
  const lines = all.map((row) => `${row.step.padEnd(step)}  ${row.expected.padEnd(expected)}  ${row.got}`);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}
