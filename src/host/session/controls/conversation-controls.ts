import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { HostRequestParams } from '../../../wire/protocol/catalog/types.js';
import type { Call, ControlAnswer } from './call.js';

/** Options for renaming a session. */
export interface RenameOptions extends RequestOptions {
  /** Who renamed it. */
  readonly source?: 'host' | 'remote' | undefined;
  /** The session to rename. Default: this one. */
  readonly sessionId?: string | undefined;
}

/** Options of a generated title. */
export interface GenerateTitleOptions extends RequestOptions {
  /** Saves the title. */
  readonly persist?: boolean | undefined;
}

/** Options of a side question. */
export interface SideQuestionOptions extends RequestOptions {
  /** Earlier side questions with their answers; keys as on the wire. */
  readonly history?: HostRequestParams<'side_question'>['history'];
}

/** Control methods about the conversation itself. */
export class ConversationControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Cancels a queued user message by its uuid, if it has not started yet. For a turn, use `turn.cancel()`. */
  cancelMessage(
    messageUuid: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'cancel_async_message'>> {
    return this.#call('cancel_async_message', { message_uuid: messageUuid }, options);
  }

  /** Sets the title of the session; the CLI announces it with a message. */
  async rename(title: string, { source, sessionId, ...options }: RenameOptions = {}): Promise<void> {
    await this.#call('rename_session', { title, source, session_id: sessionId }, options);
  }

  /** Asks a model to create a title from a description. */
  generateTitle(
    description: string,
    { persist, ...options }: GenerateTitleOptions = {},
  ): Promise<ControlAnswer<'generate_session_title'>> {
    return this.#call('generate_session_title', { description, persist }, options);
  }

  /** Asks the model a question outside the conversation, in a separate model call. */
  sideQuestion(
    question: string,
    { history, ...options }: SideQuestionOptions = {},
  ): Promise<ControlAnswer<'side_question'>> {
    return this.#call('side_question', { question, history }, options);
  }

  /** Returns the conversation as plain text, with a file name. */
  export(options?: RequestOptions): Promise<ControlAnswer<'export_conversation'>> {
    return this.#call('export_conversation', {}, options);
  }

  /** Forks the conversation if the surface supports it; over a plain pipe the CLI answers that it does not. */
  fork(options?: RequestOptions): Promise<ControlAnswer<'fork_conversation'>> {
    return this.#call('fork_conversation', {}, options);
  }

  /** Tells the CLI whether anybody is watching. */
  async setHasSubscribers(hasSubscribers: boolean | null, options?: RequestOptions): Promise<void> {
    await this.#call('set_has_subscribers', { has_subscribers: hasSubscribers }, options);
  }

  /** Sets the colour of the session on surfaces that show one; over a plain pipe the CLI refuses it. */
  async setColor(color: string, options?: RequestOptions): Promise<void> {
    await this.#call('set_color', { color }, options);
  }

  /** Pauses or resumes suggestions for the next prompt. */
  async pauseSuggestions(paused: boolean, options?: RequestOptions): Promise<void> {
    await this.#call('set_prompt_suggestions_paused', { paused }, options);
  }
}
