import { credentialSchemas } from './cli/cli-account.schemas.js';
import { callbackSchemas } from './cli/cli-callbacks.schemas.js';
import { surfaceSchemas } from './cli/cli-surfaces.schemas.js';

type Callbacks = typeof callbackSchemas;
type Credentials = typeof credentialSchemas;
type Surfaces = typeof surfaceSchemas;

/** The types of {@link cliRequestSchemas}, one interface so that declarations stay small. */
export interface CliRequestSchemas extends Callbacks, Credentials, Surfaces {}

/** Parameters (without `subtype`) of every CLI request, and the host's answer. */
export const cliRequestSchemas: CliRequestSchemas = {
  ...callbackSchemas,
  ...credentialSchemas,
  ...surfaceSchemas,
};
