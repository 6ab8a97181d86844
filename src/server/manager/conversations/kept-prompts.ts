import { isDeepStrictEqual } from 'node:util';
import {
  type CallPrompt,
  type PromptChange,
  toolPrompt,
} from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import { Cancellation } from '../../../wire/peer/cancellation.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConversationRecord, StoredPrompt } from '../store/record.js';
import type { StoredCall } from './deferred-calls.js';

/** The dependencies of {@link KeptPrompts}. */
export interface KeptPromptsOptions {
  readonly record: () => ConversationRecord;
  readonly update: (change: Partial<ConversationRecord>) => void;
  /** Sends a message that tells the model about an answer, and returns its id. */
  readonly tell: (text: string) => string;
  readonly onNotRepeated: (promptId: string) => void;
  readonly onChange: (change: PromptChange) => void;
  /** A deferred call has its answer. */
  readonly onDeferredAnswer: () => void;
}

/** Open prompts on disk: they can be answered after the CLI that asked, and the host, are gone. */
export class KeptPrompts {
  readonly #options: KeptPromptsOptions;
  /** Prompts of the running CLI: they are answered there. */
  readonly #live = new Set<string>();
  /** The open prompts that can be answered here. */
  readonly #prompts = new Map<string, CallPrompt>();
  /** Those that were announced. */
  readonly #announced = new Set<string>();

  constructor(options: KeptPromptsOptions) {
    this.#options = options;
  }

  get open(): readonly CallPrompt[] {
    return this.#unanswered.map((stored) => this.#prompts.get(stored.id) ?? this.#prompt(stored));
  }

  /** Reports prompts that are open here now, each once. */
  announce(): void {
    for (const prompt of this.open.filter(({ id }) => !this.#announced.has(id))) {
      this.#announced.add(prompt.id);
      this.#options.onChange({ prompt, state: 'open' });
    }
  }

  /** Follows the prompts of a running CLI, and answers those decided before. */
  note({ prompt, state }: PromptChange, session: Session): void {
    if (prompt.raw.subtype !== 'can_use_tool') return;
    if (state === 'open') {
      if (this.#answerRepeated(prompt.raw, (answer) => prompt.answerAs(answer))) return;
      // Answered twice, a call could be made twice.
      const others = this.#stored.filter((kept) => this.#live.has(kept.id) || !isSameCall(kept, prompt.raw));
      this.#live.add(prompt.id);
      this.#save([...others, { id: prompt.id, body: prompt.raw }]);
      return;
    }
    this.#live.delete(prompt.id);
    // When its CLI is gone, the session withdraws its prompts: such a prompt is kept.
    const orphaned = state === 'withdrawn' && session.state !== 'ready';
    if (!orphaned) this.#save(this.#stored.filter(({ id }) => id !== prompt.id));
  }

  /** Stores a call that a message's turn is waiting for. */
  keepDeferred({ id, body }: StoredCall, messageId: string): void {
    // The CLI has passed an earlier call whose message was cancelled.
    const others = this.#stored.filter((prompt) => !isWithdrawn(prompt));
    this.#save([...others, { id, body, toldIn: messageId, deferred: true }]);
    this.announce();
  }

  /** The message of a deferred call was cancelled: the CLI that comes back to the call may not make it. */
  withdrawDeferred(messageId: string): void {
    const isMeant = ({ deferred, toldIn }: StoredPrompt) => deferred === true && toldIn === messageId;
    if (!this.#stored.some(isMeant)) return;
    this.#save(
      this.#stored.map((prompt) =>
        isMeant(prompt) ? { ...prompt, answer: WITHDRAWN, toldIn: undefined } : prompt,
      ),
    );
  }

  /** Whether a message's turn is waiting for the answer to a deferred call. */
  isDeferred(messageId: string): boolean {
    return this.#stored.some(
      (prompt) => prompt.deferred === true && prompt.toldIn === messageId && prompt.answer === undefined,
    );
  }

  /** What to tell the model about the answer, if the CLI does not come back to the call. */
  deferredText(messageId: string): string | undefined {
    const found = this.#stored.find(({ toldIn, deferred: is }) => is === true && toldIn === messageId);
    if (found?.answer === undefined) return undefined;
    return answerText(String(found.body.tool_name), found.answer);
  }

  /** The answer to a call that comes again under its id. */
  answerTo(id: string): WireObject | undefined {
    return this.#stored.find((prompt) => prompt.id === id)?.answer;
  }

