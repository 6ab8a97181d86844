import { errorCode, errorText } from '../../../wire/util/error-text.js';
import type { Place } from '../record.js';
import type { KeptCommand } from './command-records.js';

/** A request to a worker. */
export type WorkerRequest =
  | { readonly ask: 'take'; readonly session: string; readonly place?: Place | undefined }
  | { readonly ask: 'run'; readonly command: KeptCommand }
  | { readonly ask: 'drain' };

/** Its answer. */
export type WorkerAnswer =
  | { readonly ok: true; readonly used: number }
  | { readonly ok: false; readonly why: 'full' }
  /** `unable`: another worker may be able to. */
  | { readonly ok: false; readonly why: 'owned' | 'unable' | 'failed'; readonly text: string };

const WHY_NOT: Readonly<Record<string, 'owned' | 'unable'>> = {
  FLEET_FENCED: 'owned',
  STORE_TOO_NEW: 'unable',
};

/** Why a conversation was not taken. A worker that is ending says nothing about the others. */
export function notTaken(error: unknown): WorkerAnswer {
  if (errorCode(error) === 'MANAGER_CLOSED') return { ok: false, why: 'full' };
  return { ok: false, why: WHY_NOT[String(errorCode(error))] ?? 'failed', text: errorText(error) };
}
