import { createHash } from 'node:crypto';

/** The id of the conversation with a name: every program finds the same one, without asking. */
export function conversationId(name: string): string {
  const hex = createHash('sha256').update(`coxswain conversation\0${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
