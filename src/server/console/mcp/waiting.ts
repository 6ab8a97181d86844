import type { ConsoleState, LogEvent, PromptView, SessionSummary } from '../../../entry/remote/contract.js';
import { SentMessage } from '../../../entry/remote/sent-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { MessageFold } from '../../../wire/protocol/reading/message-fold.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { isSettled } from '../../conversation/states.js';
import { applyToPrompts } from '../../conversation/view.js';
import type { Conversations, Follower } from '../service/conversations.js';

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

/** Longer answers are cut in the middle: they would fill the caller's context. */
const LONGEST = 100_000;

/**
 * Waits until the turn is over, someone has to answer, or the time is up; returns what happened meanwhile.
 */
export async function waitFor(conversations: Conversations, awaited: Awaited): Promise<Happened> {
  const { conversation, after, message, timeoutMs, signal, clock, onText } = awaited;
  const { state } = await conversations.find(conversation);
  const over = deferred<void>();
  const seen = new Seen({ message, after, state, onText });
  const look = () => {
    if (seen.isOver) over.resolve();
  };
  const onAbort = () => over.resolve();
  const stops = [clock.after(timeoutMs, onAbort), () => signal.removeEventListener('abort', onAbort)];
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const follower: Follower = {
      onEvent: ({ event, n }) => {
        seen.take(event, n);
        look();
      },
      onAttached: ({ last }) => {
        seen.happened = last;
        look();
      },
    };
    stops.push(await conversations.follow(conversation, after, follower));
    await over.promise;
  } finally {
    for (const stop of stops) stop();
  }
  return seen.tell(await conversations.find(conversation));
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
  readonly #fold = new MessageFold();
  readonly #message: SentMessage | undefined;
  readonly #onText: (text: string) => void;
  readonly #tools: string[] = [];
  #prompts: readonly PromptView[] = [];
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
    return this.last >= this.happened && isSettled(this.#state);
  }

  take(event: LogEvent, n: number): void {
    this.last = n;
    if (uuidIn(event) === this.#untaken) this.#untaken = undefined;
    if (event.kind === 'state') this.#state = event.state;
    this.#prompts = applyToPrompts(this.#prompts, event);
    if (event.kind === 'prompt-settled') this.#settled.add(event.prompt);
    this.#hear(event);
    if (event.kind === 'prompt' && this.#untaken === undefined) this.#asked = true;
    if (this.#message !== undefined) this.#noteOutcome(this.#message, event);
  }

  tell({ id: conversation, prompts }: SessionSummary): Happened {
    const told = prompts.filter(({ id }) => !this.#settled.has(id));
    const open = this.#prompts.reduce<readonly PromptView[]>(
      (all, prompt) => applyToPrompts(all, { kind: 'prompt', prompt }),
      told,
    );
    const isOver = this.#message !== undefined && this.#outcome !== undefined;
    return {
      conversation,
      ...(isOver ? {} : { state: open.length > 0 ? 'needs-you' : this.#state }),
      text: this.#texts.join('\n\n'),
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      tools: this.#tools,
      prompts: open,
      last: this.last,
    };
  }

  #hear(event: LogEvent): void {
    const said = this.#message === undefined ? frameOf(event) : this.#message.messageIn(event);
    for (const { item } of said === undefined ? [] : this.#fold.take(said)) {
      if (item.kind === 'turn-end' && this.#message === undefined)
        this.#outcome = String(item.result.subtype);
      if (item.kind === 'tool' && item.state === 'running') this.#tools.push(item.name.slice(0, 200));
      // The outcome says why an API call failed; after a usage limit, the message is sent again.
      const isFailure = item.kind === 'text' && item.error !== undefined && this.#message !== undefined;
      if (item.kind === 'text' && item.state === 'done' && !isFailure) this.#say(item.text);
    }
  }

  #noteOutcome(message: SentMessage, event: LogEvent): void {
    const outcome = message.outcomeIn(event);
    if (outcome === undefined) return;
    // The output of a CLI command is in no message, and a message that is sent again may have an unknown id.
    if (outcome.kind === 'success' && this.#texts.length === 0 && outcome.text !== '')
      this.#say(outcome.text);
    this.#outcome = outcome.kind;
    if ('message' in outcome) this.#error = outcome.message;
    if (outcome.kind === 'cli-ended') this.#error = outcome.error.message;
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
