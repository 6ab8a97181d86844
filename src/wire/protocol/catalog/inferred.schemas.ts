import type * as z from 'zod';
import type { CliRequestSchemas } from './cli.schemas.js';
import type { envelopeSchemas } from './envelopes.schemas.js';
import type { hookSchemas } from './hooks.schemas.js';
import type { HostRequestSchemas } from './host.schemas.js';
import type { hostMessageSchemas } from './messages/from-host-messages.schemas.js';
import type { AllMessageSchemas } from './messages.schemas.js';

// The schemas as types, by name. The build writes them out, so that the declarations of the package describe messages
// without zod.

type InferredOf<Schemas extends { [Name in keyof Schemas]: z.ZodType }> = {
  [Name in keyof Schemas]: z.infer<Schemas[Name]>;
};
type InferredParts<Schemas extends { [Name in keyof Schemas]: object }> = {
  [Name in keyof Schemas]: {
    [Part in keyof Schemas[Name]]: Schemas[Name][Part] extends z.ZodType
      ? z.infer<Schemas[Name][Part]>
      : never;
  };
};

/** The messages of a CLI, by name. */
export interface CliMessageMap extends InferredOf<AllMessageSchemas> {}
/** The messages of a host, by type. */
export interface HostMessageMap extends InferredOf<typeof hostMessageSchemas> {}
/** Parameters and answer of each request of a host, by its subtype. */
export interface HostRequestMap extends InferredParts<HostRequestSchemas> {}
/** Parameters and answer of each request of a CLI, by its subtype. */
export interface CliRequestMap extends InferredParts<CliRequestSchemas> {}
/** Input and output of each hook event, by its name. */
export interface HookMap extends InferredParts<typeof hookSchemas> {}
/** The envelopes of control frames, by `type`. */
export interface EnvelopeMap extends InferredOf<typeof envelopeSchemas> {}
