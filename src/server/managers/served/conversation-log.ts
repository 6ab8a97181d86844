import type { LogEvent } from '../../../entry/remote/contract.js';
import type { ReceivedEvent } from '../../../entry/remote/received-event.js';
import type { BufferWatcher } from '../../../host/core/messages/message-buffer.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import type { Conversations } from '../../console/service/conversations.js';

/** Receives the events of a {@link ConversationLog}. */
export interface LogReader {
  readonly onEvent: (event: LogEvent, length: number) => void;
  /** Events are missing because they are older than what the server keeps. */
  readonly onGap: () => void;
}

/** Reads the log of a conversation while it is needed. A reader that is behind stops it: the server has the rest. */
export class ConversationLog implements BufferWatcher {
  readonly #server: Conversations;
  readonly #session: string;
  readonly #reader: LogReader;
  readonly #full = new Set<object>();
  /** The number of the last known event; -1 for none. */
  #last = -1;
  #watches = false;
  /** Settles when no later event can be missed; undefined while nobody needs them. */
  #attached: Deferred<void> | undefined;
  #reading: { stop: () => void } | undefined;

  constructor(server: Conversations, session: string, reader: LogReader) {
    this.#server = server;
    this.#session = session;
    this.#reader = reader;
  }

  /** Notes, while nobody reads, that the log has reached this number and that everything after it matters. */
  note(last: number): void {
    if (this.#attached === undefined) this.#last = last;
  }

  /** Reads from the noted number on, or from now on; resolves when no later event can be missed. */
  follow(): Promise<void> {
    if (this.#attached !== undefined) return this.#attached.promise;
    this.#attached = deferred<void>();
    this.#attached.promise.catch(() => {});
    this.#begin();
    return this.#attached.promise;
  }

  /** Whether its reader counts as a viewer, which keeps the CLI from being parked. */
  set watches(watches: boolean) {
    if (watches === this.#watches) return;
    this.#watches = watches;
    if (this.#reading === undefined) return;
    this.#pause();
    this.#begin();
  }

  /** Stops reading; whoever waits for events gets the error. */
  stop(error?: Error): void {
    if (error !== undefined) this.#attached?.reject(error);
    // Nobody needs its events any more: who still waits goes on.
    else this.#attached?.resolve();
    this.#attached = undefined;
    this.#pause();
  }

  added(): void {}

  removed(): void {}

  full(buffer: object): void {
    this.#full.add(buffer);
    this.#pause();
  }

  drained(buffer: object): void {
    this.#full.delete(buffer);
    if (this.#full.size === 0 && this.#attached !== undefined && this.#reading === undefined) this.#begin();
  }

  #pause(): void {
    this.#reading?.stop();
    this.#reading = undefined;
  }

  #begin(): void {
    if (this.#full.size > 0) return;
    let isOver = false;
    const reading = {
      stop: () => {
        isOver = true;
      },
    };
    this.#reading = reading;
    const follower = {
      partial: true,
      watches: this.#watches,
      onEvent: (received: ReceivedEvent) => {
        if (!isOver) this.#take(received);
      },
      onAttached: ({ reset, from }: { readonly reset: boolean; readonly from: number }) => {
        if (isOver) return;
        this.#last = from - 1;
        this.#attached?.resolve();
        if (reset) this.#reader.onGap();
      },
    };
    this.#server.follow(this.#session, this.#last, follower).then(
      (stop) => {
        if (isOver) stop();
        else
          reading.stop = () => {
            isOver = true;
            stop();
          };
      },
      (error: unknown) => {
        if (!isOver) this.stop(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #take(received: ReceivedEvent): void {
    this.#last = received.n;
    this.#reader.onEvent(received.event, received.line?.text.length ?? 0);
  }
}
