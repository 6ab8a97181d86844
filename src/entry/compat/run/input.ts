import { setImmediate as nextRound } from 'node:timers/promises';
import { Cancellation } from '../../../wire/peer/cancellation.js';
import { encodeObject } from '../../../wire/protocol/encode.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock, within } from '../../../wire/util/clock.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import type { SDKUserMessage } from '../types/message-types.js';
import type { Options } from '../types/option-types.js';
import type { StartedProcess } from './official-launch.js';
import type { TurnWatch } from './turn-watch.js';

/** The prompt of a query. */
export type Prompt = string | AsyncIterable<SDKUserMessage>;

/** What goes to the CLI besides control traffic: user messages in order, and the end of its stdin. */
export class Input {
  readonly #options: Options;
  readonly #turns: TurnWatch;
  readonly #clock: Clock;
  readonly #opened = deferred<StartedProcess>();
  readonly #result = deferred<void>();
  readonly #over = new Cancellation();
  #state: string | undefined;
  #held = 0;
  /** Something changed that {@link Input.#until} waits for. */
  #changed: Deferred<void> | undefined;

  constructor(options: Options, turns: TurnWatch, clock: Clock = systemClock) {
    this.#options = options;
    this.#turns = turns;
    this.#clock = clock;
    // A caller that writes sees the reason; nobody has to.
    this.#opened.promise.catch(() => {});
  }

  /** From now on messages can be written; `initialize` comes before them. */
  open(process: StartedProcess): void {
    this.#opened.resolve(process);
  }

  /** A turn has ended. */
  noteResult(): void {
    this.#result.resolve();
  }

  /** The CLI reports whether it is working; not all CLIs do. */
  noteState(state: string): void {
    this.#state = state;
    this.#wake();
  }

  /** A request is pending: the input must stay open until it is answered. */
  hold(): void {
    this.#held += 1;
  }

  /** A request has settled, as each one does in time. */
  release(): void {
    this.#held -= 1;
    this.#wake();
  }

  /** Stops writing without waiting, and releases the program's iterable. */
  stop(cause: Error): void {
    this.#opened.reject(cause);
    this.#over.cancel(cause);
    this.#result.resolve();
    this.#wake();
  }

  /** Writes a whole prompt. A string is a conversation of one turn: its result ends the input. */
  async write(prompt: Prompt): Promise<void> {
    try {
      await (typeof prompt === 'string' ? this.#writeText(prompt) : this.stream(prompt));
    } catch (error) {
      // The caller that stopped it has already given the reason.
      if (!this.#over.cancelled) throw error;
    }
  }

  /** Writes the messages of an iterable; if there are callbacks to answer, the input stays open until a turn has ended. */
  async stream(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    const reader = readerOf(messages);
    const stopped = deferred<void>();
    // The program's iterable may be waiting for something that will never come.
    const onStop = () => {
      void (async () => reader.return?.())().catch(() => {});
      stopped.resolve();
    };
    const forget = this.#over.onCancel(onStop);
    if (this.#over.cancelled) onStop();
    try {
      await Promise.race([this.#pump(reader), stopped.promise]);
    } finally {
      forget();
    }
  }

  async #writeText(text: string): Promise<void> {
    await this.#write(textMessage(text));
    await this.#worked();
    await this.#end();
  }

  async #pump(reader: AsyncIterator<SDKUserMessage> | Iterator<SDKUserMessage>): Promise<void> {
    // A program's generator may use the query, which exists only after this call has returned.
    await this.#opened.promise;
    let wrote = false;
    for (;;) {
      const next = await reader.next();
      if (this.#over.cancelled) return;
      if (next.done === true) break;
      await this.#write(next.value);
      wrote = true;
    }
    if (wrote && answersHere(this.#options)) await this.#worked();
    await this.#end();
  }

  /** A turn has ended, with callbacks to answer also the work that continues after it, if the CLI reports it. */
  async #worked(): Promise<void> {
    await this.#result.promise;
    if (!answersHere(this.#options)) return;
    const isIdle = () => this.#state === undefined || this.#state === 'idle';
    await within(this.#until(isIdle), ceilingOf(this.#options), this.#clock);
  }

  async #write(message: WireObject): Promise<void> {
    const { transport } = await this.#opened.promise;
    const composed = this.#options.verbatimPrompts ? { client_composed: true } : {};
    this.#turns.noteAsked(message);
    await transport.send(encodeObject({ ...message, ...composed }));
  }

  async #end(): Promise<void> {
    // A CLI that exits on its own after its last result needs no signal; and requests that the program makes when it sees that
    // result have been sent by then.
    await nextRound();
    await this.#until(() => this.#held === 0);
    if (this.#over.cancelled) return;
    const { endInput } = await this.#opened.promise;
    endInput();
  }

  /** Waits until it is so, or until nothing more is written. */
  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.#over.cancelled) {
      this.#changed ??= deferred();
      await this.#changed.promise;
    }
  }

  #wake(): void {
    this.#changed?.resolve();
    this.#changed = undefined;
  }
}

/** A list works as well as a stream, as in a `for await` loop. */
function readerOf(messages: AsyncIterable<SDKUserMessage> | Iterable<SDKUserMessage>) {
  return Symbol.asyncIterator in messages ? messages[Symbol.asyncIterator]() : messages[Symbol.iterator]();
}

/** How long work after a turn may keep the input open; the CLI itself reads the same variable. */
function ceilingOf({ env = process.env }: Options): number {
  const given = Number(env.CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS);
  return Number.isFinite(given) && given > 0 ? given : DEFAULT_CEILING_MS;
}

const DEFAULT_CEILING_MS = 600_000;

/** Whether the CLI may send requests to this process, so that stdin has to stay open. */
function answersHere({ canUseTool, hooks, mcpServers, onElicitation, onUserDialog }: Options): boolean {
  const hasHooks = Object.values(hooks ?? {}).some((matchers) => (matchers?.length ?? 0) > 0);
  const hasServers = Object.values(mcpServers ?? {}).some((server) => server.type === 'sdk');
  return (
    hasHooks || hasServers || [canUseTool, onElicitation, onUserDialog].some((each) => each !== undefined)
  );
}

function textMessage(text: string): WireObject {
  const content = [{ type: 'text', text }];
  return { type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null };
}
