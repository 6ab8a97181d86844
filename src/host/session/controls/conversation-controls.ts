import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { HostRequestParams } from '../../../wire/protocol/catalog/types.js';
import type { Call, ControlAnswer } from './call.js';

/** How a session is renamed. */
export interface RenameOptions extends RequestOptions {
  /** Who renames it. */
  readonly source?: 'host' | 'remote' | undefined;
  /** The session. Default: this one. */
  readonly sessionId?: string | undefined;
}

/** How a title is invented. */
export interface GenerateTitleOptions extends RequestOptions {
  /** Keeps the title. */
  readonly persist?: boolean | undefined;
}

/** How a question beside the conversation is asked. */
export interface SideQuestionOptions extends RequestOptions {
  /** Earlier questions of this kind with their answers; keys as on the wire. */
  readonly history?: HostRequestParams<'side_question'>['history'];
}

/** Control methods about the conversation itself. */
export class ConversationControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Takes back a queued user message by its uuid, if it has not started yet; `turn.cancel()` does it for a turn. */
  cancelMessage(
    messageUuid: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'cancel_async_message'>> {
    return this.#call('cancel_async_message', { message_uuid: messageUuid }, options);
  }

  /** Gives the session a title; the CLI announces it with a message of its own. */
  async rename(title: string, { source, sessionId, ...options }: RenameOptions = {}): Promise<void> {
    await this.#call('rename_session', { title, source, session_id: sessionId }, options);
  }

  /** Has a model invent a title from a description. */
  generateTitle(
    description: string,
    { persist, ...options }: GenerateTitleOptions = {},
  ): Promise<ControlAnswer<'generate_session_title'>> {
    return this.#call('generate_session_title', { description, persist }, options);
  }

  /** Asks the model something beside the conversation, in a model call of its own. */
  sideQuestion(
    question: string,
    { history, ...options }: SideQuestionOptions = {},
  ): Promise<ControlAnswer<'side_question'>> {
    return this.#call('side_question', { question, history }, options);
  }

  /** Returns the conversation as plain text with a name for the file. */
  export(options?: RequestOptions): Promise<ControlAnswer<'export_conversation'>> {
    return this.#call('export_conversation', {}, options);
  }

  /** Splits off a copy of the conversation where the surface supports it; a plain pipe answers that it does not. */
  fork(options?: RequestOptions): Promise<ControlAnswer<'fork_conversation'>> {
    return this.#call('fork_conversation', {}, options);
  }

  /** Tells the CLI whether anybody is watching. */
  async setHasSubscribers(hasSubscribers: boolean | null, options?: RequestOptions): Promise<void> {
    await this.#call('set_has_subscribers', { has_subscribers: hasSubscribers }, options);
  }

  /** Paints the session in a colour on surfaces that show one; a plain pipe refuses it. */
  async setColor(color: string, options?: RequestOptions): Promise<void> {
    await this.#call('set_color', { color }, options);
  }

  /** Holds back suggestions for the next prompt, or lets them through again. */
  async pauseSuggestions(paused: boolean, options?: RequestOptions): Promise<void> {
    await this.#call('set_prompt_suggestions_paused', { paused }, options);
  }
}
