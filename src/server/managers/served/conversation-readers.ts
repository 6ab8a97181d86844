import { type BufferWatcher, MessageBuffer } from '../../../host/core/messages/message-buffer.js';
import type { MessagesOptions } from '../../../host/session/turns/session-turns.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { AsyncQueue } from '../../../wire/util/async-queue.js';

const LIMITS = { messages: 2_500, characters: 2 * 1024 * 1024 };
const UNASKED_KEPT = 16;

/** The readers of all messages of a conversation, and of the turns that its CLIs start. */
export class ConversationReaders {
  readonly #watcher: BufferWatcher;
  readonly #onChange: () => void;
  /** The readers, and whether each wants partial messages too. */
  readonly #readers = new Map<MessageBuffer, boolean>();
  #unasked: AsyncQueue<Turn> | undefined;

  constructor(watcher: BufferWatcher, onChange: () => void) {
    this.#watcher = watcher;
    this.#onChange = onChange;
  }

  /** Whether there is a reader. */
  get isRead(): boolean {
    return this.#readers.size > 0 || this.#unasked !== undefined;
  }

  get unasked(): AsyncIterable<Turn> {
    this.#unasked ??= new AsyncQueue(UNASKED_KEPT);
    this.#onChange();
    return this.#unasked;
  }

  messages({ partial = false }: MessagesOptions = {}): AsyncIterable<CliMessage> {
    const buffer = new MessageBuffer(LIMITS, this.#watcher, () => {
      this.#readers.delete(buffer);
      this.#onChange();
    });
    this.#readers.set(buffer, partial);
    this.#onChange();
    return buffer as AsyncIterable<WireObject> as AsyncIterable<CliMessage>;
  }

  hear(message: WireObject, length: number): void {
    const isPiece = message.type === 'stream_event';
    for (const [buffer, partial] of this.#readers) if (partial || !isPiece) buffer.push(message, length);
  }

  unaskedTurn(turn: Turn): void {
    this.#unasked?.push(turn);
  }

  /** Ends all readers: there will be no more messages. */
  finish(): void {
    for (const buffer of [...this.#readers.keys()]) buffer.end();
    this.#readers.clear();
    this.#unasked?.end();
  }
}
