import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { RecentMap } from '../../wire/util/maps.js';
import type { LogEvent } from './contract.js';
import { outcomeFrom } from './outcome-view.js';

/** How many results to keep until their messages are known. */
const RESULTS = 16;

/**
 * Follows a sent message through the events of its session, until the log says that it is settled: a message is sent again
 * if its CLI ended before it responded, or met a usage limit.
 */
export class SentMessage {
  readonly #uuid: string;
  readonly #results = new RecentMap<string, WireObject>(RESULTS);
  /** The id under which the CLI gets it. */
  #id: string;
  #handed = false;
  #waits = false;

  constructor(uuid: string) {
    this.#uuid = uuid;
    this.#id = uuid;
  }

  /** A CLI message that belongs to its turn; undefined for everything else. */
  messageIn(event: LogEvent): WireObject | undefined {
    if (event.kind === 'handed' && event.uuid === this.#uuid) this.#id = event.as ?? this.#uuid;
    if (event.kind === 'end') this.#forgetCli();
    if (event.kind !== 'line' || event.frame === undefined || event.earlier === true) return undefined;
    if (event.from === 'cli') return this.#hear(event.frame);
    if (event.frame.type === 'user' && event.frame.uuid === this.#id) this.#handed = true;
    return undefined;
  }

  /** How its turn ended, if this event tells. */
  outcomeIn(event: LogEvent): TurnOutcome | undefined {
    if (event.kind !== 'settled' || event.uuid !== this.#uuid) return undefined;
    return outcomeFrom(event.outcome, this.#results.get(String(event.outcome.result)));
  }

  #hear(frame: WireObject): WireObject | undefined {
    if (frame.type === 'command_lifecycle') this.#noteLifecycle(frame);
    if (frame.type === 'result') this.#results.set(String(frame.uuid), frame);
    if (!this.#handed || this.#waits || String(frame.type).startsWith('control_')) return undefined;
    // What follows its result belongs to other messages.
    if (frame.type === 'result' && this.#isOurs(frame)) this.#handed = false;
    return frame;
  }

  /** CLIs that accept messages while a turn runs report when each begins; others get one at a time. */
  #noteLifecycle({ command_uuid: id, state }: WireObject): void {
    if (id !== this.#id) return;
    this.#waits = state === 'queued';
    if (state === 'started') this.#handed = true;
  }

  #forgetCli(): void {
    this.#handed = false;
    this.#waits = false;
  }

  #isOurs({ user_message_uuids: uuids }: WireObject): boolean {
    return !Array.isArray(uuids) || uuids.length === 0 || uuids.includes(this.#id);
  }
}
