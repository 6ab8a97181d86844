import { isObject, type RequestBody } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { type Fact, spanOf, spanOfRequest } from '../../cli/known-facts.js';

/**
 * Refuses a request before it is sent if this CLI would exit on it, misread it silently or never answer it.
 * A request that it answers with an error is let through, and so is an unknown name: it may be newer than we are. So are
 * most requests to a CLI of unknown version: they end with an answer or at their deadline.
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
    dry_run === true && ['served', 'unknown'].includes(capabilities.fateOf('rewind_files'))
      ? unless('dryRunIsHarmless', capabilities, 'it ignores dry_run and would change the files.')
      : undefined,
  mcp_set_servers: ({ servers }, capabilities) => {
    if (!isObject(servers)) return 'it needs an object of servers; old CLIs exit without one.';
    const hasSdkServer = Object.values(servers).some((server) => isObject(server) && server.type === 'sdk');
    // A CLI that cannot names the server as an error in its answer, so one of unknown version may be asked.
    return hasSdkServer && capabilities.version !== undefined
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
  if (capabilities.has(fact)) return undefined;
  const others = `${spanOf(fact).inWords ?? 'No CLI'} can.`;
  return capabilities.version === undefined
    ? `an older CLI could not: ${what} ${others} ${TELL_VERSION}`
    : `${what} ${others}`;
}

const TELL_VERSION = 'If you know its version, set `version` on the transport.';

function fatal(subtype: string, capabilities: Capabilities): string | undefined {
  switch (capabilities.fateOf(subtype)) {
    case 'silent':
      return `it does not know this request and would never answer.${servedBy(subtype)}`;
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
