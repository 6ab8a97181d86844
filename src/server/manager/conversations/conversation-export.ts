import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { ConversationFacts, LaunchOptions } from '../manager-options.js';
import type { ConversationHost } from './conversation-host.js';

/** Everything that is known of a conversation, as plain data without secrets. */
export interface ConversationExport {
  /** What is known without its CLI. */
  readonly facts: ConversationFacts;
  /** The launch options that are kept. */
  readonly options: LaunchOptions;
  /** Messages that have not settled, in order. */
  readonly waiting: readonly { readonly id: string; readonly input: UserInput }[];
  /** What a CLI asked that is gone. */
  readonly prompts: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[];
  /** The messages so far, system messages included, as its CLIs wrote them down. */
  readonly messages: readonly SessionMessage[];
}

/** Gathers what is known of a conversation. */
export async function exportConversation(host: ConversationHost): Promise<ConversationExport> {
  const messages = await host.transcript.messages({ includeSystemMessages: true });
  return {
    facts: host.facts,
    options: host.record.options as LaunchOptions,
    waiting: host.queue.waiting,
    prompts: host.kept.open.map(({ id, tool, input }) => ({ id, tool, input })),
    messages,
  };
}
