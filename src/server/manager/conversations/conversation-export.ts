import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { ConversationFacts, LaunchOptions } from '../manager-options.js';
import type { ConversationHost } from './conversation-host.js';

/** Everything known about a conversation, as plain data without secrets. */
export interface ConversationExport {
  /** Facts that do not need its CLI. */
  readonly facts: ConversationFacts;
  /** The stored launch options. */
  readonly options: LaunchOptions;
  /** Unsettled messages, in order. */
  readonly waiting: readonly { readonly id: string; readonly input: UserInput }[];
  /** Prompts whose CLI has ended. */
  readonly prompts: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[];
  /** The messages so far, including system messages, from the CLI's transcript. */
  readonly messages: readonly SessionMessage[];
}

/** Collects everything known about a conversation. */
export async function exportConversation(host: ConversationHost): Promise<ConversationExport> {
  const messages = await host.transcript.messages({ includeSystemMessages: true });
  return {
    facts: host.facts,
    options: host.record.options,
    waiting: host.queue.unsettled.map(({ record: { id, input } }) => ({ id, input })),
    prompts: host.kept.open.map(({ id, tool, input }) => ({ id, tool, input })),
    messages,
  };
}
