import * as z from 'zod';
import type { UnknownKind } from '../unknown-name.js';

/** A schema by its output type; a single name keeps declarations small. */
export interface Schema<Output> extends z.ZodType<Output> {}

/** A schema that accepts any string and whose type names the known ones. */
export interface OpenEnum<Known extends string> extends z.ZodType<Known | (string & {})> {}

/** The known words of an open set: others pass, and the posture check reports them as unknown values. */
export function open<const Known extends string>(known: readonly Known[]): OpenEnum<Known> {
  return z.union([z.enum(known), z.string()]);
}

/** The known kinds of objects: others pass unchanged, as one member of the union, and the posture check reports them. */
export function openUnion<const Kinds extends readonly TypedObject[]>(kinds: Kinds) {
  const known = new Set(kinds.map((kind) => kind.shape.type.value));
  const unknownKind = z.custom<UnknownKind>((value) => {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
    return typeof type === 'string' && !known.has(type);
  });
  return z.union([...kinds, unknownKind] as const);
}

type TypedObject = z.ZodObject<{ type: z.ZodLiteral<string> } & z.core.$ZodLooseShape, z.core.$loose>;

/** An object whose keys are not described. */
export interface AnyObject extends z.ZodType<Record<string, unknown>> {}

/** An object whose keys are not described. */
export const anyObject: AnyObject = z.record(z.string(), z.unknown());

/** An answer without content. */
export const ack = z.looseObject({});

/** A request without parameters. */
export const noParams = z.looseObject({});

/** What a request schema file must contain for each of its names. */
export type RequestSchemas<Name extends string> = Readonly<
  Record<Name, { readonly params: z.ZodType; readonly answer: z.ZodType }>
>;

/** What a message schema file must contain for each of its names. */
export type MessageSchemas<Name extends string> = Readonly<Record<Name, z.ZodType>>;

/** The fields that nearly every message has. */
export const stamp = {
  /** The id of this message. */
  uuid: z.string(),
  /** The id of the conversation. */
  session_id: z.string(),
};
