import type { SessionOptions } from '../session/session-options.js';
import { openSession } from './open-session.js';

/**
 * Asks one question and resolves to the answer's text. Rejects with `TURN_FAILED`, which carries the outcome,
 * when the turn did not end in success.
 */
export async function ask(question: string, options: SessionOptions = {}): Promise<string> {
  await using session = await openSession(options);
  return await session.send(question).text();
}
