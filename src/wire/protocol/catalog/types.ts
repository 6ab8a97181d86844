import type * as z from 'zod';
import type {
  CliRequestName,
  HookEventName,
  HostMessageName,
  HostRequestName,
  MessageName,
} from './catalog.js';
import type { CliRequestSchemas } from './cli.schemas.js';
import type { hookSchemas } from './hooks.schemas.js';
import type { HostRequestSchemas } from './host.schemas.js';
import type { hostMessageSchemas } from './messages/from-host-messages.schemas.js';
import type { AllMessageSchemas } from './messages.schemas.js';

/** Only the keys that are described, so that a misspelt one is a compile error. */
type Described<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

/** What a host request carries besides its subtype; misspelt keys are compile errors. */
export type HostRequestParams<Name extends HostRequestName> = Described<
  z.infer<HostRequestSchemas[Name]['params']>
>;

/** What the CLI answers to a host request; a plain ack reads as an empty object. */
export type HostAnswer<Name extends HostRequestName> = z.infer<HostRequestSchemas[Name]['answer']>;

/** The body of a request that the CLI sends. */
export type CliRequestBody<Name extends CliRequestName> = { readonly subtype: Name } & z.infer<
  CliRequestSchemas[Name]['params']
>;

/** What the host answers to a request of the CLI. */
export type CliAnswer<Name extends CliRequestName> = z.infer<CliRequestSchemas[Name]['answer']>;

/** A message that the CLI sends, by its name. */
export type Message<Name extends MessageName> = z.infer<AllMessageSchemas[Name]>;

/** Any message that the catalog knows; narrow it by `type` and `subtype`. */
export type KnownMessage = { [Name in MessageName]: Message<Name> }[MessageName];

/** A message that the host sends, by its type. */
export type HostMessage<Name extends HostMessageName> = z.infer<(typeof hostMessageSchemas)[Name]>;

/** What a hook callback is given for an event. */
export type HookInput<Name extends HookEventName> = z.infer<(typeof hookSchemas)[Name]['input']>;

/** What a hook callback can answer for an event. */
export type HookOutput<Name extends HookEventName> = z.infer<(typeof hookSchemas)[Name]['output']>;
