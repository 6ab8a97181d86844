import { findHostRequest } from '../../../wire/protocol/catalog/catalog.js';
import type { ProbedVersion } from '../../../wire/protocol/catalog/entries.js';
import { isObject, type RequestBody } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { treatedAs } from '../connection/cli-version.js';

/**
 * Refuses, before anything is written, a request that this CLI would die of, silently misread or never answer.
 * A name that the catalog does not know is let through: it may be newer than we are.
 */
export function checkRequest(
  body: RequestBody,
  version: string | undefined,
  patched: ReadonlySet<string> = new Set(),
): void {
  const probed = treatedAs(version);
  const refusal =
    dangers[body.subtype]?.(body, probed) ??
    (patched.has(body.subtype) ? undefined : unserved(body.subtype, probed));
  if (refusal === undefined) return;
  const cli = version === undefined ? 'this CLI, whose version is not known' : `CLI ${version}`;
  throw new CoxswainError('ENDPOINT_UNSUPPORTED', `${body.subtype} was not sent to ${cli}: ${refusal}`);
}

type Danger = (body: RequestBody, probed: ProbedVersion) => string | undefined;

const dangers: Readonly<Record<string, Danger>> = {
  rewind_files: ({ dry_run }, probed) =>
    probed === '2.0.73' && dry_run === true
      ? 'it ignores dry_run and would really change the files. Use CLI 2.1.17 or newer for a dry run.'
      : undefined,
  mcp_set_servers: ({ servers }, probed) => {
    if (!isObject(servers)) return 'it needs a map of servers; CLIs up to 2.1.17 exit without one.';
    const hasSdkServer = Object.values(servers).some((server) => isObject(server) && server.type === 'sdk');
    return probed === '2.0.73' && hasSdkServer
      ? 'it cannot connect in-process servers at run time. Give them when the session is opened, or use CLI 2.1.17 or newer.'
      : undefined;
  },
  set_permission_mode: ({ mode }, probed) =>
    probed === '2.1.325' || OLD_MODES.has(String(mode))
      ? undefined
      : `it takes any word for a mode and then means default. "${mode}" is none of its modes: ${[...OLD_MODES].join(', ')}.`,
  initialize: (_body, probed) =>
    probed === '2.0.73' ? 'a second initialize ends it. Close the session and open it again.' : undefined,
};

// Newer CLIs check the mode themselves, and know `auto` as well.
const OLD_MODES: ReadonlySet<string> = new Set([
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
]);

function unserved(subtype: string, probed: ProbedVersion): string | undefined {
  const entry = findHostRequest(subtype);
  if (entry?.unserved[probed] !== 'silent') return undefined;
  const since = entry.seen[0];
  return since === undefined
    ? 'it does not know this request and would never answer.'
    : `it does not know this request and would never answer. CLI ${since} serves it.`;
}
