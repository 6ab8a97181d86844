import { CoxswainError } from '../util/errors.js';

/** Refuses anything but exactly one line: an empty line kills old CLIs, and a newline inside makes two lines. */
export function checkLine(line: string): void {
  if (line.includes('\n')) {
    throw new CoxswainError('LINE_INVALID', 'A line must not contain a newline: send one line per call.');
  }
  if (line.trim() === '') {
    throw new CoxswainError('LINE_INVALID', 'An empty line must not be sent: old CLIs exit on it.');
  }
}
