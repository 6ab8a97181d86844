import { Cancellation } from '../../../wire/peer/cancellation.js';
import type { RequestHandler } from '../../../wire/peer/received-requests.js';
import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { HookInput, HookOutput } from '../../../wire/protocol/catalog/types.js';
import { encodeObject } from '../../../wire/protocol/encode.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** What a hook is told beside its input. */
export interface HookContext {
  /** Aborted when the CLI does not wait for the hook any more. Made when it is read: `{ ...context }` has none. */
  readonly signal: AbortSignal;
  /** The CLI fills it also for events without a tool. */
  readonly toolUseId: string | undefined;
}

/** Runs when its event happens; the keys of input and output are those of the wire. */
export type HookCallback<Event extends HookEventName = HookEventName> = (
  input: HookInput<Event>,
  context: HookContext,
) => HookOutput<Event> | undefined | Promise<HookOutput<Event> | undefined>;

/** One hook and what it is for. */
export interface HookMatcher<Event extends HookEventName = HookEventName> {
  /** A tool name, `A|B`, or a pattern; every call when left out. */
  readonly matcher?: string | undefined;
  readonly run: HookCallback<Event>;
  /** How long the CLI waits for it, in seconds. */
  readonly timeoutSeconds?: number | undefined;
  /** What a hook that throws or is late means: the CLI goes on, or what it was about is blocked. */
  readonly onFailure?: 'continue' | 'block' | undefined;
}

/** Hooks by event. */
export type Hooks = { readonly [Event in HookEventName]?: readonly HookMatcher<Event>[] | undefined };

/** The hooks of a session: what `initialize` declares, and who answers when the CLI calls. */
export interface RegisteredHooks {
  readonly wire: WireObject | undefined;
  readonly handler: RequestHandler;
}

interface Registered {
  readonly event: HookEventName;
  readonly matcher: HookMatcher<never>;
}

/** How long every CLI waits for a hook that names no time of its own. */
const DEFAULT_TIMEOUT_SECONDS = 60;
/** How long before the CLI's own deadline a late hook is answered for, as a part of it. */
const ANSWER_EARLY = 0.9;

/** Gives each hook an id and builds both sides. */
export function registerHooks(hooks: Hooks = {}, clock: Clock = systemClock): RegisteredHooks {
  const registered = new Map<string, Registered>();
  const wire: Record<string, WireObject[]> = {};
  for (const [event, matchers] of hookEntries(hooks)) {
    wire[event] = matchers.map((matcher) => {
      const id = `hook_${registered.size}`;
      registered.set(id, { event, matcher });
      return declare(matcher, id);
    });
  }
  return {
    wire: registered.size === 0 ? undefined : wire,
    handler: (body, { withdrawal }) => answer(find(registered, body), body, withdrawal, clock),
  };
}

/** The events that have hooks, with them. */
export function hookEntries(hooks: Hooks): readonly [HookEventName, readonly HookMatcher<never>[]][] {
  return Object.entries(hooks)
    .filter(([, matchers]) => matchers !== undefined && matchers.length > 0)
    .map(([event, matchers]) => [event as HookEventName, matchers as readonly HookMatcher<never>[]]);
}

function declare({ matcher, timeoutSeconds, onFailure }: HookMatcher<never>, id: string): WireObject {
  const timeout = timeoutSeconds ?? (onFailure === 'block' ? DEFAULT_TIMEOUT_SECONDS : undefined);
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hookCallbackIds: [id],
    ...(timeout === undefined ? {} : { timeout }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}

function find(registered: ReadonlyMap<string, Registered>, { callback_id: id }: RequestBody): Registered {
  const found = registered.get(String(id));
  if (found === undefined)
    throw new CoxswainError('PROTOCOL_ERROR', `There is no hook with the id ${String(id)}.`);
  return found;
}

/** A hook that must block when it fails is answered for in time: a late one would let old CLIs run the tool. */
function answer(hook: Registered, body: RequestBody, withdrawal: Cancellation, clock: Clock): unknown {
  const { event, matcher } = hook;
  return matcher.onFailure === 'block' && canBlock(event)
    ? runOrBlock(hook, body, withdrawal, clock)
    : runHook(hook, body, withdrawal);
}

async function runOrBlock(
  hook: Registered,
  body: RequestBody,
  withdrawal: Cancellation,
  clock: Clock,
): Promise<unknown> {
  const { event, matcher } = hook;
  const own = new Cancellation();
  const seconds = matcher.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const late = deferred<WireObject>();
  const forget = withdrawal.onCancel(() => {
    own.cancel(withdrawal.signal.reason);
    // No answer is sent any more, and the hook may never return: this ends the wait and its timer.
    late.resolve({});
  });
  const callOff = clock.after(seconds * 1000 * ANSWER_EARLY, () => {
    const reason = `A hook of ${event} did not answer within ${seconds} s.`;
    own.cancel(new CoxswainError('REQUEST_TIMEOUT', reason));
    late.resolve(blockingOutput(event, reason));
  });
  try {
    return await Promise.race([checkedOutput(hook, body, own), late.promise]);
  } catch (error) {
    return blockingOutput(event, failure(event, error));
  } finally {
    callOff();
    forget();
  }
}

/** An output that cannot be sent counts as a failure of the hook here, before it is sent. */
async function checkedOutput(
  hook: Registered,
  body: RequestBody,
  cancellation: Cancellation,
): Promise<unknown> {
  const output = await runHook(hook, body, cancellation);
  encodeObject(output);
  return output;
}

async function runHook(
  { event, matcher }: Registered,
  body: RequestBody,
  cancellation: Cancellation,
): Promise<WireObject> {
  const input = isObject(body.input) ? body.input : {};
  const context = new CallContext(body, cancellation);
  // The schemas say what the CLI sends; what really came is passed on as it is.
  const output: unknown = (await matcher.run(input as never, context)) ?? {};
  return checkOutput(event, output);
}

/** What a hook is told. Few look at the signal, and an object with a getter of its own costs a lot. */
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

/** What a CLI would pass over is a failure of the hook. */
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

function failure(event: HookEventName, error: unknown): string {
  return `A hook of ${event} failed: ${errorText(error)}`;
}

/** The events whose hooks can stop what they are about. A blocked Stop would make the model go on, not stop. */
const BLOCKABLE: ReadonlySet<HookEventName> = new Set<HookEventName>([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'PermissionRequest',
]);

/** Whether a failed hook of this event can block anything. */
export function canBlock(event: HookEventName): boolean {
  return BLOCKABLE.has(event);
}

/** The output that blocks, as every CLI version understands it. */
export function blockingOutput(event: HookEventName, reason: string): WireObject {
  if (event === 'PreToolUse') {
    const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
    return { hookSpecificOutput: { hookEventName: event, ...decision } };
  }
  if (event === 'PermissionRequest') {
    return { hookSpecificOutput: { hookEventName: event, decision: { behavior: 'deny', message: reason } } };
  }
  return { decision: 'block', reason };
}
