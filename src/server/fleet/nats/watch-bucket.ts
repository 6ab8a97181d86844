import { deferred } from '../../../wire/util/deferred.js';
import type { KeyState } from '../engine/engine.js';
import { type Follow, follow } from './follow.js';

/** Watches one key of a bucket, or all: existing ones first, then changes. Resolves when the existing ones have been reported. */
export async function watchBucket(
  engine: Follow,
  { bucket, key: watched = '>' }: { readonly bucket: string; readonly key?: string | undefined },
  onState: (state: KeyState) => void,
): Promise<() => void> {
  const prefix = `$KV.${bucket}.`;
  const known = new Map<string, number>();
  let unseen = new Set<string>();
  const tell = (state: KeyState) => {
    const { key, revision, value } = state;
    unseen.delete(key);
    if (known.get(key) === revision) return;
    onState(state);
    if (value === undefined) known.delete(key);
    else known.set(key, revision);
  };
  const current = deferred<void>();
  const stop = await follow(engine, {
    stream: `KV_${bucket}`,
    subject: `${prefix}${watched}`,
    onMessage: (message) =>
      tell({ key: message.subject.slice(prefix.length), revision: message.seq, value: valueIn(message) }),
    onAgain: () => {
      unseen = new Set(known.keys());
    },
    onCurrent: () => {
      for (const key of unseen) tell({ key, revision: 0, value: undefined });
      current.resolve();
    },
  });
  await current.promise;
  return stop;
}

/** The value of a message about a key; one that marks a deleted or expired key is empty. */
export function valueIn({ data }: { readonly data: Uint8Array }): unknown {
  if (data.length === 0) return undefined;
  const text = new TextDecoder().decode(data);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
