/** A promise with its resolve and reject functions (Node 20 has no `Promise.withResolvers`). */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a {@link Deferred}; settling it twice has no effect, as with any promise. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = unset;
  let reject: (error: unknown) => void = unset;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function unset(): void {}
