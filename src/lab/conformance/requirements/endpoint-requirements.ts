import { type HostRequestName, hostRequests } from '../../../wire/protocol/catalog/catalog.js';
import {
  type HostRequestEntry,
  type ProbedVersion,
  probedVersions,
  type Reaction,
} from '../../../wire/protocol/catalog/entries.js';
import type { Requirement } from '../requirement.js';
import type { Verdict } from '../verdict.js';

/** The requirement that a request of the catalog is served. */
export type EndpointId = `endpoint:${HostRequestName}`;

const VERDICTS: Readonly<Record<Reaction, Verdict>> = {
  silent: 'silent',
  error: 'unsupported',
  dies: 'fail',
};

/** One requirement for each request of the host in the catalog: it is served. */
export const endpointRequirements = Object.fromEntries(
  Object.values(hostRequests).map((entry) => [`endpoint:${entry.name}`, requirementOf(entry)]),
) as Readonly<Record<EndpointId, Requirement>>;

/** The names of all requests of the host, as the catalog has them. */
export const endpointNames = Object.keys(hostRequests) as readonly HostRequestName[];

function requirementOf(entry: HostRequestEntry): Requirement {
  const except = Object.fromEntries(
    probedVersions.flatMap((version) => {
      const verdict = expectedOf(entry, version);
      return verdict === 'pass' ? [] : [[version, verdict]];
    }),
  );
  const isNew = entry.seen.length <= 1;
  return {
    behaviour: `\`${entry.name}\` is served: ${uncapitalised(entry.about)}`,
    ...(Object.keys(except).length === 0 ? {} : { except }),
  };
}

function expectedOf({ reach, seen, unserved }: HostRequestEntry, version: ProbedVersion): Verdict {
  if (reach === 'account') return 'not-reachable';
  if (seen.includes(version)) return 'pass';
  return VERDICTS[unserved[version] ?? 'silent'];
}

function uncapitalised(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
