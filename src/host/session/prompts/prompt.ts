import type { Cancellation } from '../../../wire/peer/cancellation.js';
import type { RequestContext } from '../../../wire/peer/received-requests.js';
import { encodeObject } from '../../../wire/protocol/encode.js';
import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import { deferred } from '../../../wire/util/deferred.js';

/** The kinds of prompts. */
export type PromptKind = 'permission' | 'question' | 'plan' | 'elicitation' | 'dialog';

/** The state of a prompt: open, answered, withdrawn by the CLI, or expired. */
export type PromptState = 'open' | 'answered' | 'withdrawn' | 'expired';

/** Where a prompt comes from: a tool call, possibly of a subagent. Without either, the session itself. */
export interface PromptOrigin {
  /** The id of the tool call. */
  readonly toolUseId: string | undefined;
  /** The id of the subagent, if there is one. */
  readonly agentId: string | undefined;
}

/** The result of an answer. */
export interface PromptAnswer {
  /** The prompt. */
  readonly promptId: string;
  /** Whether it counted. Only the first answer to an open prompt counts; a late one is not an error. */
  readonly accepted: boolean;
}

/** The request of a prompt. */
export interface PromptContext extends RequestContext {
  /** Called with an answer before it counts; if it throws, the prompt stays open. @internal */
  readonly beforeAnswer?: ((answer: WireObject) => void) | undefined;
}

/** The common base of all prompts. */
export abstract class Prompt {
  /** The kind of the prompt. */
  abstract readonly kind: PromptKind;
  /** The id of the CLI's request. */
  readonly id: string;
  /** Where the prompt comes from. */
  readonly origin: PromptOrigin;
  /** The unchanged request. */
  readonly raw: RequestBody;
  readonly #withdrawal: Cancellation;
  readonly #beforeAnswer: ((answer: WireObject) => void) | undefined;
  readonly #answer = deferred<WireObject>();
  #state: PromptState = 'open';
  #deferred = false;

  constructor(body: RequestBody, { id, withdrawal, beforeAnswer }: PromptContext) {
    this.id = id;
    this.raw = body;
    this.#withdrawal = withdrawal;
    this.#beforeAnswer = beforeAnswer;
    this.origin = {
      toolUseId: typeof body.tool_use_id === 'string' ? body.tool_use_id : undefined,
      agentId: typeof body.agent_id === 'string' ? body.agent_id : undefined,
    };
  }

  /** Aborted when the CLI withdraws the prompt or the session ends. */
  get signal(): AbortSignal {
    return this.#withdrawal.signal;
  }

  /** The state of the prompt. */
  get state(): PromptState {
    return this.#state;
  }

  /** Whether its callback deferred it. */
  get isDeferred(): boolean {
    return this.#deferred;
  }

  /** What goes over the wire, once it is known. @internal */
  get answered(): Promise<WireObject> {
    return this.#answer.promise;
  }

  /** Leaves the prompt open, to be answered by its id. */
  defer(): PromptAnswer {
    this.#deferred = true;
    return { promptId: this.id, accepted: this.#state === 'open' };
  }

  /** Its time is up: refuses with the reason. @internal */
  expire(reason: string): void {
    this.#settle('expired', this.refusal(reason));
  }

  /** The CLI withdrew it. @internal */
  withdraw(): void {
    this.#settle('withdrawn', this.refusal('withdrawn'));
  }

  /** Refuses immediately. */
  refuse(reason: string): PromptAnswer {
    return this.settle(this.refusal(reason), 'ours');
  }

  /** Sends a prepared answer, as on the wire. */
  answerAs(answer: WireObject): PromptAnswer {
    return this.settle(answer);
  }

  /** The refusal, as on the wire. */
  protected abstract refusal(reason: string): WireObject;

  /** Sends an answer; if it contains values of the caller, first checks that they can be serialised. */
  protected settle(answer: WireObject, values: 'ours' | 'of the caller' = 'of the caller'): PromptAnswer {
    if (values === 'of the caller') encodeObject(answer);
    return { promptId: this.id, accepted: this.#settle('answered', answer) };
  }

  #settle(state: PromptState, answer: WireObject): boolean {
    if (this.#state !== 'open') return false;
    if (state === 'answered') this.#beforeAnswer?.(answer);
    this.#state = state;
    this.#answer.resolve(answer);
    return true;
  }
}
