import { isObject, type RequestBody } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { type Fact, spanOf, spanOfRequest } from '../../cli/known-facts.js';

/**
 * Refuses a request before it is sent if this CLI would exit on it, misread it silently or never answer it.
 * A request that it answers with an error is let through, and so is an unknown name: it may be newer than we are.
 */
export function checkRequest(body: RequestBody, capabilities: Capabilities): void {
  // Names that every object inherits are not request names.
  const danger = Object.hasOwn(dangers, body.subtype) ? dangers[body.subtype] : undefined;
  const refusal = danger?.(body, capabilities) ?? fatal(body.subtype, capabilities);
  if (refusal === undefined) return;
  throw new CoxswainError(
    'ENDPOINT_UNSUPPORTED',
    `${body.subtype} was not sent to ${capabilities.name}: ${refusal}`,
  );
}

/** The error for a request that the CLI reports as unknown. */
export function unknownRequest(subtype: string, capabilities: Capabilities, cause: Error): CoxswainError {
  const message = `${subtype} is not known to ${capabilities.name}.${servedBy(subtype)}`;
  return new CoxswainError('ENDPOINT_UNSUPPORTED', message, { cause });
}

type Danger = (body: RequestBody, capabilities: Capabilities) => string | undefined;

const dangers: Readonly<Record<string, Danger>> = {
  rewind_files: ({ dry_run }, capabilities) =>
    dry_run === true && capabilities.fateOf('rewind_files') === 'served'
      ? unless('dryRunIsHarmless', capabilities, 'it ignores dry_run and would change the files.')
      : undefined,
  mcp_set_servers: ({ servers }, capabilities) => {
    if (!isObject(servers)) return 'it needs an object of servers; old CLIs exit without one.';
    const hasSdkServer = Object.values(servers).some((server) => isObject(server) && server.type === 'sdk');
    return hasSdkServer
      ? unless(
          'connectsInProcessServersLater',
          capabilities,
          'it cannot connect in-process servers at run time. Set them when you open the session.',
        )
      : undefined;
  },
  set_permission_mode: ({ mode }, capabilities) =>
    capabilities.has('checksModes') || capabilities.knowsMode(String(mode))
      ? undefined
      : `it treats unknown modes as "default", and "${mode}" is not one of its modes: ${capabilities.modes.join(', ')}.`,
};

function unless(fact: Fact, capabilities: Capabilities, what: string): string | undefined {
  return capabilities.has(fact) ? undefined : `${what} ${spanOf(fact).inWords ?? 'No CLI'} can.`;
}

function fatal(subtype: string, capabilities: Capabilities): string | undefined {
  switch (capabilities.fateOf(subtype)) {
    case 'silent':
      return capabilities.version === undefined
        ? `not every CLI answers this request, and its version is unknown until its first turn.${servedBy(subtype)}`
        : `it does not know this request and would never answer.${servedBy(subtype)}`;
    case 'ends':
      return 'a second `initialize` makes it exit. Close the session and open a new one.';
    default:
      return undefined;
  }
}

function servedBy(subtype: string): string {
  const clis = spanOfRequest(subtype).inWords;
  return clis === undefined ? '' : ` It needs ${clis}.`;
}
