import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Call, ControlAnswer } from './call.js';

/** Options of a sign-in. */
export interface BeginLoginOptions extends RequestOptions {
  /** Signs in with a claude.ai account instead of an API console account. */
  readonly loginWithClaudeAi: boolean;
  /** The profile to sign in with; as on the wire. */
  readonly consoleProfile?: unknown;
}

/** Options of remote control. */
export interface RemoteControlOptions extends RequestOptions {
  /** The name of the remote session. */
  readonly name?: string | undefined;
  /** The remote session to resume. */
  readonly reattachSessionId?: string | undefined;
  /** Keeps the remote session when this one ends. */
  readonly keepSessionOnExit?: boolean | undefined;
  /** The secret of the remote session; as on the wire. */
  readonly workSecret?: unknown;
}

/** Optional fields of product feedback. */
export interface FeedbackOptions extends RequestOptions {
  /** The title of the feedback. */
  readonly title?: string | undefined;
  /** The kind of feedback. */
  readonly type?: string | undefined;
  /** The subject of the feedback. */
  readonly area?: string | undefined;
  /** The surface where the user wrote it. */
  readonly surface?: string | undefined;
  /** The draft that this feedback completes. */
  readonly draftId?: string | undefined;
  /** Includes the conversation. */
  readonly attachTranscript?: boolean | undefined;
  /** Keeps a copy on this machine. */
  readonly saveLocally?: boolean | undefined;
}

/** A user's rating of a message. */
export interface MessageRating {
  /** Whether the user liked it. */
  readonly sentiment: 'positive' | 'negative';
  /** What the rating is about. */
  readonly surface: 'tool_use' | 'assistant_text';
  /** Default: false. */
  readonly cleared?: boolean | undefined;
}

/** Control methods that sign in, send feedback or reach the vendor's services. */
export class AccountControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Starts a sign-in to the vendor and returns the addresses to open. */
  beginLogin({
    loginWithClaudeAi,
    consoleProfile,
    ...options
  }: BeginLoginOptions): Promise<ControlAnswer<'claude_authenticate'>> {
    return this.#call('claude_authenticate', { loginWithClaudeAi, consoleProfile }, options);
  }

  /** Completes the sign-in with the code and the state shown to the user. */
  completeLogin(
    authorizationCode: string,
    state: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'claude_oauth_callback'>> {
    return this.#call('claude_oauth_callback', { authorizationCode, state }, options);
  }

  /** Waits until the current sign-in has ended. */
  waitForLogin(options?: RequestOptions): Promise<ControlAnswer<'claude_oauth_wait_for_completion'>> {
    return this.#call('claude_oauth_wait_for_completion', {}, options);
  }

  /** Allows or stops controlling the session from the vendor's apps. */
  remoteControl(
    enabled: boolean,
    { name, reattachSessionId, keepSessionOnExit, workSecret, ...options }: RemoteControlOptions = {},
  ): Promise<ControlAnswer<'remote_control'>> {
    const params = {
      enabled,
      name,
      reattach_session_id: reattachSessionId,
      keep_session_on_exit: keepSessionOnExit,
      work_secret: workSecret,
    };
    return this.#call('remote_control', params, options);
  }

  /** Sends product feedback to the vendor. */
  submitFeedback(
    description: string,
    feedback: FeedbackOptions = {},
  ): Promise<ControlAnswer<'submit_feedback'>> {
    const { title, type, area, surface, draftId, attachTranscript, saveLocally, ...options } = feedback;
    const params = {
      description,
      title,
      type,
      area,
      surface,
      draft_id: draftId,
      attach_transcript: attachTranscript,
      save_locally: saveLocally,
    };
    return this.#call('submit_feedback', params, options);
  }

  /** Sends the answers of a survey to the vendor; keys as on the wire. */
  submitSurvey(
    answers: WireObject,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'submit_survey_feedback'>> {
    return this.#call('submit_survey_feedback', answers, options);
  }

  /** Records that a user liked or disliked a message. */
  async rateMessage(messageUuid: string, rating: MessageRating, options?: RequestOptions): Promise<void> {
    const { sentiment, surface, cleared = false } = rating;
    await this.#call('message_rated', { messageUuid, sentiment, surface, cleared }, options);
  }
}
