import type { KV, KvWatchEntry } from '@nats-io/kv';

/** Watches all keys of a bucket: existing ones first, then changes. Resolves when the existing ones have been reported. */
export async function watchBucket(bucket: KV, onEntry: (entry: KvWatchEntry) => void): Promise<() => void> {
  const { values } = await bucket.status();
  const watch = await bucket.watch();
  await new Promise<void>((resolve) => {
    const read = async () => {
      for await (const entry of watch) {
        onEntry(entry);
        if (entry.delta === 0) resolve();
      }
      resolve();
    };
    if (values === 0) resolve();
    void read();
  });
  return () => watch.stop();
}

/** An entry's value as JSON; undefined for a deletion marker. */
export function jsonOf({ operation, value }: KvWatchEntry): unknown {
  return operation === 'PUT' ? JSON.parse(new TextDecoder().decode(value)) : undefined;
}
