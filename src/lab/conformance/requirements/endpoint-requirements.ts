import { type HostRequestName, hostRequests } from '../../../wire/protocol/catalog/catalog.js';
import type { HostRequestEntry } from '../../../wire/protocol/catalog/entries.js';
import type { Requirement } from '../requirement.js';

/** The requirement that a request of the catalog is served. */
export type EndpointId = `endpoint:${HostRequestName}`;

/** One requirement for each request of the host in the catalog: it is served. */
export const endpointRequirements = Object.fromEntries(
  Object.values(hostRequests).map((entry) => [`endpoint:${entry.name}`, requirementOf(entry)]),
) as Readonly<Record<EndpointId, Requirement>>;

/** The names of all host requests in the catalog. */
export const endpointNames = Object.keys(hostRequests) as readonly HostRequestName[];

function requirementOf(entry: HostRequestEntry): Requirement {
  return {
    behaviour: `\`${entry.name}\` is served: ${uncapitalised(entry.about)}`,
  };
}

function uncapitalised(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
