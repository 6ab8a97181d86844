import type { UUID } from 'node:crypto';
import type { HookEventName, MessageName } from '../../../wire/protocol/catalog/catalog.js';
import type { HookInput, HookOutput, Message } from '../../../wire/protocol/catalog/types.js';

/**
 * A wire type as the official declarations have it: only the named words, ids as UUIDs,
 * only the named keys. Anything else that newer CLIs send still arrives, as with the original.
 */
export type Declared<T> = unknown extends T
  ? T
  : T extends string
    ? NamedWord<T>
    : T extends readonly (infer Item)[]
      ? Declared<Item>[]
      : T extends object
        ? DeclaredObject<T>
        : T;

/** A declared type with some keys declared differently. */
export type Refined<T, Own> = Omit<T, keyof Own> & Own;

/** A record has no named keys and keeps its value type. */
export type DeclaredObject<T> = keyof Named<T> extends never
  ? { [Key in keyof T]: Declared<T[Key]> }
  : Named<T>;

/** Only the keys that are named. */
export type Named<T> = {
  [Key in keyof T as string extends Key ? never : Key]: Key extends 'uuid'
    ? UuidOf<T[Key]>
    : Declared<T[Key]>;
};

/** A UUID instead of a string. */
export type UuidOf<T> = T extends string ? UUID : T;

/** A word of a list, or a plain `string`; not the `string & {}` that keeps a list open. */
export type NamedWord<T extends string> = string extends T ? (IsPlainString<T> extends true ? T : never) : T;

/** Whether a type is `string` itself. */
export type IsPlainString<T> =
  (<X>() => X extends T ? 1 : 2) extends <X>() => X extends string ? 1 : 2 ? true : false;

/** A message as in the catalog, extended by the official declarations. */
export type DeclaredMessage<Name extends MessageName, Own = unknown> = unknown extends Own
  ? Declared<Message<Name>>
  : Refined<Declared<Message<Name>>, Own>;

/** The input of a hook as in the catalog, adapted to the official declarations. */
export type DeclaredHookInput<Name extends HookEventName, Base, Own = unknown> = Omit<
  Declared<HookInput<Name>>,
  keyof Base | keyof Own
> &
  Base &
  Own;

/** The output fields of one hook event, as in the catalog. */
export type DeclaredHookOutput<Name extends HookEventName> = NonNullable<
  Extract<Declared<HookOutput<Name>>, { hookSpecificOutput?: unknown }>['hookSpecificOutput']
>;
