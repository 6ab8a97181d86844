/**
 * A name that is not in the catalog. At run time it is a string. For the compiler it differs from all known names, so
 * that `switch (message.type)` narrows. No real name looks like it.
 */
export type UnknownName = `${string} (not in the catalog)`;

/** An object whose `type` the catalog does not know: a content block, a stream event or a delta of a newer CLI. */
export interface UnknownKind {
  /** The type, unchanged. */
  readonly type: UnknownName;
  /** The other fields. */
  readonly [key: string]: unknown;
}
