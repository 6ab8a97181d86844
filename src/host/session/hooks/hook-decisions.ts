import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { fits } from './hook-matching.js';
import type { HookMatcher } from './hook-types.js';

/** How long after its prompt a CLI may call the hooks; 100 ms were seen on a busy machine. */
const CALL_WAIT_MS = 1_000;

/**
 * Newer CLIs ask the host and its PermissionRequest hooks at the same time and take the first answer, so the host's
 * allow waits for those hooks.
 */
export class HookDecisions {
  readonly #hooks: readonly HookMatcher<'PermissionRequest'>[];
  readonly #clock: Clock;
  /** Called when the hooks of a call have started. */
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Map<string, Promise<WireObject>>();

  constructor(hooks: readonly HookMatcher<'PermissionRequest'>[], clock: Clock) {
    this.#hooks = hooks;
    this.#clock = clock;
  }

  /** Runs the hooks of a call and settles those who wait for them. */
  during(body: RequestBody, run: () => Promise<WireObject>): Promise<WireObject> {
    const key = keyOf(isObject(body.input) ? body.input : {});
    const running = run();
    this.#running.set(key, running);
    this.#waiting.get(key)?.();
    const forget = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.then(forget, forget);
    return running;
  }

  /** Waits for the hooks of a call; resolves to the reason if they deny it. */
  async denial({ tool_name, input }: RequestBody): Promise<string | undefined> {
    const call = { tool_name, tool_input: input };
    if (!this.#hooks.some(({ matcher }) => fits(matcher, String(tool_name)))) return undefined;
    const key = keyOf(call);
    const output = await (this.#running.get(key) ?? this.#begun(key)).catch(() => undefined);
    const specific = isObject(output?.hookSpecificOutput) ? output.hookSpecificOutput : {};
    const decision = isObject(specific.decision) ? specific.decision : {};
    return decision.behavior === 'deny' ? String(decision.message ?? 'A hook denied it.') : undefined;
  }

  /** The hooks of a call, once the CLI has called them; undefined if it does not. */
  #begun(key: string): Promise<WireObject | undefined> {
    return new Promise((resolve) => {
      const done = () => {
        stopTimer();
        this.#waiting.delete(key);
        resolve(this.#running.get(key));
      };
      const stopTimer = this.#clock.after(CALL_WAIT_MS, done);
      this.#waiting.set(key, done);
    });
  }
}

/** Hook inputs contain no tool call id, only the tool and its input. */
function keyOf({ tool_name, tool_input }: WireObject): string {
  return JSON.stringify([tool_name, tool_input]);
}
