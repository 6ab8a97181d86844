import type { RequestHandler } from '../../peer/received-requests.js';
import type { HookEventName } from '../../protocol/catalog/catalog.js';
import { isObject, type WireObject } from '../../protocol/frames.js';
import { CoxswainError } from '../../util/errors.js';

/** What a hook is told beside its input. */
export interface HookContext {
  readonly signal: AbortSignal;
  /** The CLI fills it also for events without a tool. */
  readonly toolUseId: string | undefined;
}

/** Runs when its event happens; the output's keys are those of the wire. */
export type HookCallback = (input: WireObject, context: HookContext) => unknown;

/** One hook and what it is for. */
export interface HookMatcher {
  /** A tool name, `A|B`, or a pattern; every call when left out. */
  readonly matcher?: string;
  readonly run: HookCallback;
  /** How long the CLI waits for it, in seconds. */
  readonly timeoutSeconds?: number;
  /** What a failure means; 2.1.325 and newer. */
  readonly onFailure?: 'continue' | 'block';
}

/** Hooks by event. */
export type Hooks = Readonly<Partial<Record<HookEventName, readonly HookMatcher[]>>>;

/** The hooks of a session: what `initialize` declares, and who answers when the CLI calls. */
export interface RegisteredHooks {
  readonly wire: WireObject | undefined;
  readonly handler: RequestHandler;
}

/** Gives each hook an id and builds both sides. */
export function registerHooks(hooks: Hooks = {}): RegisteredHooks {
  const callbacks = new Map<string, HookCallback>();
  const wire: Record<string, WireObject[]> = {};
  for (const [event, matchers] of Object.entries(hooks)) {
    wire[event] = matchers.map((matcher) => {
      const id = `hook_${callbacks.size}`;
      callbacks.set(id, matcher.run);
      return declare(matcher, id);
    });
  }
  return { wire: callbacks.size === 0 ? undefined : wire, handler: hookHandler(callbacks) };
}

function declare({ matcher, timeoutSeconds, onFailure }: HookMatcher, id: string): WireObject {
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hookCallbackIds: [id],
    ...(timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}

function hookHandler(callbacks: ReadonlyMap<string, HookCallback>): RequestHandler {
  return async (body, { signal }) => {
    const callback = callbacks.get(String(body.callback_id));
    if (callback === undefined) {
      throw new CoxswainError('PROTOCOL_ERROR', `There is no hook with the id ${String(body.callback_id)}.`);
    }
    const input = isObject(body.input) ? body.input : {};
    const toolUseId = typeof body.tool_use_id === 'string' ? body.tool_use_id : undefined;
    return (await callback(input, { signal, toolUseId })) ?? {};
  };
}
