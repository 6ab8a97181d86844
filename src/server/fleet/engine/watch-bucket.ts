import type { JsMsg } from '@nats-io/jetstream';
import type { Engine } from './engine.js';
import { follow } from './follow.js';

/** The current state of a key in a bucket. */
export interface BucketEntry {
  readonly key: string;
  readonly revision: number;
  /** Its parsed JSON; undefined when it is gone. */
  readonly value: unknown;
}

/** Watches all keys of a bucket: existing ones first, then changes. Resolves when the existing ones have been reported. */
export async function watchBucket(
  engine: Engine,
  bucket: string,
  onEntry: (entry: BucketEntry) => void,
): Promise<() => void> {
  const prefix = `$KV.${bucket}.`;
  let stop = () => {};
  const known = new Map<string, number>();
  let unseen = new Set<string>();
  const tell = (entry: BucketEntry) => {
    const { key, revision, value } = entry;
    unseen.delete(key);
    if (known.get(key) === revision) return;
    onEntry(entry);
    if (value === undefined) known.delete(key);
    else known.set(key, revision);
  };
  await new Promise<void>((resolve, reject) => {
    follow(engine, {
      stream: `KV_${bucket}`,
      subject: `${prefix}>`,
      onMessage: (message) =>
        tell({
          key: message.subject.slice(prefix.length),
          revision: message.seq,
          value: valueIn(message),
        }),
      onAgain: () => {
        unseen = new Set(known.keys());
      },
      onCurrent: () => {
        for (const key of unseen) tell({ key, revision: 0, value: undefined });
        resolve();
      },
    }).then((end) => {
      stop = end;
    }, reject);
  });
  return () => stop();
}

/** A message that marks a deleted or expired key is empty. */
function valueIn(message: JsMsg): unknown {
  if (message.data.length === 0) return undefined;
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
