import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** The session id of messages that name none. */
export const BUILDER_SESSION_ID = '00000000-0000-4000-8000-000000000000';

/** Keys that replace or join the defaults of a built message. */
export type Overrides = WireObject;

/** Completes a message with a new uuid and a session id, then applies the overrides. */
export function built(message: WireObject, overrides: Overrides = {}): WireObject {
  return { ...message, session_id: BUILDER_SESSION_ID, uuid: randomUUID(), ...overrides };
}
