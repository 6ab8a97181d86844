import type { JsonSchema } from '../../host/mcp/tool-input.js';
import type { Session } from '../../host/session/session.js';
import type { OutputOf, OutputSchema } from '../../host/session/turns/requested-output.js';
import type { OpenOptions } from './remote-session.js';

// What a session is made of is loaded when the first one is opened, so that importing the package costs next to nothing.
const sessions = () => import('./open-session.js');

/**
 * Starts a session and gives it back without waiting for its CLI: its state can be watched, and messages sent before it
 * is ready are held. `session.ready` says when it is, or why it never will be.
 * Rejects with an OptionError for a wrong option, before anything is started.
 */
export async function startSession<const Schema extends OutputSchema = JsonSchema>(
  options: OpenOptions<Schema> = {},
): Promise<Session<OutputOf<Schema>>> {
  return (await sessions()).startSession(options) as Session<OutputOf<Schema>>;
}

/** Opens a session and waits until it can be used. A failed open leaves nothing behind. */
export async function openSession<const Schema extends OutputSchema = JsonSchema>(
  options: OpenOptions<Schema> = {},
): Promise<Session<OutputOf<Schema>>> {
  return (await (await sessions()).openSession(options)) as Session<OutputOf<Schema>>;
}

/**
 * Asks one question and resolves to the answer's text. Rejects with `TURN_FAILED`, which carries the outcome,
 * when the turn did not end in success.
 */
export async function ask(question: string, options: OpenOptions = {}): Promise<string> {
  // Only the whole answer is wanted.
  await using session = await openSession({ partialMessages: false, ...options });
  return await session.send(question).text();
}
