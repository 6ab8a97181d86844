import type { RequestContext, RequestHandler } from '../../wire/peer/received-requests.js';
import { type CliRequestName, cliRequests } from '../../wire/protocol/catalog/catalog.js';
import type { CliAnswer, CliRequestBody } from '../../wire/protocol/catalog/types.js';
import { nearestName } from '../../wire/util/nearest-name.js';
import { OptionError } from '../../wire/util/option-checks.js';

/** Handles one CLI request, typed by its name. Return the answer (or nothing, for a plain ack), or throw to refuse. */
export type CliRequestHandler<Name extends CliRequestName> = (
  body: CliRequestBody<Name>,
  context: RequestContext,
) => CliAnswer<Name> | undefined | Promise<CliAnswer<Name> | undefined>;

/** Handlers of the CLI's requests by name. */
export type NamedRequestHandlers = {
  readonly [Name in CliRequestName]?: CliRequestHandler<Name> | undefined;
};

/** Handlers of requests that Coxswain does not know, by subtype. */
export type OtherRequestHandlers = Readonly<Record<string, RequestHandler>>;

/** The error for a name that is not a CLI request. */
export function noSuchRequest(name: string): OptionError {
  const near = nearestName(name, Object.keys(cliRequests));
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new OptionError(
    'handlers',
    `There is no request "${name}" of the CLI.${hint} For a request that Coxswain does not know, use handleOther or "otherHandlers".`,
  );
}
