/** The CLI versions that tests of sessions run on: the oldest and the newest of three kinds. */
export const testedVersions = ['2.0.73', '2.1.17', '2.1.326'] as const;
