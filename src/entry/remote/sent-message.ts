import { outcomeOf, type TurnOutcome } from '../../host/session/turns/outcome.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { LogEvent } from './contract.js';

/** Follows a sent message through the events of its session. */
export class SentMessage {
  readonly #uuid: string;
  #handed = false;
  #waits = false;
  #error: string | undefined;
  #limit: WireObject | undefined;

  constructor(uuid: string) {
    this.#uuid = uuid;
  }

  /** A CLI message that belongs to its turn; undefined for everything else. */
  messageIn(event: LogEvent): WireObject | undefined {
    if (event.kind !== 'line' || event.frame === undefined || event.earlier === true) return undefined;
    const { from, frame } = event;
    if (from === 'host') {
      if (frame.type === 'user' && frame.uuid === this.#uuid) this.#handed = true;
      return undefined;
    }
    // CLIs that accept messages while a turn runs report when each begins; others get one at a time.
    if (frame.type === 'command_lifecycle' && frame.command_uuid === this.#uuid)
      this.#waits = frame.state === 'queued';
    if (!this.#handed || this.#waits || String(frame.type).startsWith('control_')) return undefined;
    if (typeof frame.error === 'string' && frame.type === 'assistant') this.#error = frame.error;
    if (isObject(frame.rate_limit_info)) this.#limit = frame.rate_limit_info;
    return frame;
  }

  /** How its turn ended, if this event tells. */
  outcomeIn(event: LogEvent): TurnOutcome | undefined {
    if (event.kind === 'unqueued' && event.uuid === this.#uuid) return { kind: 'cancelled' };
    if (event.kind === 'end')
      return { kind: 'cli-ended', error: new Error(event.end.error ?? 'The CLI of the session ended.') };
    const frame = event.kind === 'line' && event.from === 'cli' ? event.frame : undefined;
    if (frame?.type !== 'result' || !this.#isOurs(frame)) return undefined;
    const evidence = { interruptAsked: false, assistantError: this.#error, rateLimit: this.#limit };
    return outcomeOf(frame, evidence);
  }

  #isOurs({ user_message_uuids: uuids }: WireObject): boolean {
    return Array.isArray(uuids) && uuids.length > 0
      ? uuids.includes(this.#uuid)
      : this.#handed && !this.#waits;
  }
}
