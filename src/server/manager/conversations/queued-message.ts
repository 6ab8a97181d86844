import type { ClientName, QueuedEvent } from '../../../entry/remote/contract.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { MessageRecord } from '../store/record.js';
import type { ConversationSendOptions } from './conversation.js';

/** Who sends the messages that no client sent, such as those that tell the model about answers. */
const ITSELF: ClientName = { client: 'server', name: 'Coxswain' };

/** An accepted message as an event: all that another owner needs to send it in the same way. */
export function queuedEvent(message: MessageRecord): QueuedEvent {
  const { id: uuid, input, resend, onLimit, by = ITSELF } = message;
  const { placed: { priority, parentUuid } = {} } = message;
  return {
    kind: 'queued',
    uuid,
    content: contentOf(input),
    by,
    ...(typeof input === 'string' || Array.isArray(input) ? {} : { message: input as WireObject }),
    ...(priority === undefined ? {} : { priority }),
    ...(parentUuid === undefined ? {} : { parentUuid }),
    ...(resend ? {} : { resend }),
    ...(onLimit === undefined ? {} : { onLimit }),
  };
}

/** A message that an earlier owner accepted, in the form in which it was sent, and how to send it. */
export function messageIn({ uuid, content, message, ...event }: QueuedEvent): {
  readonly input: UserInput;
  readonly options: ConversationSendOptions & { readonly uuid: string };
} {
  const { priority, parentUuid, resend, onLimit } = event;
  const input = (message ?? content) as UserInput;
  // In their order: nothing runs that one of them could join.
  return { input, options: { uuid, whileBusy: 'enqueue', priority, parentUuid, resend, onLimit } };
}

/** A message's text, in whatever form. */
function contentOf(input: UserInput): string | readonly WireObject[] {
  if (typeof input === 'string' || Array.isArray(input)) return input;
  const { message } = input as { readonly message?: { readonly content?: string | readonly WireObject[] } };
  return message?.content ?? '';
}
