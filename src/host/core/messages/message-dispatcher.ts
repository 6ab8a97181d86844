import type { MessageName } from '../../../wire/protocol/catalog/catalog.js';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** The kinds of messages that have listeners here: a type, or `system/` with the subtype. */
export type MessageKind = Exclude<MessageName, `user/${string}` | `result/${string}`> | 'result';

/** Receives the messages of one kind. The CLI decides what a message contains, so check fields before use. */
export type KindListener = (message: WireObject) => void;

/** Receives every message with its kind, so that it is determined only once. */
export interface MessageReceiver {
  receive(message: WireObject, length: number, kind: string): void;
}

/** The key of a message: its type, or `system/` with the subtype. */
export function kindOf(message: WireObject): string {
  const { type } = message;
  // Most messages are of this kind. Comparing with a constant is faster than looking up each line's own string.
  if (type === 'stream_event') return 'stream_event';
  if (type === 'system') return `system/${String(message.subtype)}`;
  return typeof type === 'string' ? type : '';
}

/** Classifies each message once: calls the listeners of its kind, then passes it to the receiver of all messages. */
export class MessageDispatcher {
  readonly #listeners = new Map<string, KindListener[]>();
  readonly #receiver: MessageReceiver;

  constructor(receiver: MessageReceiver) {
    this.#receiver = receiver;
  }

  /** Listens for a kind; the returned function removes the listener. */
  on(kind: MessageKind, listener: KindListener): () => void {
    // Lists are replaced, never modified: one may be in use.
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
    return () => {
      const left = (this.#listeners.get(kind) ?? []).filter((other) => other !== listener);
      if (left.length > 0) this.#listeners.set(kind, left);
      else this.#listeners.delete(kind);
    };
  }

  dispatch(message: WireObject, length: number): void {
    const kind = kindOf(message);
    const listeners = this.#listeners.get(kind);
    if (listeners !== undefined) for (const listen of listeners) listen(message);
    this.#receiver.receive(message, length, kind);
  }
}
