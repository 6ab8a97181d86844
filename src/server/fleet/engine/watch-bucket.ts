import type { KV, KvWatchEntry } from '@nats-io/kv';

/** Hears of all keys of a bucket: those that are there, then what changes. Resolves when those that are there have been told. */
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

/** The value of an entry as JSON; undefined for the mark of one that is gone. */
export function jsonOf({ operation, value }: KvWatchEntry): unknown {
  return operation === 'PUT' ? JSON.parse(new TextDecoder().decode(value)) : undefined;
}
