/**
 * A name that the catalog does not have. To programs it is a string; to the compiler it is none of the known names, so
 * that `switch (message.type)` narrows. No real name looks like it.
 */
export type UnknownName = `${string} (not in the catalog)`;

/** An object whose `type` the catalog does not know: a content block, a stream event or a delta of a newer CLI. */
export interface UnknownKind {
  /** Its type, as it came. */
  readonly type: UnknownName;
  /** What else it carries. */
  readonly [key: string]: unknown;
}
