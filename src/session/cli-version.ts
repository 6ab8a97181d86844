import { nearestProbedVersion } from '../protocol/catalog/catalog.js';
import { type ProbedVersion, probedVersions } from '../protocol/catalog/entries.js';

/**
 * The probed version whose behaviour is expected of a CLI. One whose version is not known, or older than all
 * probed ones, is treated as the oldest: for that one the most care is taken.
 */
export function treatedAs(version: string | undefined): ProbedVersion {
  return (version === undefined ? undefined : nearestProbedVersion(version)) ?? probedVersions[0];
}
