import { nearestProbedVersion } from '../../../wire/protocol/catalog/catalog.js';
import { type ProbedVersion, probedVersions } from '../../../wire/protocol/catalog/entries.js';
import { RecentMap } from '../../../wire/util/recent-map.js';

/**
 * The probed version whose behaviour is expected of a CLI. One whose version is not known, or older than all
 * probed ones, is treated as the oldest: for that one the most care is taken.
 */
export function treatedAs(version: string | undefined): ProbedVersion {
  if (version === undefined) return probedVersions[0];
  const known = found.get(version);
  if (known !== undefined) return known;
  const probed = nearestProbedVersion(version) ?? probedVersions[0];
  found.set(version, probed);
  return probed;
}

/** Asked for every request, and most programs see one version only. */
const found = new RecentMap<string, ProbedVersion>(16);
