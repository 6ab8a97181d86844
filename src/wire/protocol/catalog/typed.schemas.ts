import { cliRequestSchemas as cliRequests } from './cli.schemas.js';
import { envelopeSchemas as envelopes } from './envelopes.schemas.js';
import { hookSchemas as hooks } from './hooks.schemas.js';
import { hostRequestSchemas as hostRequests } from './host.schemas.js';
import type {
  CliMessageMap,
  CliRequestMap,
  EnvelopeMap,
  HookMap,
  HostMessageMap,
  HostRequestMap,
} from './inferred.schemas.js';
import { hostMessageSchemas as hostMessages } from './messages/from-host-messages.schemas.js';
import { messageSchemas as messages } from './messages.schemas.js';
import type { Schema } from './shapes/values-shapes.schemas.js';

// The schemas as programs see them: by their output type, not by how they are composed.

/** A schema for each entry of a map of types. */
export type SchemasOf<Map> = { readonly [Name in keyof Map]: Schema<Map[Name]> };
/** Schemas of the parts of each entry: parameters and answer, or input and output. */
export type PartSchemasOf<Map> = { readonly [Name in keyof Map]: SchemasOf<Map[Name]> };

/** Schema of every message that a CLI sends, by `type` or `type/subtype`. */
export const messageSchemas: SchemasOf<CliMessageMap> = messages;
/** Schemas of the messages that the host sends. */
export const hostMessageSchemas: SchemasOf<HostMessageMap> = hostMessages;
/** Parameters (without `subtype`) and answer of every host request; a missing answer value reads as `{}`. */
export const hostRequestSchemas: PartSchemasOf<HostRequestMap> = hostRequests;
/** Parameters (without `subtype`) of every CLI request, and the host's answer. */
export const cliRequestSchemas: PartSchemasOf<CliRequestMap> = cliRequests;
/** Schemas of the input and output of each hook event. */
export const hookSchemas: PartSchemasOf<HookMap> = hooks;
/** Schemas of the envelopes of control frames, by the `type` of the frame. */
export const envelopeSchemas: SchemasOf<EnvelopeMap> = envelopes;
