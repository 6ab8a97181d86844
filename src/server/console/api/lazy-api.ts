import type { ApiParts, makeApi } from './router.js';

/** The API, loaded on first use: its schemas cost nothing on a server that is not used over HTTP. */
export function lazyApi(parts: ApiParts): () => ReturnType<typeof makeApi> {
  let made: ReturnType<typeof makeApi> | undefined;
  return () => {
    made ??= import('./router.js').then((router) => router.makeApi(parts));
    return made;
  };
}
