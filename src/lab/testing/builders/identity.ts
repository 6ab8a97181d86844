import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** The session id of messages that name none. */
export const BUILDER_SESSION_ID = '00000000-0000-4000-8000-000000000000';

/** Keys that replace or join the defaults of a built message. */
export type Overrides = WireObject;

/** Finishes a message: a fresh uuid and a session id unless given, then the overrides. */
export function built(message: WireObject, overrides: Overrides = {}): WireObject {
  return { ...message, session_id: BUILDER_SESSION_ID, uuid: randomUUID(), ...overrides };
}
