/** The events of a webhook. */
export type WebhookEvent = 'needs-you' | 'turn-ended' | 'failed' | 'budget' | 'limit';

/** A webhook to add. */
export interface WebhookParams {
  /** Where events are sent. */
  readonly url: string;
  /** The events to send. Default: all. */
  readonly events?: readonly WebhookEvent[] | undefined;
  /** Only events of this session. Default: all. */
  readonly conversation?: string | undefined;
}

/** A webhook. */
export interface WebhookView {
  /** Its id. */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** The events to send. */
  readonly events: readonly WebhookEvent[];
  /** The session whose events are sent; all if absent. */
  readonly conversation?: string | undefined;
  /** The time, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** A message of which at least one attempt failed. */
export interface FailedDelivery {
  /** Its id, as the receiver gets it. */
  readonly id: string;
  /** The webhook. */
  readonly webhook: string;
  /** The type of the message: `conversation.needs-you`. */
  readonly type: string;
  /** The message. */
  readonly body: string;
  /** The time, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The number of attempts. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error?: string | undefined;
  /** When it is tried again, in milliseconds since 1970; absent if it is not. */
  readonly nextAttemptAt?: number | undefined;
}

/** A browser's push subscription, as `PushSubscription.toJSON()` has it. */
export interface PushParams {
  /** Where its push service takes messages. */
  readonly endpoint: string;
  /** The browser's public key, in base64url. */
  readonly p256dh: string;
  /** The browser's secret, in base64url. */
  readonly auth: string;
}
