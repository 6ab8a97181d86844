import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import type { Objects } from '../engine/engine.js';
import { asEngine } from './writes.js';

/** Makes a bucket from the store of the client. */
export function objectsOf(store: ObjectStore, jsm: JetStreamManager, bucket: string): Objects {
  const stream = `OBJ_${bucket}`;
  const metas = `$O.${bucket}.M.`;
  const allNames = shared(async () => {
    const { state } = await jsm.streams.info(stream, { subjects_filter: `${metas}>` });
    return Object.keys(state.subjects ?? {}).map((subject) => decoded(subject.slice(metas.length)));
  });
  return {
    info: (name) => asEngine(store.info(name)),
    get: (name) => asEngine(store.get(name)),
    getBlob: (name) => asEngine(store.getBlob(name)),
    put: (meta, data) => asEngine(store.put(meta, data)),
    putBlob: (meta, data, options) => asEngine(store.putBlob(meta, data, options)),
    // The client itself would keep a marker of each object forever.
    delete: async (name) => {
      const info = await store.info(name);
      if (info === null) return;
      await jsm.streams.purge(stream, { filter: `${metas}${encoded(name)}` });
      await jsm.streams.purge(stream, { filter: `$O.${bucket}.C.${info.nuid}` });
    },
    names: async (prefix = '') => (await allNames()).filter((name) => name.startsWith(prefix)),
  };
}

/** Makes calls share their work, which costs the same for one and for many: those that come while it runs share the next one. */
function shared<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Value> | undefined;
  const start = () => {
    next = undefined;
    const started = work();
    running = started.catch(() => {});
    return started;
  };
  return () => {
    next ??= running.then(start);
    return next;
  };
}

/** Names as parts of subjects, as all NATS clients write them. */
function encoded(name: string): string {
  return Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function decoded(token: string): string {
  return Buffer.from(token, 'base64url').toString();
}
