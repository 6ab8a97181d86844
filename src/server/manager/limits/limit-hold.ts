import type { LogEvent } from '../../../entry/remote/contract.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { QueueWaits } from '../conversations/queue-waits.js';
import type { Surroundings } from '../conversations/surroundings.js';
import type { ConversationRecord } from '../store/record.js';
import type { HeldWork } from './plan-holds.js';

/** What {@link LimitHold} needs from its conversation. */
export interface HoldOwner {
  readonly record: ConversationRecord;
  /** The login of its CLI, or of the next one. */
  readonly login: string;
  becameIdle(): void;
  append(event: LogEvent): void;
}

/** Lets the new work of a conversation wait while a usage window of its login is nearly full. */
export class LimitHold {
  readonly #owner: HoldOwner;
  readonly #around: Surroundings;
  readonly #waits: QueueWaits;
  #isWaiting = false;

  constructor(owner: HoldOwner, around: Surroundings, waits: QueueWaits) {
    this.#owner = owner;
    this.#around = around;
    this.#waits = waits;
  }

  /** Whether new work may begin now. */
  get isOpen(): boolean {
    return this.#heldUntil === undefined;
  }

  /** While work waits: until when, in milliseconds since 1970. */
  get until(): number | undefined {
    return this.#isWaiting ? this.#heldUntil : undefined;
  }

  /** The outcome of work that must not wait; undefined if it may begin. */
  refusal(): (TurnOutcome & { readonly kind: 'rate-limited' }) | undefined {
    const until = this.#heldUntil;
    if (until === undefined) return undefined;
    const endsAt = new Date(until);
    const message = `A usage window is nearly full (see "holdAbove") until ${endsAt.toISOString()}; nothing was sent.`;
    return { kind: 'rate-limited', message, endsAt };
  }

  /** Waits until new work may begin, or nothing waits any more. Meanwhile its CLI is idle, and is parked like any other. */
  async over(): Promise<void> {
    if (this.isOpen) return;
    const { open, leave } = this.#around.plans.wait(this.#work);
    this.#isWaiting = true;
    const text = `A usage window is nearly full. The message is sent after ${new Date(this.#heldUntil ?? 0).toISOString()}.`;
    this.#owner.append({ kind: 'note', level: 'info', code: 'LIMIT_WAITS', text });
    const waiting = this.#waits.for(open, 'limited');
    this.#owner.becameIdle();
    await waiting;
    this.#isWaiting = false;
    leave();
  }

  get #heldUntil(): number | undefined {
    return this.#around.plans.isUsed ? this.#around.plans.heldUntil(this.#work) : undefined;
  }

  get #work(): HeldWork {
    return { login: this.#owner.login, priority: this.#owner.record.priority };
  }
}
