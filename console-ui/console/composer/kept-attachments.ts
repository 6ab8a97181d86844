import { useSyncExternalStore } from 'react';
import type { Attachment } from './attachments.js';

/** How many bytes all attachments may have together: they are in memory until they are sent, and a server takes messages of 32 MiB. */
const MOST = 30 * 1024 * 1024;
const NONE: readonly Attachment[] = [];

const kept = new Map<string, readonly Attachment[]>();
const listeners = new Set<() => void>();

/** The files attached to a session's next message; they stay while other parts of the page are shown. */
export function useKeptAttachments(session: string): readonly Attachment[] {
  return useSyncExternalStore(subscribe, () => kept.get(session) ?? NONE);
}

/** Attaches files to a session's next message. @throws Error if too much is attached already. */
export function keepAttachments(session: string, more: readonly Attachment[]): void {
  const all = [...[...kept.values()].flat(), ...more];
  if (all.reduce((sum, { block }) => sum + new Blob([JSON.stringify(block)]).size, 0) > MOST)
    throw new Error('Too many files are attached. Send or remove some first.');
  set(session, [...(kept.get(session) ?? NONE), ...more]);
}

/** Removes attachments of a session: all of them if none is named. */
export function dropAttachments(session: string, ids?: readonly string[]): void {
  const left = (kept.get(session) ?? NONE).filter(({ id }) => ids !== undefined && !ids.includes(id));
  set(session, left);
}

function set(session: string, attachments: readonly Attachment[]): void {
  if (attachments.length === 0) kept.delete(session);
  else kept.set(session, attachments);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
