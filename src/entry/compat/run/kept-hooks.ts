import type { RequestHandler } from '../../../wire/peer/received-requests.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { HookCallback, HookCallbackMatcher } from '../types/callback-types.js';
import type { Options } from '../types/option-types.js';

/** The hooks of a query: their declaration for `initialize`, and the handler of CLI calls. */
export interface KeptHooks {
  readonly wire: WireObject | undefined;
  readonly handler: RequestHandler;
  /** Whether a failed hook should block, so that the CLI must confirm that it supports this. */
  readonly mustBlock: boolean;
}

/** Gives each hook an id and builds both sides. */
export function keepHooks(hooks: Options['hooks']): KeptHooks {
  const kept = new Map<string, HookCallback>();
  const events = Object.entries(hooks ?? {}).filter(([, matchers]) => (matchers?.length ?? 0) > 0);
  const wire = events.map(([event, matchers = []]) => [event, matchers.map((each) => declare(each, kept))]);
  return {
    wire: hooks === undefined ? undefined : Object.fromEntries(wire),
    mustBlock: events.some(([, matchers = []]) => matchers.some(({ onFailure }) => onFailure === 'block')),
    handler: (body, context) => {
      const hook = kept.get(String(body.callback_id));
      if (hook === undefined) throw new Error(`No hook callback found for ID: ${String(body.callback_id)}`);
      const toolUseId = typeof body.tool_use_id === 'string' ? body.tool_use_id : undefined;
      // The CLI names the event; the program narrows by it.
      return hook(body.input as Parameters<HookCallback>[0], toolUseId, {
        // Created on demand, because it costs more than the rest of a call.
        get signal() {
          return context.signal;
        },
      });
    },
  };
}

function declare(matcher: HookCallbackMatcher, kept: Map<string, HookCallback>): WireObject {
  const ids = matcher.hooks.map((hook) => {
    const id = `hook_${kept.size}`;
    kept.set(id, hook);
    return id;
  });
  const { matcher: pattern, timeout, onFailure } = matcher;
  return {
    ...(pattern === undefined ? {} : { matcher: pattern }),
    hookCallbackIds: ids,
    ...(timeout === undefined ? {} : { timeout }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}
