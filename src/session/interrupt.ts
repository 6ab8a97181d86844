import type { RequestOptions } from '../peer/control-peer.js';
import type { Clock } from '../util/clock.js';
import type { Traffic } from './traffic.js';

/** How an interrupt is done. */
export interface InterruptOptions extends RequestOptions {
  /** Also takes back the messages that wait. */
  readonly cancelQueued?: boolean;
}

/** What an interrupt did to the messages that waited; `uuid`s of user messages. */
export interface InterruptReceipt {
  /** Whether a turn was running; without one there was nothing to interrupt. */
  readonly interrupted: boolean;
  readonly stillQueued: readonly string[];
  readonly cancelled: readonly string[];
}

/** How long an interrupt waits for a turn that was sent to begin, so that it does not come before it. */
const BEGIN_WAIT_MS = 2_000;

/** An interrupt that overtakes the turn it is meant for would have no effect. */
export async function untilBegun(traffic: Traffic, clock: Clock): Promise<void> {
  if (traffic.running.length > 0) return;
  const [next] = traffic.waiting;
  if (next === undefined) return;
  let callOff = () => {};
  const late = new Promise<void>((resolve) => {
    callOff = clock.after(BEGIN_WAIT_MS, resolve);
  });
  await Promise.race([next.began, late]);
  callOff();
}
