import { blockingOutput, canBlock } from '../../../host/session/hooks/blocking.js';
import type { Hooks } from '../../../host/session/hooks/hook-types.js';
import { PROMPT_REQUESTS } from '../../../host/session/prompts/prompt-requests.js';
import type { Cancellation } from '../../../wire/peer/cancellation.js';
import type { RequestHandler } from '../../../wire/peer/received-requests.js';
import { cliRequests, findHookEvent } from '../../../wire/protocol/catalog/catalog.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** How long requests wait for a disconnected program before it counts as away. */
const OWNER_GRACE_MS = 5_000;

/**
 * CLI requests that only the program that opened a session can answer: hooks, and messages to its in-process MCP
 * servers. It sees them among the events and sends a reply. While it is away, hooks follow their failure policy and
 * everything else is refused.
 */
export class OwnerRequests {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #open = new Map<string, Deferred<unknown>>();
  readonly #policies: ReadonlyMap<string, HookPolicy>;
  #away = false;
  #callOffGrace: (() => void) | undefined;

  constructor(hooks: unknown, clock: Clock, graceMs = OWNER_GRACE_MS) {
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#policies = hookPolicies(hooks);
  }

  /** A handler for every request that is not a prompt. */
  get handlers(): Readonly<Record<string, RequestHandler>> {
    const subtypes = Object.keys(cliRequests).filter((subtype) => !PROMPT_REQUESTS.has(subtype));
    const handler: RequestHandler = (body, { id, withdrawal }) => this.#ask(body, id, withdrawal);
    return Object.fromEntries(subtypes.map((subtype) => [subtype, handler]));
  }

  /** The program was lost, or is back. */
  ownerChanged(connected: boolean): void {
    this.#callOffGrace?.();
    this.#callOffGrace = undefined;
    if (connected) this.#away = false;
    else this.#callOffGrace = this.#clock.after(this.#graceMs, () => this.#goAway());
  }

  /** The program answers; only the first answer to an open request counts. */
  reply(
    id: string,
    answer: { readonly ok: boolean; readonly value?: unknown; readonly error?: string },
  ): boolean {
    const request = this.#open.get(id);
    if (request === undefined) return false;
    if (answer.ok) request.resolve(answer.value);
    else request.reject(new Error(answer.error ?? 'The program refused.'));
    return true;
  }

  /** The session is over: ask nothing more. */
  close(): void {
    this.#callOffGrace?.();
    this.#goAway();
  }

  async #ask(body: RequestBody, id: string, withdrawal: Cancellation): Promise<unknown> {
    const request = deferred<unknown>();
    const onWithdrawn = () =>
      request.reject(new CoxswainError('REQUEST_ABORTED', 'The CLI withdrew the request.'));
    this.#open.set(id, request);
    const stopListening = withdrawal.onCancel(onWithdrawn);
    if (this.#away) request.reject(awayError(body.subtype));
    try {
      return await request.promise;
    } catch (error) {
      return this.#afterFailure(body, error);
    } finally {
      stopListening();
      this.#open.delete(id);
    }
  }

  /** A connected program's answer counts unchanged, even if it is an error. */
  #afterFailure({ callback_id: id }: RequestBody, error: unknown): WireObject {
    const policy = this.#policies.get(String(id));
    const isAway = error instanceof CoxswainError && error.code === 'OWNER_AWAY';
    if (isAway && policy?.blocks === true) return blockingOutput(policy.event, error.message);
    throw error;
  }

  #goAway(): void {
    this.#away = true;
    for (const request of this.#open.values()) request.reject(awayError('This'));
  }
}

interface HookPolicy {
  readonly event: keyof Hooks;
  readonly blocks: boolean;
}

/** By callback id: the result of a hook that nobody answers. */
function hookPolicies(hooks: unknown): ReadonlyMap<string, HookPolicy> {
  return new Map(
    declaredHooks(hooks).flatMap(({ event, matcher }) =>
      (Array.isArray(matcher.hookCallbackIds) ? matcher.hookCallbackIds : []).map(
        (id) => [String(id), { event, blocks: matcher.onFailure === 'block' && canBlock(event) }] as const,
      ),
    ),
  );
}

/** The hooks that a program declared in its `initialize`, in order. */
export function declaredHooks(hooks: unknown): readonly { event: keyof Hooks; matcher: WireObject }[] {
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, matchers]) =>
    findHookEvent(event) === undefined || !Array.isArray(matchers)
      ? []
      : matchers.filter(isObject).map((matcher) => ({ event: event as keyof Hooks, matcher })),
  );
}

function awayError(what: string): CoxswainError {
  return new CoxswainError(
    'OWNER_AWAY',
    `${what} was not answered: the program that opened this session is not connected.`,
  );
}
