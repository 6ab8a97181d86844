import type { Session } from '../../../host/session/session.js';
import type { MessagesOptions } from '../../../host/session/turns/session-turns.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { AsyncQueue } from '../../../wire/util/async-queue.js';
import { Listeners } from '../../../wire/util/listeners.js';
import type { Source } from '../../../wire/util/reader.js';
import type { ManagerEvents } from '../manager-events.js';
import { JoinedMessages } from './joined-messages.js';

/** How many unrequested turns wait for a reader. */
const UNASKED_KEPT = 16;

/** The readers and listeners of a conversation, across all its CLIs. */
export class ConversationReaders {
  readonly listeners = new Listeners<ManagerEvents>();
  readonly #readers = new Map<JoinedMessages, MessagesOptions | undefined>();
  #unasked: AsyncQueue<Turn> | undefined;

  get unasked(): AsyncIterable<Turn> {
    this.#unasked ??= new AsyncQueue(UNASKED_KEPT);
    return this.#unasked;
  }

  /** Every message from now on, for one reader. */
  messages(session: Session | undefined, options: MessagesOptions | undefined): AsyncIterable<CliMessage> {
    const joined = new JoinedMessages(() => this.#readers.delete(joined));
    this.#readers.set(joined, options);
    if (session !== undefined) joined.add(sourceOf(session, options));
    return joined as AsyncIterable<WireObject> as AsyncIterable<CliMessage>;
  }

  /** Another CLI is about to be used. */
  attached(session: Session): void {
    for (const [joined, options] of this.#readers) joined.add(sourceOf(session, options));
    session.on('unasked', (turn) => this.#unasked?.push(turn));
  }

  /** There will be no more CLIs. */
  finish(): void {
    for (const joined of [...this.#readers.keys()]) joined.finish();
    this.#readers.clear();
    this.#unasked?.end();
  }
}

/** A session's iterable is what its reader consumes. */
function sourceOf(session: Session, options: MessagesOptions | undefined): Source<WireObject> {
  return session.messages(options) as AsyncIterable<CliMessage> & Source<WireObject>;
}
