import { capabilitiesOf } from '../../../host/cli/capabilities.js';
import type { Hooks } from '../../../host/session/hooks/hook-types.js';
import type { Session } from '../../../host/session/session.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import type { DeferrableCall, ManagerOptions } from '../manager-options.js';
import type { KeptPrompts } from './kept-prompts.js';

/** The dependencies of {@link DeferredCalls}. */
export interface DeferredCallsOptions {
  readonly conversation: string;
  /** Whether a call may wait for its answer without a CLI. */
  readonly wanted: (call: DeferrableCall) => boolean;
  readonly kept: KeptPrompts;
  readonly clock: Clock;
}

/** Which calls a manager and a conversation defer; undefined if neither defers any. */
export function deferredBy(
  manager: ManagerOptions['defer'],
  own: readonly string[] = [],
): ((call: DeferrableCall) => boolean) | undefined {
  if (manager === undefined && own.length === 0) return undefined;
  if (typeof manager === 'function') return (call) => own.includes(call.tool) || manager(call);
  const names = new Set([...(manager ?? []), ...own]);
  return ({ tool }) => names.has(tool);
}

/** How long a hook waits to see whether the model makes more calls in the same message. */
const MESSAGE_MS = 2_000;

/**
 * Tool calls that wait for an answer without a CLI: the CLI is told to defer the call, ends its turn, and the CLI that
 * resumes the conversation makes it. A call is deferred only if it is the only one in its message: of several, all but
 * one would be lost.
 */
export class DeferredCalls {
  readonly #options: DeferredCallsOptions;
  /** The calls in the message that the model is writing. */
  #calls = 0;
  #whole = deferred<void>();
  #session: Session | undefined;

  constructor(options: DeferredCallsOptions) {
    this.#options = options;
    this.#whole.resolve();
  }

  /** The program's hooks, followed by the one that defers. */
  hooks(own: Hooks = {}): Hooks {
    const run = (input: WireObject) => this.#decide(input);
    return { ...own, PreToolUse: [...(own.PreToolUse ?? []), { run, onFailure: 'continue' }] } as Hooks;
  }

  /** Reads all messages, to know which calls are the only ones in their message. */
  follow(session: Session): void {
    this.#session = session;
    const read = async () => {
      for await (const message of session.messages({ partial: true })) this.#heard(message as WireObject);
    };
    // The end of a CLI is reported elsewhere.
    read().catch(() => {});
  }

  /** Counts the calls in each message of the main conversation. */
  #heard({ event, parent_tool_use_id: agent }: WireObject): void {
    if (!isObject(event) || typeof agent === 'string') return;
    if (event.type === 'message_start') {
      this.#calls = 0;
      this.#whole = deferred();
    }
    const block = event.type === 'content_block_start' ? event.content_block : undefined;
    if (isObject(block) && block.type === 'tool_use') this.#calls += 1;
    if (event.type === 'message_stop') this.#whole.resolve();
  }

  async #decide(hook: WireObject): Promise<WireObject> {
    const { kept, wanted, conversation } = this.#options;
    const { tool_use_id: id, tool_name: tool, tool_input: input, agent_id: agent } = hook;
    const answer = kept.answerTo(String(id));
    if (answer !== undefined && !needsQuestion(answer)) kept.used(String(id));
    if (answer !== undefined) return answered(answer);
    const isWanted =
      agent === undefined && this.#mayDefer && wanted({ conversation, tool: String(tool), input });
    return isWanted && (await this.#isAlone()) ? decision('defer') : {};
  }

  /** Whether a resumed CLI of this version comes back to a deferred call. */
  get #mayDefer(): boolean {
    return capabilitiesOf({ version: this.#session?.version }).has('makesDeferredCalls');
  }

  async #isAlone(): Promise<boolean> {
    // Messages that arrived before the hook was called are read first.
    await new Promise((next) => setImmediate(next));
    const late = deferred<void>();
    const stopTimer = this.#options.clock.after(MESSAGE_MS, () => {
      this.#calls = 0;
      late.resolve();
    });
    await Promise.race([this.#whole.promise, late.promise]);
    stopTimer();
    return this.#calls === 1;
  }
}

/** Whether an answer has more than a hook may say: then the CLI asks, and gets it as the answer to its question. */
function needsQuestion({ updatedPermissions, interrupt }: WireObject): boolean {
  return updatedPermissions !== undefined || interrupt === true;
}

function answered(answer: WireObject): WireObject {
  const { behavior, message, updatedInput } = answer;
  if (needsQuestion(answer)) return decision('ask');
  if (behavior !== 'allow') return decision('deny', { permissionDecisionReason: message });
  return decision('allow', isObject(updatedInput) ? { updatedInput } : {});
}

function decision(permissionDecision: string, more: WireObject = {}): WireObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } };
}

/** The deferred call, if the result contains one. */
export function deferredCall(result: WireObject | undefined): StoredCall | undefined {
  const call = result?.deferred_tool_use;
  if (!isObject(call) || typeof call.id !== 'string' || typeof call.name !== 'string') return undefined;
  return { id: call.id, body: { tool_name: call.name, input: call.input, tool_use_id: call.id } };
}

/** A call in the form that is stored. */
export interface StoredCall {
  readonly id: string;
  readonly body: WireObject;
}
