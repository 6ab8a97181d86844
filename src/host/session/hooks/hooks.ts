import type { RequestHandler } from '../../../wire/peer/received-requests.js';
import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { blocksOnFailure } from './blocking.js';
import { HookDecisions } from './hook-decisions.js';
import { joinMatchers } from './hook-matching.js';
import type { EventHooks, HookMatcher, Hooks } from './hook-types.js';
import { keepsTime, runHooks, secondsOf } from './run-hooks.js';

/** The hooks of a session: their declaration for `initialize`, and the handler of CLI calls. */
export interface RegisteredHooks {
  readonly wire: WireObject | undefined;
  readonly handler: RequestHandler;
  /** Pending decisions of PermissionRequest hooks about tool calls. */
  readonly decisions: HookDecisions;
}

/** Called for a hook that failed or was late, with the name of its option. */
export type HookFailed = (callback: string, error: unknown) => void;

/** Assigns one id to the hooks of each event and builds both sides. */
export function registerHooks(
  hooks: Hooks = {},
  clock: Clock = systemClock,
  onFailure: HookFailed = () => {},
): RegisteredHooks {
  const registered = new Map<string, EventHooks>();
  const wire: Record<string, WireObject[]> = {};
  for (const [event, matchers] of hookEntries(hooks)) {
    const id = `hook_${registered.size}`;
    const all: EventHooks = { event, hooks: matchers };
    registered.set(id, all);
    // Old CLIs lose the changes of one of several hooks, so they get only one.
    wire[event] = [declare(all, id)];
  }
  const decisions = new HookDecisions(hooks.PermissionRequest ?? [], clock);
  return {
    decisions,
    wire: registered.size === 0 ? undefined : wire,
    handler: (body, { withdrawal }) => {
      const found = find(registered, body);
      const { event } = found;
      const failed = (error: unknown) => onFailure(`hooks.${event}`, error);
      const run = () => runHooks(found, { event, body, withdrawal, clock, onFailure: failed });
      return event === 'PermissionRequest' ? decisions.during(body, run) : run();
    },
  };
}

/** The events that have hooks, with their hooks. */
export function hookEntries(hooks: Hooks): readonly [HookEventName, readonly HookMatcher<never>[]][] {
  return Object.entries(hooks)
    .filter(([, matchers]) => matchers !== undefined && matchers.length > 0)
    .map(([event, matchers]) => [
      event as HookEventName,
      matchers as unknown as readonly HookMatcher<never>[],
    ]);
}

function declare(all: EventHooks, id: string): WireObject {
  const { event, hooks } = all;
  const matcher = joinMatchers(
    event,
    hooks.map((hook) => hook.matcher),
  );
  const isTimed = keepsTime(all) || hooks.some(({ timeoutMs }) => timeoutMs !== undefined);
  const timeout = hooks.reduce((sum, hook) => sum + secondsOf(hook), 0);
  const onFailure = policyOf(all);
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hookCallbackIds: [id],
    ...(isTimed ? { timeout } : {}),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}

/** The policy if the host itself does not answer: the strictest of its hooks. */
function policyOf({ event, hooks }: EventHooks): HookMatcher['onFailure'] {
  const policies = hooks.map(({ onFailure }) => onFailure);
  if (policies.includes('block') || hooks.some((hook) => blocksOnFailure(event, hook))) return 'block';
  return policies.includes(undefined) ? undefined : 'continue';
}

function find(registered: ReadonlyMap<string, EventHooks>, { callback_id: id }: RequestBody): EventHooks {
  const found = registered.get(String(id));
  if (found === undefined)
    throw new CoxswainError('PROTOCOL_ERROR', `There is no hook with the id ${String(id)}.`);
  return found;
}
