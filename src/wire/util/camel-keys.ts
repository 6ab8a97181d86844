/** A key in camelCase: `still_queued` becomes `stillQueued`; a leading underscore stays. */
export type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}`
  ? Head extends ''
    ? `_${CamelKey<Tail>}`
    : `${Head}${Capitalize<CamelKey<Tail>>}`
  : Key;

/** An object with its top-level keys in camelCase; deeper levels are unchanged. */
export type CamelKeys<Value> = { [Key in keyof Value as CamelKey<Key>]: Value[Key] };

/**
 * Copies an object with its own keys in camelCase. Only the top level: deeper maps are keyed by names of servers,
 * models and files, which must stay as they are. A key whose new name is taken keeps its old one.
 */
export function camelKeys<Value extends object>(value: Value): CamelKeys<Value> {
  if (!hasSnakeKey(value)) return { ...value } as CamelKeys<Value>;
  const taken = new Set(Object.keys(value));
  const entries = Object.entries(value).map(([key, each]) => {
    const camel = camelKey(key);
    if (taken.has(camel)) return [key, each] as const;
    taken.add(camel);
    return [camel, each] as const;
  });
  // The compiler cannot follow keys through Object.entries.
  return Object.fromEntries(entries) as CamelKeys<Value>;
}

function hasSnakeKey(value: object): boolean {
  for (const key in value) if (key.includes('_')) return true;
  return false;
}

function camelKey(key: string): string {
  return key.replaceAll(/(?<=[^_])_([^_])/g, (_match, letter: string) => letter.toUpperCase());
}
