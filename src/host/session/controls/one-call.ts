import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Clock } from '../../../wire/util/clock.js';
import { waitAtMost } from '../turns/wait-at-most.js';

/** The steps of a call; those that begin after the call has ended see an aborted signal. */
export type Steps<Options extends RequestOptions, Value> = (options: Options | undefined) => Promise<Value>;

/** Makes a call of several steps. */
export type OneCall = <Options extends RequestOptions, Value>(
  name: string,
  options: Options | undefined,
  steps: Steps<Options, Value>,
) => Promise<Value>;

/**
 * Makes a call of several steps, which all end with its signal. Each step has the deadline, and all together twice
 * that: a step that waited in vain for a server or a task may still ask the CLI once.
 */
export function oneCall(clock: Clock): OneCall {
  return async (name, options, steps) => {
    if (options?.deadlineMs === undefined && options?.signal === undefined) return steps(options);
    const deadlineMs = options.deadlineMs === undefined ? undefined : 2 * options.deadlineMs;
    const over = new AbortController();
    try {
      return await waitAtMost(
        steps({ ...options, signal: over.signal }),
        { deadlineMs, signal: options.signal },
        {
          clock,
          late: () => `${name} was not complete within ${deadlineMs} ms.`,
          aborted: `${name} was aborted by its caller.`,
        },
      );
    } catch (error) {
      over.abort(error);
      throw error;
    }
  };
}
