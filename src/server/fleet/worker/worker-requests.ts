import { isObject, objectIn } from '../../../wire/protocol/frames.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { failedAs } from '../engine/engine.js';
import type { Place } from '../record.js';
import { HeldError } from './claim.js';
import type { KeptCommand } from './command-records.js';

/** A request to a worker. */
export type WorkerRequest =
  | { readonly ask: 'take'; readonly session: string; readonly place?: Place | undefined }
  | { readonly ask: 'run'; readonly command: KeptCommand }
  | { readonly ask: 'drain' };

/** Reads a request; undefined if it is none: anybody with access to NATS may send something. */
export function workerRequest(text: string): WorkerRequest | undefined {
  const request = objectIn(text);
  if (typeof request === 'string') return undefined;
  const { ask, session, command } = request;
  const isRequest =
    ask === 'drain' ||
    (ask === 'run' && isObject(command)) ||
    (ask === 'take' && typeof session === 'string' && session !== '');
  // Only workers and gateways send more, and they check it.
  return isRequest ? (request as unknown as WorkerRequest) : undefined;
}

/** Its answer. */
export type WorkerAnswer =
  | { readonly ok: true; readonly used: number }
  | { readonly ok: false; readonly why: 'full' }
  | {
      readonly ok: false;
      /** `unable`: another worker may be able to. `later`: the engine is not ready. */
      readonly why: 'owned' | 'unable' | 'later' | 'failed';
      readonly text: string;
      /** The live worker that has it. */
      readonly by?: string | undefined;
    };

const WHY_NOT: Readonly<Record<string, 'owned' | 'unable'>> = {
  FLEET_FENCED: 'owned',
  STORE_TOO_NEW: 'unable',
};

/** Why a conversation was not taken. A worker that is ending says nothing about the others. */
export function notTaken(error: unknown): WorkerAnswer {
  if (errorCode(error) === 'MANAGER_CLOSED') return { ok: false, why: 'full' };
  const text = errorText(error);
  if (error instanceof HeldError) return { ok: false, why: 'owned', text, by: error.by };
  const why = failedAs(error, 'unready') ? 'later' : 'failed';
  return { ok: false, why: WHY_NOT[String(errorCode(error))] ?? why, text };
}
