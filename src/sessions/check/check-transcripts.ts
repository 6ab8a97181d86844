import { CoxswainError } from '../../util/errors.js';
import type { TranscriptReport } from './finding.js';

/** Reads a transcript, or every transcript in a folder, and explains what is broken. Changes nothing. */
export function checkTranscripts(_path: string): Promise<readonly TranscriptReport[]> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
