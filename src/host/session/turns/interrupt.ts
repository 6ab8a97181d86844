import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, within } from '../../../wire/util/clock.js';
import type { SessionTurns } from './session-turns.js';
import type { SessionTurn } from './turn.js';

/** Options of an interrupt. */
export interface InterruptOptions extends RequestOptions {
  /** Also cancels waiting messages. */
  readonly cancelQueued?: boolean;
}

/** What an interrupt did, with `uuid`s of user messages. */
export interface InterruptReceipt {
  /** Whether a turn was running. */
  readonly interrupted: boolean;
  /** The ids of messages that are still queued in the CLI. */
  readonly stillQueued: readonly string[];
  /** The ids of cancelled messages. */
  readonly cancelled: readonly string[];
}

/** Creates the receipt from the CLI's answer and the messages that were still held here. */
export function interruptReceipt(
  answer: WireObject,
  { interrupted, withdrawn }: { readonly interrupted: boolean; readonly withdrawn: readonly SessionTurn[] },
): InterruptReceipt {
  const held = withdrawn.flatMap(({ userMessageId }) => userMessageId ?? []);
  return {
    interrupted,
    stillQueued: strings(answer.still_queued),
    cancelled: [...held, ...strings(answer.cancelled)],
  };
}

/** How long an interrupt waits for a sent turn to begin, so that it does not arrive first. */
const BEGIN_WAIT_MS = 2_000;

/** An interrupt that arrives before its turn would have no effect. */
export async function untilBegun(turns: SessionTurns, clock: Clock): Promise<void> {
  if (turns.running.length > 0) return;
  const [next] = turns.waiting;
  if (next !== undefined) await within(next.began, BEGIN_WAIT_MS, clock);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
