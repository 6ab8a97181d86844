import { Cancellation } from '../../../wire/peer/cancellation.js';
import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import { encodeObject } from '../../../wire/protocol/encode.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { blockingOutput, blocksOnFailure } from './blocking.js';
import { matching } from './hook-matching.js';
import type { EventHooks, HookContext, HookMatcher } from './hook-types.js';
import { changedInput, mergeOutputs } from './merge-outputs.js';

/** One call of the CLI. */
interface HookCall {
  readonly event: HookEventName;
  readonly body: RequestBody;
  /** Cancelled when the CLI no longer waits for it. */
  readonly withdrawal: Cancellation;
  readonly clock: Clock;
  /** Called for each hook that failed or was late. */
  readonly onFailure: (error: unknown) => void;
}

/** How long every CLI waits for a hook without its own timeout. */
const DEFAULT_TIMEOUT_MS = 60_000;
/**
 * The share of the deadline after which a late hook is answered for, so that the CLI's own timeout does not come first.
 */
const ANSWER_EARLY = 0.9;

/** How long a hook may take, in seconds, as the wire counts. */
export function secondsOf({ timeoutMs = DEFAULT_TIMEOUT_MS }: HookMatcher<never>): number {
  return timeoutMs / 1000;
}

/**
 * Whether the CLI gets the timeout of these hooks and an answer before it; a single hook that need not block uses its
 * default.
 */
export function keepsTime({ event, hooks }: EventHooks): boolean {
  return hooks.length > 1 || hooks.some((hook) => blocksOnFailure(event, hook));
}

/**
 * Runs the matching hooks of an event in sequence. Each sees the input as the previous ones left it, and their
 * answers are merged.
 */
export async function runHooks(registered: EventHooks, call: HookCall): Promise<WireObject> {
  const { event, hooks } = registered;
  const outputs: WireObject[] = [];
  const failures: unknown[] = [];
  let input: WireObject = isObject(call.body.input) ? call.body.input : {};
  for (const hook of matching(event, hooks, input)) {
    if (call.withdrawal.cancelled) break;
    try {
      const output = await runInTime(hook, input, call);
      outputs.push(output);
      input = changedInput(event, input, output);
    } catch (error) {
      call.onFailure(error);
      if (blocksOnFailure(event, hook)) outputs.push(blockingOutput(event, failureText(event, error)));
      else failures.push(error);
    }
  }
  if (outputs.length === 0 && failures.length > 0) throw failures[0];
  return mergeOutputs(event, outputs);
}

function failureText(event: HookEventName, error: unknown): string {
  return error instanceof LateHook ? error.message : `A hook of ${event} failed: ${errorText(error)}`;
}

class LateHook extends CoxswainError {
  constructor(event: HookEventName, seconds: number) {
    super('REQUEST_TIMEOUT', `A hook of ${event} did not answer within ${seconds} s.`);
  }
}

/** Rejects when the hook is late, and aborts its signal. */
async function runInTime(hook: HookMatcher<never>, input: WireObject, call: HookCall): Promise<WireObject> {
  const { event, withdrawal, clock } = call;
  const own = new Cancellation();
  const over = deferred<WireObject>();
  const forget = withdrawal.onCancel(() => {
    own.cancel(withdrawal.signal.reason);
    // No answer is sent any more, and the hook may never return: this ends the wait and its timer.
    over.resolve({});
  });
  const seconds = secondsOf(hook);
  const stopTimer = clock.after(seconds * 1000 * ANSWER_EARLY, () => {
    const late = new LateHook(event, seconds);
    own.cancel(late);
    over.reject(late);
  });
  try {
    const output = await Promise.race([runHook(hook, input, { ...call, withdrawal: own }), over.promise]);
    // An answer that cannot be sent counts as a failure of the hook, before it is sent.
    encodeObject(output);
    return output;
  } finally {
    stopTimer();
    forget();
  }
}

async function runHook(
  hook: HookMatcher<never>,
  input: WireObject,
  { event, body, withdrawal }: HookCall,
): Promise<WireObject> {
  // The schemas describe what CLIs send; the actual input is passed on unchanged.
  const output: unknown = (await hook.run(input as never, new CallContext(body, withdrawal))) ?? {};
  return checkOutput(event, output);
}

/** The context of a hook call. Few hooks use the signal, and an object with its own getter is expensive. */
class CallContext implements HookContext {
  readonly toolUseId: string | undefined;
  readonly #cancellation: Cancellation;

  constructor({ tool_use_id: id }: RequestBody, cancellation: Cancellation) {
    this.toolUseId = typeof id === 'string' ? id : undefined;
    this.#cancellation = cancellation;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }
}

/** Output that a CLI would ignore counts as a failure of the hook. */
function checkOutput(event: HookEventName, output: unknown): WireObject {
  if (!isObject(output))
    throw new CoxswainError('ANSWER_INVALID', 'A hook must return an object or nothing.');
  const { hookSpecificOutput: specific } = output;
  if (isObject(specific) && specific.hookEventName !== event) {
    const named = JSON.stringify(specific.hookEventName);
    throw new CoxswainError('ANSWER_INVALID', `Its hookSpecificOutput is for ${named}, not for ${event}.`);
  }
  return output;
}
