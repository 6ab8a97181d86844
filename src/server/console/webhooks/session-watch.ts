import type { LogEvent, PromptView, SessionSummary, WebhookEvent } from '../../../entry/remote/contract.js';
import { outcomeOf, type TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { MessageFold } from '../../../wire/protocol/reading/message-fold.js';
import { eventOf, type LogEntry } from '../log/entry.js';
import type { ServedSession } from '../sessions/served-session.js';

/** An event that webhooks receive. */
export interface Noticed {
  readonly event: WebhookEvent;
  readonly summary: SessionSummary;
  readonly n: number;
  readonly at: number;
  readonly prompt?: PromptView | undefined;
  readonly outcome?: string | undefined;
  readonly text?: string | undefined;
  readonly error?: string | undefined;
  /** When a usage limit ends, if the CLI says so. */
  readonly endsAt?: string | undefined;
}

/** Who a {@link SessionWatch} notifies. */
export interface WatchListener {
  readonly onNoticed: (noticed: Noticed) => void;
  readonly onPromptSettled: (prompt: string) => void;
}

/** Entries that may contain a reportable event; others are not even parsed. */
const WORTH_A_LOOK = /^"kind":"(?:prompt|prompt-settled|end)"|"type":"result"|"rate_limit_info"|"error":"/;

/** Texts longer than this are cut. */
const LONGEST = 20_000;

/** Reads the log of one conversation and detects events for webhooks. It is not a viewer: nothing waits for it. */
export class SessionWatch {
  readonly #session: ServedSession;
  readonly #listener: WatchListener;
  readonly #unwatch: () => void;
  readonly #fold = new MessageFold();
  #next: number;
  #assistantError: string | undefined;
  #rateLimit: WireObject | undefined;

  constructor(session: ServedSession, listener: WatchListener) {
    this.#session = session;
    this.#listener = listener;
    this.#next = session.log.last + 1;
    this.#unwatch = session.log.watch(() => this.#read());
    // New webhooks also learn about prompts that are already open.
    for (const prompt of session.summary.prompts)
      this.#tell('needs-you', session.log.last, Date.now(), { prompt });
  }

  stop(): void {
    this.#unwatch();
  }

  #read(): void {
    const { log } = this.#session;
    for (const entry of log.recent(Math.max(this.#next, log.firstRecent)) ?? []) {
      this.#next = entry.n + 1;
      if (WORTH_A_LOOK.test(entry.rest)) this.#look(eventOf(entry) as LogEvent, entry);
    }
  }

  #look(event: LogEvent, { n, at }: LogEntry): void {
    if (event.kind === 'prompt') this.#asked(event.prompt, n, at);
    if (event.kind === 'prompt-settled') this.#listener.onPromptSettled(event.prompt);
    if (event.kind === 'end' && event.end.reason !== 'closed') {
      const { error, stderrTail } = event.end;
      this.#tell('failed', n, at, { outcome: 'cli-ended', error: error ?? stderrTail ?? 'The CLI ended.' });
    }
    const frame =
      event.kind === 'line' && event.from === 'cli' && event.earlier !== true ? event.frame : undefined;
    if (frame !== undefined) this.#lookAt(frame, n, at);
  }

  #lookAt(frame: WireObject, n: number, at: number): void {
    for (const { item } of this.#fold.take(frame)) {
      if (item.kind === 'text') this.#assistantError = item.error ?? this.#assistantError;
      if (item.kind === 'limit') this.#rateLimit = item.info;
      if (item.kind === 'turn-end') this.#ended(item.result, n, at);
    }
  }

  #ended(result: WireObject, n: number, at: number): void {
    const evidence = {
      assistantError: this.#assistantError,
      rateLimit: this.#rateLimit,
      interruptAsked: false,
    };
    const outcome = outcomeOf(result, evidence);
    this.#assistantError = undefined;
    this.#tell(eventFor(outcome), n, at, factsOf(outcome));
  }

  #asked(prompt: PromptView, n: number, at: number): void {
    this.#tell('needs-you', n, at, { prompt });
    if (prompt.kind === 'budget') this.#tell('budget', n, at, { error: `${prompt.headline}.` });
  }

  #tell(event: WebhookEvent, n: number, at: number, facts: Partial<Noticed>): void {
    this.#listener.onNoticed({ event, summary: this.#session.summary, n, at, ...facts });
  }
}

function eventFor({ kind }: TurnOutcome): WebhookEvent {
  if (kind === 'rate-limited') return 'limit';
  if (kind === 'budget') return 'budget';
  return kind === 'success' || kind === 'interrupted' || kind === 'max-turns' ? 'turn-ended' : 'failed';
}

function factsOf(outcome: TurnOutcome): Partial<Noticed> {
  return {
    outcome: outcome.kind,
    ...(outcome.kind === 'success' ? { text: outcome.text.slice(0, LONGEST) } : {}),
    ...('message' in outcome ? { error: outcome.message.slice(0, LONGEST) } : {}),
    ...(outcome.kind === 'rate-limited' && outcome.endsAt ? { endsAt: outcome.endsAt.toISOString() } : {}),
  };
}
