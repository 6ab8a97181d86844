import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Clock } from '../../../wire/util/clock.js';
import { systemClock } from '../../../wire/util/clock.js';
import { EngineError, type Stored } from '../engine/engine.js';
import { waitFor } from '../engine/persist.js';
import type { NatsParts } from './open-engine.js';

/** What to follow in a stream of the engine. */
export interface Followed {
  readonly stream: string;
  readonly subject: string;
  /** The first sequence; undefined for the last message of each subject, followed by new ones. */
  readonly from?: number | undefined;
  /** The message before those, if it is known, and when it was stored. */
  readonly seen?: Seen | undefined;
  /** Called if the last message that was seen is gone, because the stream is an older copy: then it ends. */
  readonly onRewound?: (() => void) | undefined;
  /** Receives each message in order, one at a time. If it fails, the message is delivered again. */
  readonly onMessage: (message: JsMsg) => void | Promise<void>;
  /** Called when the last message of each subject is delivered again: a marker of a deleted key may have expired meanwhile. */
  readonly onAgain?: (() => void) | undefined;
  /** Called when all existing messages have been delivered. */
  readonly onCurrent?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** How often the engine sends a heartbeat; twice that without one means that it is gone. */
const SIGN_OF_LIFE_MS = 2_000;
const PULL_MS = 10_000;
const AGAIN_MS = 200;
/** The engine removes a reader that nobody has asked for anything for so long; the client's default is five minutes. */
const LEFT_MS = 20_000;

const OLDER = 'The store is an older copy.';

export type Follow = Pick<NatsParts, 'clients' | 'connection' | 'js' | 'jsm' | 'connections'>;

type Seen = Pick<Stored, 'sequence' | 'at'>;

/**
 * Receives messages as they are stored, without a gap. The engine keeps a reader in the memory of one server and loses it with that server. The
 * client's own recovery takes up to a minute, and waits for that server to come back; so a silent reader is replaced here.
 * Resolves when the first reader is ready; the returned function stops it.
 */
export async function follow(engine: Follow, followed: Followed): Promise<() => void> {
  const follower = new Follower(engine, followed);
  await follower.start();
  return () => follower.stop();
}

class Follower {
  readonly #engine: Follow;
  readonly #followed: Followed;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #consumer: Consumer | undefined;
  #messages: ConsumerMessages | undefined;
  #next: number | undefined;
  #seen: Seen | undefined;
  /** When the last message or heartbeat arrived. */
  #heard = 0;
  /** With each new connection, the stream may be an older copy. */
  #connections = 0;

  constructor(engine: Follow, followed: Followed) {
    this.#engine = engine;
    this.#followed = followed;
    this.#clock = followed.clock ?? systemClock;
    this.#next = followed.from;
    this.#seen = followed.seen;
  }

  async start(): Promise<void> {
    if (await this.#isRewound()) throw new EngineError('unready', OLDER);
    await this.#open();
    void this.#keep();
  }

  stop(): void {
    this.#end.abort();
    this.#drop();
  }

  async #keep(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted && !this.#engine.connection.isClosed()) {
      try {
        if (this.#messages === undefined) {
          if (await this.#isRewound()) return this.#rewound();
          await this.#open();
        }
        await this.#read();
      } catch {
        // Retried, from the same position.
      }
      this.#drop();
      await waitFor(AGAIN_MS, { clock: this.#clock, signal });
    }
  }

  async #open(): Promise<void> {
    const { js, clients } = this.#engine;
    const { stream, subject, onCurrent, onAgain } = this.#followed;
    const { LastPerSubject, StartSequence } = clients.jetstream.DeliverPolicy;
    const start =
      this.#next === undefined
        ? { deliver_policy: LastPerSubject }
        : { deliver_policy: StartSequence, opt_start_seq: this.#next };
    const reader = { filter_subjects: subject, inactive_threshold: LEFT_MS };
    this.#consumer = await js.consumers.get(stream, { ...reader, ...start });
    if (this.#next === undefined) onAgain?.();
    const { num_pending } = await this.#consumer.info(true);
    if (num_pending === 0) onCurrent?.();
    this.#messages = await this.#consumer.consume({
      max_messages: 100,
      expires: PULL_MS,
      idle_heartbeat: SIGN_OF_LIFE_MS,
    });
    if (this.#end.signal.aborted) this.#drop();
  }

  async #read(): Promise<void> {
    const messages = this.#messages;
    if (messages === undefined) return;
    void this.#seeSilence(messages);
    for await (const message of messages) {
      if (this.#end.signal.aborted) return;
      this.#heard = this.#clock.now();
      await this.#followed.onMessage(message);
      if (this.#next !== undefined) this.#note(message);
      if (message.info.pending === 0) this.#followed.onCurrent?.();
    }
  }

  #note({ seq, time }: JsMsg): void {
    this.#next = seq + 1;
    this.#seen = { sequence: seq, at: time.getTime() };
  }

  #rewound(): void {
    this.stop();
    this.#followed.onRewound?.();
  }

  /** Whether the last message that was seen is gone, or another one has its place. Old ones expire, and are no sign. */
  async #isRewound(): Promise<boolean> {
    const { jsm, connections } = this.#engine;
    this.#connections = connections();
    const { sequence, at } = this.#seen ?? {};
    if (sequence === undefined) return false;
    const { stream } = this.#followed;
    const found = await jsm.streams.getMessage(stream, { seq: sequence });
    if (found !== null) return found.time.getTime() !== at;
    return (await jsm.streams.info(stream)).state.last_seq < sequence;
  }

  /** Ends a reader that has received neither a message nor a heartbeat for too long, or whose connection is another one. */
  async #seeSilence(messages: ConsumerMessages): Promise<void> {
    const look = () => {
      const isSilent = this.#clock.now() - this.#heard > 2 * SIGN_OF_LIFE_MS;
      if (isSilent || this.#engine.connections() !== this.#connections) messages.stop();
      else stopTimer = this.#clock.after(SIGN_OF_LIFE_MS, look);
    };
    this.#heard = this.#clock.now();
    let stopTimer = this.#clock.after(SIGN_OF_LIFE_MS, look);
    for await (const { type } of messages.status()) if (type === 'heartbeat') this.#heard = this.#clock.now();
    stopTimer();
  }

  /** Deletes the reader; otherwise the engine would keep it for some minutes. */
  #drop(): void {
    this.#messages?.stop();
    this.#messages = undefined;
    if (!this.#engine.connection.isClosed()) void this.#consumer?.delete().catch(() => {});
    this.#consumer = undefined;
  }
}
