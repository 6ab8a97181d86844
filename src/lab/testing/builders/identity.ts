import { randomUUID } from 'node:crypto';
import type { MessageName } from '../../../wire/protocol/catalog/catalog.js';
import type { Message } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** The session id of messages that name none. */
export const BUILDER_SESSION_ID = '00000000-0000-4000-8000-000000000000';

/** Keys that override or extend the defaults of a built message; unknown keys are allowed. */
export type Overrides<Name extends MessageName> = Partial<Message<Name>>;

/**
 * Completes a message with a new uuid and a session id, then applies the overrides. Its type is assumed from
 * its name.
 */
export function built<Name extends MessageName>(
  message: { readonly type: Message<Name>['type'] } & WireObject,
  overrides: Overrides<Name> = {},
): Message<Name> {
  const full: WireObject = { ...message, session_id: BUILDER_SESSION_ID, uuid: randomUUID(), ...overrides };
  return full as Message<Name>;
}
