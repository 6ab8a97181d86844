import { startSession } from '../../entry/sdk/open-session.js';
import type { Session } from '../../host/session/session.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { Turn } from '../../host/session/turns/turn.js';
import { within } from '../../wire/util/clock.js';
import { type Answerer, RefusingAnswerer } from '../asking/answerers.js';
import type { CommandContext } from '../command-context.js';
import type { Screen } from '../terminal/screen.js';
import { Display, type DisplayOptions } from './display.js';
import { MessageReader } from './message-reader.js';
import { exitCodeFor, type Report } from './report.js';
import { type StopReason, StopSequence } from './stop-sequence.js';
import { UnaskedTurns } from './unasked.js';

/** The messages, and how the conversation is shown. */
export interface ConversationPlan extends DisplayOptions {
  readonly messages: readonly string[];
  readonly options: SessionOptions;
  /** Says which CLI is used, as the first startup step. */
  readonly found: string;
  readonly answerer: (screen: Screen) => Answerer;
  /** Shows each message before its answer. */
  readonly echo?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs a conversation in the terminal and resolves with the exit code. Rejects with the real cause if the
 * session cannot be opened, after cleaning up.
 */
export async function converse(plan: ConversationPlan, context: CommandContext): Promise<number> {
  return new Conversation(plan, context).run();
}

/** Errors that the last line on stdout already reports. */
const reported = new WeakSet<object>();

/** Whether the output of a conversation ended with this error. */
export function wasReported(error: unknown): boolean {
  return typeof error === 'object' && error !== null && reported.has(error);
}

/** How long a question waits for the preceding text to be printed while stdout is blocked. */
const CATCH_UP_MS = 1_000;
const INTERRUPT_MS = 5_000;

class Conversation {
  readonly #plan: ConversationPlan;
  readonly #context: CommandContext;
  readonly #display: Display;
  readonly #answerer: Answerer;
  readonly #session: Session;
  readonly #reader: MessageReader;
  readonly #ladder: StopSequence;
  readonly #began: number;
  #turn: Turn | undefined;
  #version: string | undefined;

  constructor(plan: ConversationPlan, context: CommandContext) {
    this.#plan = plan;
    this.#context = context;
    this.#began = context.clock.now();
    this.#display = new Display(plan, context);
    this.#answerer = plan.answerer(this.#display.screen);
    this.#display.step(plan.found);
    this.#session = startSession(this.#sessionOptions());
    this.#reader = new MessageReader(this.#session, (message) => this.#display.message(message));
    this.#session.on('retry', (retry) => this.#display.retry(retry));
    this.#session.on('limits', (limits) => this.#display.limits(limits));
    this.#display.watch({ session: this.#session, asking: () => this.#answerer.asking });
    this.#ladder = this.#makeLadder();
  }

  async run(): Promise<number> {
    const { onSignal, clock } = this.#context;
    const stopListening = onSignal((signal) => this.#ladder.take(asReason(signal)));
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.#plan;
    const cancelTimeout = clock.after(timeoutMs, () => this.#ladder.take('timeout'));
    const { outcome, error } = await this.#talk().then(
      (last) => ({ outcome: last, error: undefined }),
      (cause: unknown) => ({
        outcome: undefined,
        error: cause instanceof Error ? cause : new Error(String(cause)),
      }),
    );
    await this.#session.close();
    await this.#reader.done;
    cancelTimeout();
    stopListening();
    this.#ladder.stop();
    const report = this.#report(outcome, error);
    this.#display.end(report);
    if (error !== undefined && report.stoppedBy === undefined) {
      reported.add(error);
      throw error;
    }
    return report.exitCode;
  }

  async #talk(): Promise<TurnOutcome | undefined> {
    const unasked = new UnaskedTurns(this.#session, this.#display.view);
    await this.#session.ready;
    // Stopped as the session opened: it accepts no messages.
    if (this.#ladder.reason !== undefined) return { kind: 'closed' };
    let outcome: TurnOutcome | undefined;
    for (const message of this.#plan.messages) {
      if (this.#plan.echo === true) this.#display.sent(message);
      outcome = await this.#follow(this.#session.send(message));
      outcome = (await unasked.follow((turn) => this.#follow(turn))) ?? outcome;
      // Stopped while waiting for the rest of the answer.
      if (this.#ladder.reason !== undefined && this.#session.state !== 'ready') return { kind: 'closed' };
      if (outcome.kind !== 'success') break;
    }
    return outcome;
  }

  async #follow(turn: Turn): Promise<TurnOutcome> {
    this.#turn = turn;
    const outcome = await turn.outcome;
    this.#turn = undefined;
    await this.#reader.caughtUp();
    return outcome;
  }

  #sessionOptions(): SessionOptions {
    const { options, verbose = false } = this.#plan;
    const loud: SessionOptions = {
      onDiagnostic: (diagnostic) => this.#display.diagnostic(diagnostic),
      // The demo has no process that could write to stderr.
      ...(options.transport === undefined ? { onStderr: (text) => this.#display.cliStderr(text) } : {}),
    };
    return {
      ...options,
      ...(verbose ? loud : { onDiagnostic: null }),
      onPermission: async (request) => {
        await this.#untilShown();
        return this.#answerer.permission(request);
      },
      onQuestion: async (form) => {
        await this.#untilShown();
        return this.#answerer.question(form);
      },
      stopOnAuthFailure: true,
      // Auto mode waits for the answer, so only a person is asked.
      askWhenDenied: !(this.#answerer instanceof RefusingAnswerer),
      onStateChange: (state) => {
        this.#version = this.#session.version ?? this.#version;
        this.#display.state(state, this.#version);
      },
    };
  }

  async #untilShown(): Promise<void> {
    await within(this.#reader.caughtUp(), CATCH_UP_MS, this.#context.clock);
  }

  #makeLadder(): StopSequence {
    const { clock, exitNow } = this.#context;
    return new StopSequence({
      running: () => this.#turn !== undefined,
      interrupt: async () => {
        const turn = this.#turn;
        await this.#session.interrupt({ deadlineMs: INTERRUPT_MS });
        await turn?.outcome;
      },
      close: async () => {
        await this.#session.close();
      },
      kill: exitNow,
      say: (text) => this.#display.screen.note(text),
      after: (ms, run) => clock.after(ms, run),
    });
  }

  #report(outcome: TurnOutcome | undefined, error: Error | undefined): Report {
    const prompts = this.#answerer.tally;
    return {
      outcome,
      error,
      exitCode: exitCodeFor({ outcome, error, prompts }, this.#ladder.exitCode),
      stoppedBy: this.#ladder.reason,
      sessionId: this.#session.id,
      cliVersion: this.#version,
      durationMs: Math.round(this.#context.clock.now() - this.#began),
      usage: this.#session.usage,
      prompts,
    };
  }
}

function asReason(signal: NodeJS.Signals): StopReason {
  return signal === 'SIGINT' || signal === 'SIGHUP' || signal === 'SIGPIPE' ? signal : 'SIGTERM';
}
