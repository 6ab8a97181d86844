import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { kinds, type OptionKind, oneOf, openShape } from '../../../wire/util/option-checks.js';
import { failedAs } from '../engine/engine.js';
import { commandKind, sentObject } from '../engine/sent-object.js';
import { type Place, placeKind } from '../record.js';
import { HeldError } from './claim.js';
import type { KeptCommand } from './command-records.js';

/** A request to a worker. */
export type WorkerRequest =
  | { readonly ask: 'take'; readonly session: string; readonly place?: Place | undefined }
  | { readonly ask: 'run'; readonly command: KeptCommand }
  | { readonly ask: 'drain' };

const REQUESTS: Readonly<Record<WorkerRequest['ask'], OptionKind>> = {
  take: openShape({ session: kinds.text }, { place: placeKind }),
  run: openShape({ command: commandKind }),
  drain: openShape({}),
};
const asking = openShape({ ask: oneOf(...Object.keys(REQUESTS)) });

/** Reads a request to a worker. @throws if it is none: anybody with access to NATS may send something. */
export function workerRequest(text: string): WorkerRequest {
  const { ask } = sentObject(text, asking);
  return sentObject(text, REQUESTS[ask as WorkerRequest['ask']]) as unknown as WorkerRequest;
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
