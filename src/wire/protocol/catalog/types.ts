import type {
  CliRequestName,
  HookEventName,
  HostMessageName,
  HostRequestName,
  MessageName,
} from './catalog.js';
import type {
  CliMessageMap,
  CliRequestMap,
  HookMap,
  HostMessageMap,
  HostRequestMap,
} from './inferred.schemas.js';
import type { UnknownName } from './unknown-name.js';

/** Only the described keys, so that a misspelt one is a compile error. */
export type Described<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

/** The fields of a host request besides its subtype; misspelt keys are compile errors. */
export type HostRequestParams<Name extends HostRequestName> = Described<HostRequestMap[Name]['params']>;

/** The body of a request that a host sends. */
export type HostRequestBody<Name extends HostRequestName> = {
  readonly subtype: Name;
} & HostRequestMap[Name]['params'];

/** The CLI's answer to a host request; an empty object for a plain ack. */
export type HostAnswer<Name extends HostRequestName> = HostRequestMap[Name]['answer'];

/** The body of a request that the CLI sends. */
export type CliRequestBody<Name extends CliRequestName> = {
  readonly subtype: Name;
} & CliRequestMap[Name]['params'];

/** The host's answer to a CLI request. */
export type CliAnswer<Name extends CliRequestName> = CliRequestMap[Name]['answer'];

/** A message that the CLI sends, by its name. */
export type Message<Name extends MessageName> = CliMessageMap[Name];

/** Any message that the catalog knows; narrow it by `type` and `subtype`. */
export type KnownMessage = { [Name in MessageName]: Message<Name> }[MessageName];

/** A message of a type that the catalog does not know: a newer CLI sent it. */
export interface UnknownMessage {
  /** The type, unchanged. */
  readonly type: UnknownName;
  /** The other fields. */
  readonly [key: string]: unknown;
}

/** A `system` message of a subtype that the catalog does not know. */
export interface UnknownSystemMessage {
  /** `system`. */
  readonly type: 'system';
  /** The subtype, unchanged. */
  readonly subtype: UnknownName;
  /** The other fields. */
  readonly [key: string]: unknown;
}

/** A result of an unknown subtype, with the fields that all results have. */
export type UnknownResultMessage = {
  [Key in keyof FailedResult as Key extends 'subtype' ? never : Key]: FailedResult[Key];
} & { readonly subtype: UnknownName };

/** A result of a failed turn. */
export type FailedResult = Message<'result/error_during_execution'>;

/** The message that ends a turn; narrow it by `subtype`. */
export type ResultMessage = Extract<KnownMessage, { readonly type: 'result' }> | UnknownResultMessage;

/**
 * Any message from a CLI; narrow it by `type`, then by `subtype`. The types come from the catalog and are not
 * validated; keys that the catalog does not describe are `unknown`.
 */
export type CliMessage = KnownMessage | UnknownMessage | UnknownSystemMessage | UnknownResultMessage;

/** A message that the host sends, by its type. */
export type HostMessage<Name extends HostMessageName> = HostMessageMap[Name];

/** The input of a hook callback for an event. */
export type HookInput<Name extends HookEventName> = HookMap[Name]['input'];

/** The output of a hook callback for an event. */
export type HookOutput<Name extends HookEventName> = HookMap[Name]['output'];
