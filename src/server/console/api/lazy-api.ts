import type { ApiParts, makeApi } from './router.js';

/** The API, loaded when it is asked for the first time: its schemas cost a server that nobody asks by HTTP nothing. */
export function lazyApi(parts: ApiParts): () => ReturnType<typeof makeApi> {
  let made: ReturnType<typeof makeApi> | undefined;
  return () => {
    made ??= import('./router.js').then((router) => router.makeApi(parts));
    return made;
  };
}
