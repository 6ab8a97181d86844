import type { LogEvent } from '../../../entry/remote/contract.js';
import type { ReceivedEvent } from '../../../entry/remote/received-event.js';
import type { BufferWatcher } from '../../../host/core/messages/message-buffer.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { LocalLink } from '../../console/service/local-link.js';

/** The dependencies of {@link ConversationLog}. */
export interface ConversationLogParts {
  readonly client: LocalLink;
  readonly session: string;
  readonly onEvent: (event: LogEvent, length: number) => void;
  /** Called when events are missing because they are older than what the fleet keeps. */
  readonly onGap: () => void;
}

/** Reads the log of a conversation while it is needed. A reader that is behind makes it wait; the log is in the fleet. */
export class ConversationLog implements BufferWatcher {
  readonly #parts: ConversationLogParts;
  readonly #full = new Set<object>();
  /** The number of the last known event; -1 for none. */
  #last = -1;
  #attached: Deferred<void> | undefined;
  #stop: () => void = () => {};

  constructor(parts: ConversationLogParts) {
    this.#parts = parts;
  }

  /** Notes, while nobody reads, that the log has reached this number and that everything after it matters. */
  note(last: number): void {
    if (this.#attached === undefined) this.#last = last;
  }

  /** Reads from the noted number on, or from now on; resolves when no later event can be missed. */
  follow(): Promise<void> {
    if (this.#attached !== undefined) return this.#attached.promise;
    const { client, session, onGap } = this.#parts;
    const attached = deferred<void>();
    attached.promise.catch(() => {});
    this.#attached = attached;
    const onRemoved = client.on('removed', () => {
      attached.reject(new CoxswainError('SESSION_UNKNOWN', 'The conversation was deleted.'));
      if (this.#attached === attached) this.stop();
    });
    const detach = client.attach(session, this.#last, {
      onEvent: (received) => this.#take(received),
      onAttached: ({ reset }) => {
        attached.resolve();
        if (reset) onGap();
      },
    });
    this.#stop = () => {
      onRemoved();
      detach();
    };
    return attached.promise;
  }

  /** Stops reading. */
  stop(): void {
    this.#attached = undefined;
    this.#stop();
    this.#stop = () => {};
  }

  added(): void {}

  removed(): void {}

  full(buffer: object): void {
    this.#full.add(buffer);
    this.#parts.client.pause();
  }

  drained(buffer: object): void {
    this.#full.delete(buffer);
    if (this.#full.size === 0) this.#parts.client.resume();
  }

  #take(received: ReceivedEvent): void {
    this.#last = received.n;
    this.#parts.onEvent(received.event, received.line?.text.length ?? 0);
  }
}
