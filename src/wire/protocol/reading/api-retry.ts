import { asText } from '../../util/as-text.js';
import type { WireObject } from '../frames.js';

/** A model call failed, and the CLI is about to retry it. Only newer CLIs report this. */
export interface ApiRetry {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The maximum number of retries. */
  readonly maxRetries: number;
  /** How long the CLI waits before the next one, in milliseconds. */
  readonly delayMs: number;
  /** The HTTP status of the failure, if there is one. */
  readonly status: number | undefined;
  /** The CLI's error name: `authentication_failed`, `rate_limit`, `server_error` … */
  readonly error: string;
}

/** Reads the CLI's report about a retried model call. */
export function readRetry(message: WireObject): ApiRetry {
  const { attempt, max_retries, retry_delay_ms, error_status, error } = message;
  return {
    attempt: Number(attempt),
    maxRetries: Number(max_retries),
    delayMs: Number(retry_delay_ms),
    status: typeof error_status === 'number' ? error_status : undefined,
    error: asText(error ?? 'unknown'),
  };
}
