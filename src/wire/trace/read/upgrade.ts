import type { WireObject } from '../../protocol/frames.js';

/** Makes an entry of one version into one of the next. */
export type UpgradeStep = (entry: WireObject) => WireObject;

/** The steps by the version that they start from. */
export type UpgradeSteps = Readonly<Record<number, UpgradeStep>>;

/** One step per version that was ever released before this one; version 1 is the first. */
export const upgradeSteps: UpgradeSteps = {};

/** Takes an entry from its own version to the latest one, a step at a time. */
export function upgradeEntry(entry: WireObject, version: number, steps: UpgradeSteps): WireObject {
  const step = steps[version];
  return step === undefined ? entry : upgradeEntry(step(entry), version + 1, steps);
}
