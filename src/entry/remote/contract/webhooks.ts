/** What a webhook can be told of. */
export type WebhookEvent = 'needs-you' | 'turn-ended' | 'failed' | 'budget' | 'limit';

/** A webhook to add. */
export interface WebhookParams {
  /** Where events are sent. */
  readonly url: string;
  /** Which. Default: all. */
  readonly events?: readonly WebhookEvent[] | undefined;
  /** Those of one session. Default: of all. */
  readonly conversation?: string | undefined;
}

/** A webhook. */
export interface WebhookView {
  /** Its id. */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** Which. */
  readonly events: readonly WebhookEvent[];
  /** The session whose events they are; those of all otherwise. */
  readonly conversation?: string | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/** A message that could not be delivered. */
export interface FailedDelivery {
  /** Its id, as the receiver sees it. */
  readonly id: string;
  /** The webhook. */
  readonly webhook: string;
  /** What it tells: `conversation.needs-you`. */
  readonly type: string;
  /** The message. */
  readonly body: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error?: string | undefined;
}
