/** Whether two types are the same, including optional and readonly. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if its type says so: `sure<Same<A, B>>()`. */
export function sure<_Holds extends true>(): void {}

/** Compiles only if nothing is left of a union. */
export function never(value: never): never {
  throw new Error(`left over: ${String(value)}`);
}
