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
  await new Promise<void>((resolve, reject) => {
    follow(engine, {
      stream: `KV_${bucket}`,
      subject: `${prefix}>`,
      onMessage: (message) =>
        onEntry({
          key: message.subject.slice(prefix.length),
          revision: message.seq,
          value: valueIn(message),
        }),
      onCurrent: resolve,
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
