import type { ConsoleState, LogEvent, PromptView } from '../../../entry/remote/contract.js';
import { SentMessage } from '../../../entry/remote/sent-message.js';
import { isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Conversations } from './conversations.js';

/** What to wait for, and how long. */
export interface Awaited {
  readonly conversation: string;
  /** The number of the last known event. */
  readonly after: number;
  /** The message whose turn to wait for; otherwise whatever is running. */
  readonly message?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Receives the model's text as it streams. */
  readonly onText: (text: string) => void;
}

/** What happened in a conversation during a wait. */
export interface Happened {
  readonly conversation: string;
  /** What it is doing; missing if the turn is over. */
  readonly state?: ConsoleState | undefined;
  /** What the model said. */
  readonly text: string;
  /** How the turn ended; missing while it is running. */
  readonly outcome?: string | undefined;
  /** Why it failed. */
  readonly error?: string | undefined;
  /** The tools that were used. */
  readonly tools: readonly string[];
  /** What is waiting for an answer. */
  readonly prompts: readonly PromptView[];
  /** The number of the last event, to continue watching from. */
  readonly last: number;
}

const SETTLED: ReadonlySet<ConsoleState> = new Set(['idle', 'needs-you', 'parked', 'ended']);

/** Longer answers are cut in the middle: they would fill the caller's context. */
const LONGEST = 100_000;

/**
 * Waits until the turn is over, someone has to answer, or the time is up; returns what happened meanwhile.
 */
export async function waitFor(conversations: Conversations, awaited: Awaited): Promise<Happened> {
  const { conversation, after, message, timeoutMs, signal, clock, onText } = awaited;
  const over = deferred<void>();
  const seen = new Seen({ message, after, state: summaryOf(conversations, conversation).state, onText });
  const look = () => {
    if (seen.isOver) over.resolve();
  };
  const onAbort = () => over.resolve();
  const stops = [clock.after(timeoutMs, onAbort), () => signal.removeEventListener('abort', onAbort)];
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const follower = {
      onEvent: (event: LogEvent, n: number) => {
        seen.take(event, n);
        look();
      },
      onAttached: (last: number) => {
        seen.happened = last;
        look();
      },
    };
    stops.push(await conversations.follow(conversation, after, follower));
    await over.promise;
  } finally {
    for (const stop of stops) stop();
  }
  return seen.tell(conversation, conversations);
}

/** A conversation by its id. @throws CoxswainError `SESSION_UNKNOWN`. */
export function summaryOf({ all }: Conversations, id: string) {
  const found = all.find((each) => each.id === id);
  if (found === undefined)
    throw new CoxswainError('SESSION_UNKNOWN', `There is no conversation ${JSON.stringify(id)} here.`);
  return found;
}

interface SeenParts {
  readonly message: string | undefined;
  readonly after: number;
  /** The state before anything was seen. */
  readonly state: ConsoleState;
  readonly onText: (text: string) => void;
}

/** What was seen of a turn. */
class Seen {
  readonly #message: SentMessage | undefined;
  readonly #onText: (text: string) => void;
  readonly #tools: string[] = [];
  readonly #prompts = new Map<string, PromptView>();
  readonly #settled = new Set<string>();
  /** The awaited message, until the CLI accepts it: earlier events are not about it. */
  #untaken: string | undefined;
  #asked = false;
  #state: ConsoleState;
  #texts: string[] = [];
  #characters = 0;
  #outcome: string | undefined;
  #error: string | undefined;
  /** The number of the last event. */
  last: number;
  /** How many events had already happened; they do not describe the current state. */
  happened = Number.POSITIVE_INFINITY;

  constructor({ message, after, state, onText }: SeenParts) {
    this.#untaken = message;
    this.#message = message === undefined ? undefined : new SentMessage(message);
    this.#onText = onText;
    this.#state = state;
    this.last = after;
  }

  /** Whether there is nothing more to wait for. */
  get isOver(): boolean {
    if (this.#message !== undefined) return this.#outcome !== undefined || this.#asked;
    return this.last >= this.happened && SETTLED.has(this.#state);
  }

  take(event: LogEvent, n: number): void {
    this.last = n;
    if (uuidIn(event) === this.#untaken) this.#untaken = undefined;
    if (event.kind === 'state') this.#state = event.state;
    if (event.kind === 'prompt') this.#prompts.set(event.prompt.id, event.prompt);
    if (event.kind === 'prompt-settled') {
      this.#prompts.delete(event.prompt);
      this.#settled.add(event.prompt);
    }
    this.#hear(event);
    if (this.#untaken !== undefined) return;
    if (event.kind === 'prompt') this.#asked = true;
    const outcome = this.#message?.outcomeIn(event);
    if (outcome === undefined) return;
    this.#outcome = outcome.kind;
    if ('message' in outcome) this.#error = outcome.message;
    if (outcome.kind === 'cli-ended') this.#error = outcome.error.message;
  }

  tell(conversation: string, conversations: Conversations): Happened {
    const { prompts } = summaryOf(conversations, conversation);
    const told = prompts.filter(({ id }) => !this.#settled.has(id));
    const open = new Map([...told.map((prompt) => [prompt.id, prompt] as const), ...this.#prompts]);
    const isOver = this.#message !== undefined && this.#outcome !== undefined;
    return {
      conversation,
      ...(isOver ? {} : { state: open.size > 0 ? 'needs-you' : this.#state }),
      text: this.#texts.join('\n\n'),
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      tools: this.#tools,
      prompts: [...open.values()],
      last: this.last,
    };
  }

  #hear(event: LogEvent): void {
    const said = this.#message === undefined ? frameOf(event) : this.#message.messageIn(event);
    if (said?.type === 'result' && this.#message === undefined) this.#outcome = String(said.subtype);
    if (said?.type !== 'assistant' || !isObject(said.message)) return;
    for (const block of objectsIn(said.message.content)) {
      if (block.type === 'tool_use') this.#tools.push(String(block.name).slice(0, 200));
      if (block.type === 'text') this.#say(String(block.text));
    }
  }

  #say(text: string): void {
    this.#onText(text);
    this.#texts.push(text);
    this.#characters += text.length;
    while (this.#characters > LONGEST && this.#texts.length > 0)
      this.#characters -= this.#texts.shift()?.length ?? 0;
    if (this.#texts.length > 0) return;
    this.#texts = [`[…] ${text.slice(-LONGEST)}`];
    this.#characters = LONGEST;
  }
}

/** The id of a message that was accepted, or handed to the CLI; either may come first. */
function uuidIn(event: LogEvent): unknown {
  if (event.kind === 'queued') return event.uuid;
  return event.kind === 'line' && event.from === 'host' ? (event.frame?.uuid ?? '') : '';
}

function frameOf(event: LogEvent): WireObject | undefined {
  return event.kind === 'line' && event.from === 'cli' && event.earlier !== true ? event.frame : undefined;
}
