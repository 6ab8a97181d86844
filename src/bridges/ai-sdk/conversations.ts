import { openSession } from '../../entry/sdk/open-session.js';
import type { OpenOptions } from '../../entry/sdk/remote-session.js';
import type { Session } from '../../host/session/session.js';
import { RecentMap } from '../../wire/util/maps.js';
import { fingerprint, type PastMessage, type ReadPrompt } from './read-prompt.js';
import type { LiveSession, RunningTurn } from './running-turn.js';

/** How many conversations are remembered by their history. */
const REMEMBERED = 1_000;

/** How long to keep CLIs. */
export interface KeepOptions {
  /** How long a CLI stays between two turns of a conversation. */
  readonly idleMs: number;
  /** How long a turn waits for the caller. */
  readonly pausedMs: number;
}

interface Kept<T> {
  readonly value: T;
  readonly timer: NodeJS.Timeout;
}

/**
 * Finds the conversation that a prompt of the AI SDK continues. The AI SDK sends the whole history and no id, so a
 * conversation is identified by its history.
 */
export class Conversations {
  readonly #options: KeepOptions;
  readonly #open: typeof openSession;
  /** Conversation ids by history. */
  readonly #ids = new RecentMap<string, string>(REMEMBERED);
  /** CLIs that wait for the next turn, by history and launch. */
  readonly #idle = new Map<string, Kept<LiveSession>>();
  readonly #paused = new Set<Kept<RunningTurn>>();

  constructor(options: KeepOptions, open = openSession) {
    this.#options = options;
    this.#open = open;
  }

  /** The paused turn that waits for this prompt. */
  takePaused(prompt: ReadPrompt): RunningTurn | undefined {
    const found = [...this.#paused].find(({ value }) => value.live.answers.awaits(prompt));
    if (found === undefined) return undefined;
    this.#paused.delete(found);
    clearTimeout(found.timer);
    return found.value;
  }

  /** Keeps a turn that waits for the caller; if the caller does not return, the turn ends. */
  keepPaused(turn: RunningTurn): void {
    const timer = setTimeout(() => {
      this.#paused.delete(kept);
      void turn.live.session.close();
    }, this.#options.pausedMs);
    const kept = { value: turn, timer };
    this.#paused.add(kept);
  }

  /** The id of the conversation with this history, if it took place here. */
  idOf(past: readonly PastMessage[]): string | undefined {
    return past.length === 0 ? undefined : this.#ids.get(fingerprint(past));
  }

  /** The CLI with this history that was started the same way, if it still runs. */
  takeIdle(past: readonly PastMessage[], launch: string): LiveSession | undefined {
    const key = `${fingerprint(past)} ${launch}`;
    const found = this.#idle.get(key);
    if (found === undefined) return undefined;
    this.#idle.delete(key);
    clearTimeout(found.timer);
    return found.value;
  }

  start(options: OpenOptions): Promise<Session> {
    return this.#open(options);
  }

  /** A turn has ended: its conversation can be found again by its history. */
  async keep(live: LiveSession, past: readonly PastMessage[], launch: string): Promise<void> {
    const { session } = live;
    const print = fingerprint(past);
    if (session.id !== undefined) this.#ids.set(print, session.id);
    const { idleMs } = this.#options;
    if (idleMs <= 0 || session.state !== 'ready') {
      await session.close();
      return;
    }
    const key = `${print} ${launch}`;
    const timer = setTimeout(() => {
      this.#idle.delete(key);
      void session.close();
    }, idleMs);
    void this.takeIdle(past, launch)?.session.close();
    this.#idle.set(key, { value: live, timer });
  }

  /** Ends all waiting CLIs. */
  async close(): Promise<void> {
    const waiting = [
      ...[...this.#idle.values()].map(({ value, timer }) => ({ session: value.session, timer })),
      ...[...this.#paused].map(({ value, timer }) => ({ session: value.live.session, timer })),
    ];
    this.#idle.clear();
    this.#paused.clear();
    for (const { timer } of waiting) clearTimeout(timer);
    await Promise.all(waiting.map(({ session }) => session.close()));
  }
}
