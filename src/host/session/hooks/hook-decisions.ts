import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { fits } from './hook-matching.js';
import type { HookMatcher } from './hook-types.js';

/** How long after its prompt a CLI may call the hooks; 100 ms were seen on a busy machine. */
const CALL_WAIT_MS = 1_000;

/**
 * Newer CLIs ask their host and its hooks of PermissionRequest at the same time, and take the answer that comes first:
 * so an allow of the host waits for those hooks.
 */
export class HookDecisions {
  readonly #hooks: readonly HookMatcher<'PermissionRequest'>[];
  readonly #clock: Clock;
  /** Told when the hooks of a call have begun. */
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Map<string, Promise<WireObject>>();

  constructor(hooks: readonly HookMatcher<'PermissionRequest'>[], clock: Clock) {
    this.#hooks = hooks;
    this.#clock = clock;
  }

  /** Runs the hooks of a call, for whoever waits for them. */
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

  /** Waits for the hooks of a call that the CLI asks about; resolves to why they deny it, if they do. */
  async denial({ tool_name, input }: RequestBody): Promise<string | undefined> {
    const call = { tool_name, tool_input: input };
    if (!this.#hooks.some(({ matcher }) => fits(matcher, String(tool_name)))) return undefined;
    const key = keyOf(call);
    const output = await (this.#running.get(key) ?? this.#begun(key)).catch(() => undefined);
    const specific = isObject(output?.hookSpecificOutput) ? output.hookSpecificOutput : {};
    const decision = isObject(specific.decision) ? specific.decision : {};
    return decision.behavior === 'deny' ? String(decision.message ?? 'A hook denied it.') : undefined;
  }

  /** The hooks of a call, once the CLI has called them; undefined where it does not. */
  #begun(key: string): Promise<WireObject | undefined> {
    return new Promise((resolve) => {
      const done = () => {
        callOff();
        this.#waiting.delete(key);
        resolve(this.#running.get(key));
      };
      const callOff = this.#clock.after(CALL_WAIT_MS, done);
      this.#waiting.set(key, done);
    });
  }
}

/** The inputs of hooks name no tool use, only the tool and what it is called with. */
function keyOf({ tool_name, tool_input }: WireObject): string {
  return JSON.stringify([tool_name, tool_input]);
}
