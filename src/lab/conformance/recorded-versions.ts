/** The CLI versions of which everything is recorded: captured frames, the verdict of each probe, a JSON Schema. Oldest first. */
export const recordedVersions = ['2.0.73', '2.1.17', '2.1.326'] as const;

/** A CLI version of which everything is recorded. */
export type RecordedVersion = (typeof recordedVersions)[number];
