import type { JsonSchema } from '../../host/mcp/tool-input.js';
import type { Session } from '../../host/session/session.js';
import type { OutputOf, OutputSchema } from '../../host/session/turns/requested-output.js';
import { checkInput } from '../../host/session/turns/user-message.js';
import type { OpenOptions } from './remote-session.js';

// The code of a session is loaded when the first one is opened, so that importing the package costs almost nothing.
const sessions = () => import('./open-session.js');

/**
 * Starts a session and returns it without waiting for its CLI. You can watch its state, and messages sent before it is
 * ready are queued. `session.ready` settles when it is ready or has failed. Rejects with an OptionError for a wrong
 * option before anything starts.
 */
export async function startSession<const Schema extends OutputSchema = JsonSchema>(
  options: OpenOptions<Schema> = {},
): Promise<Session<OutputOf<Schema>>> {
  return (await sessions()).startSession(options) as Session<OutputOf<Schema>>;
}

/** Opens a session and waits until it is ready. A failed open leaves nothing running. */
export async function openSession<const Schema extends OutputSchema = JsonSchema>(
  options: OpenOptions<Schema> = {},
): Promise<Session<OutputOf<Schema>>> {
  return (await (await sessions()).openSession(options)) as Session<OutputOf<Schema>>;
}

/**
 * Asks one question and resolves to the text of the answer. If the turn does not succeed, rejects with `TURN_FAILED`,
 * which carries the outcome.
 */
export async function ask(question: string, options: OpenOptions = {}): Promise<string> {
  checkInput(question);
  // Only the complete answer is needed.
  await using session = await openSession({ partialMessages: false, ...options });
  return await session.send(question).text();
}
