import type { WireObject } from '../../../wire/protocol/frames.js';
import type { EventLog } from '../log/event-log.js';

/** Reads the messages of a conversation on disk. */
export type ReadMessages = (conversation: string, cwd: string | undefined) => Promise<readonly WireObject[]>;

/** Puts what was said before into the log of a session that resumes it, so that every client sees it by number. */
export async function addEarlierMessages(
  log: EventLog,
  conversation: string,
  { cwd, readMessages }: { readonly cwd: string; readonly readMessages: ReadMessages },
): Promise<void> {
  let messages: readonly WireObject[] = [];
  try {
    messages = await readMessages(conversation, cwd);
  } catch {
    // The CLI says itself what is wrong with a conversation that cannot be read.
    return;
  }
  for (const frame of messages) {
    const from = frame.type === 'user' && !isToolResult(frame) ? 'host' : 'cli';
    log.add({ kind: 'line', t: 0, from, earlier: true, frame });
  }
}

function isToolResult({ message }: WireObject): boolean {
  const { content } = (message ?? {}) as { readonly content?: unknown };
  return Array.isArray(content) && content.some((block: WireObject) => block.type === 'tool_result');
}
