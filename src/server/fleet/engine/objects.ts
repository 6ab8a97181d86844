import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';

/** A bucket of objects. */
export interface Objects extends Pick<ObjectStore, 'info' | 'get' | 'getBlob' | 'put' | 'putBlob'> {
  /** Deletes an object. Nothing stays: the client of the engine would keep a marker of each object forever. */
  delete(name: string): Promise<void>;
  /** The names of all objects with this beginning. Only names are read, not their descriptions. */
  names(prefix?: string): Promise<readonly string[]>;
}

/** Makes a bucket from the store of the client. */
export function objectsOf(store: ObjectStore, jsm: JetStreamManager, bucket: string): Objects {
  const stream = `OBJ_${bucket}`;
  const metas = `$O.${bucket}.M.`;
  return {
    info: (name) => store.info(name),
    get: (name) => store.get(name),
    getBlob: (name) => store.getBlob(name),
    put: (meta, data, options) => store.put(meta, data, options),
    putBlob: (meta, data, options) => store.putBlob(meta, data, options),
    delete: async (name) => {
      const info = await store.info(name);
      if (info === null) return;
      await jsm.streams.purge(stream, { filter: `${metas}${encoded(name)}` });
      await jsm.streams.purge(stream, { filter: `$O.${bucket}.C.${info.nuid}` });
    },
    names: async (prefix = '') => {
      const { state } = await jsm.streams.info(stream, { subjects_filter: `${metas}>` });
      const names = Object.keys(state.subjects ?? {}).map((subject) => decoded(subject.slice(metas.length)));
      return names.filter((name) => name.startsWith(prefix));
    },
  };
}

/** Names as parts of subjects, as all NATS clients write them. */
function encoded(name: string): string {
  return Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function decoded(token: string): string {
  return Buffer.from(token, 'base64url').toString();
}
