import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Call, ControlAnswer } from './call.js';

/** How signing in begins. */
export interface BeginLoginOptions extends RequestOptions {
  /** Signs in with an account of claude.ai and not of the API console. */
  readonly loginWithClaudeAi: boolean;
  /** The profile to sign in with; as on the wire. */
  readonly consoleProfile?: unknown;
}

/** How the session is opened to control from elsewhere. */
export interface RemoteControlOptions extends RequestOptions {
  /** Its name. */
  readonly name?: string | undefined;
  /** The remote session to take up again. */
  readonly reattachSessionId?: string | undefined;
  /** Keeps the remote session when this one ends. */
  readonly keepSessionOnExit?: boolean | undefined;
  /** The secret of the remote session; as on the wire. */
  readonly workSecret?: unknown;
}

/** What a report about the product carries beside its text. */
export interface FeedbackOptions extends RequestOptions {
  /** Its title. */
  readonly title?: string | undefined;
  /** What kind of feedback it is. */
  readonly type?: string | undefined;
  /** What it is about. */
  readonly area?: string | undefined;
  /** Where it was written. */
  readonly surface?: string | undefined;
  /** The draft that it finishes. */
  readonly draftId?: string | undefined;
  /** Sends the conversation along. */
  readonly attachTranscript?: boolean | undefined;
  /** Keeps a copy on this machine. */
  readonly saveLocally?: boolean | undefined;
}

/** What a user thinks of a message. */
export interface MessageRating {
  /** Whether it was good. */
  readonly sentiment: 'positive' | 'negative';
  /** What was rated. */
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

  /** Begins signing in to the vendor and returns the addresses to open. */
  beginLogin({
    loginWithClaudeAi,
    consoleProfile,
    ...options
  }: BeginLoginOptions): Promise<ControlAnswer<'claude_authenticate'>> {
    return this.#call('claude_authenticate', { loginWithClaudeAi, consoleProfile }, options);
  }

  /** Completes the sign-in with the code and the state that the user was shown. */
  completeLogin(
    authorizationCode: string,
    state: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'claude_oauth_callback'>> {
    return this.#call('claude_oauth_callback', { authorizationCode, state }, options);
  }

  /** Waits until the sign-in under way has ended. */
  waitForLogin(options?: RequestOptions): Promise<ControlAnswer<'claude_oauth_wait_for_completion'>> {
    return this.#call('claude_oauth_wait_for_completion', {}, options);
  }

  /** Opens the session to control from the vendor's apps, or closes it. */
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

  /** Sends a report about the product to the vendor. */
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