  /** An answer took effect. */
  used(id: string): void {
    this.#save(this.#stored.filter((prompt) => prompt.id !== id));
  }

  /** The CLI is gone, and so are the prompts that it could answer. */
  orphan(): void {
    this.#live.clear();
  }

  /** The message's turn ended: if a call that it mentioned has not come again, it never will. */
  turnEnded(messageId: string): void {
    const over = this.#stored.filter(({ toldIn }) => toldIn === messageId);
    if (over.length === 0) return;
    this.#save(this.#stored.filter((prompt) => !over.includes(prompt)));
    for (const { id } of over) this.#options.onNotRepeated(id);
  }

  get #stored(): readonly StoredPrompt[] {
    return this.#options.record().prompts ?? [];
  }

  /** The prompts that no CLI can answer, and nobody has. */
  get #unanswered(): readonly StoredPrompt[] {
    return this.#stored.filter(({ id, answer }) => answer === undefined && !this.#live.has(id));
  }

  #save(prompts: readonly StoredPrompt[]): void {
    this.#options.update({ prompts: prompts.length === 0 ? undefined : prompts });
    const open = new Set(this.#unanswered.map(({ id }) => id));
    for (const [id, prompt] of [...this.#prompts]) if (!open.has(id)) this.#close(id, prompt);
  }

  #prompt({ id, body }: StoredPrompt): CallPrompt {
    const withdrawal = new Cancellation();
    const context = {
      id,
      withdrawal,
      get signal() {
        return withdrawal.signal;
      },
      // The call comes again under another id.
      beforeAnswer: ({ toolUseID: _call, ...answer }: WireObject) => this.#answer(id, answer),
    };
    const prompt = toolPrompt({ ...body, subtype: 'can_use_tool' }, context);
    withdrawal.onCancel(() => prompt.withdraw());
    this.#prompts.set(id, prompt);
    void prompt.answered.then(() => this.#settled(prompt, withdrawal));
    return prompt;
  }

  /** The prompt is over here: it was answered, or another one replaces it. */
  #close(id: string, prompt: CallPrompt): void {
    this.#prompts.delete(id);
    prompt.withdraw();
  }

  #settled(prompt: CallPrompt, withdrawal: Cancellation): void {
    withdrawal.cancel();
    if (this.#announced.delete(prompt.id)) this.#options.onChange({ prompt, state: prompt.state });
  }

  #answer(id: string, answer: WireObject): void {
    const found = this.#stored.find((prompt) => prompt.id === id && prompt.answer === undefined);
    if (found === undefined) throw new CoxswainError('ANSWER_INVALID', `The prompt ${id} is no longer open.`);
    const toldIn =
      found.deferred === true
        ? found.toldIn
        : this.#options.tell(answerText(String(found.body.tool_name), answer));
    const prompt = this.#prompts.get(id);
    this.#prompts.delete(id);
    try {
      this.#save(this.#stored.map((each) => (each.id === id ? { ...each, answer, toldIn } : each)));
    } catch (error) {
      if (prompt !== undefined) this.#prompts.set(id, prompt);
      throw error;
    }
    if (found.deferred === true) this.#options.onDeferredAnswer();
  }

  #answerRepeated(body: WireObject, give: (answer: WireObject) => void): boolean {
    const same = this.#stored.find(
      (prompt) =>
        prompt.answer !== undefined &&
        (prompt.id === body.tool_use_id || (!isWithdrawn(prompt) && isSameCall(prompt, body))),
    );
    if (same?.answer === undefined) return false;
    this.#save(this.#stored.filter((prompt) => prompt !== same));
    give(same.answer);
    return true;
  }
}

/** The answer to a call that nobody wants any more. */
const WITHDRAWN: WireObject = { behavior: 'deny', message: 'This was cancelled.' };

/** Whether the message of a deferred call was cancelled: its answer is for that one call only. */
function isWithdrawn({ deferred, toldIn }: StoredPrompt): boolean {
  return deferred === true && toldIn === undefined;
}

function isSameCall({ body }: StoredPrompt, { tool_name: tool, input }: WireObject): boolean {
  return body.tool_name === tool && isDeepStrictEqual(body.input, input);
}

function answerText(tool: string, { behavior, message }: WireObject): string {
  return behavior === 'allow'
    ? `Your earlier request to use ${tool} was interrupted before it was answered. It is now allowed: make the same call again.`
    : `Your earlier request to use ${tool} was interrupted before it was answered. It is now denied: ${message}`;
}
