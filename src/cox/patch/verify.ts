import type { PatchPlan } from '../../patches/prepare.js';
import { probeParentUuid } from './parent-probe.js';
import { type ProbeRig, probeRig, probeServers } from './probe-rig.js';
import { type PatchProbe, patchProbes } from './probes.js';

/** What a probe found out about a patch. */
export interface PatchVerdict {
  readonly patch: string;
  readonly what: string;
  readonly ok: boolean;
  /** What was seen, or what went wrong. */
  readonly seen: string;
}

/** Starts a patched copy offline and tries every patch that was applied to it. Spends nothing, keeps nothing. */
export async function verifyCopy({ path, reports }: PatchPlan): Promise<readonly PatchVerdict[]> {
  const applied = new Set(reports.filter(({ success }) => success).map(({ id }) => id));
  await using rig = await probeRig(path);
  const verdicts = await runOnOneSession(
    rig,
    patchProbes.filter(({ patch }) => applied.has(patch)),
  );
  const parent = applied.has(PARENT.patch) ? [await judge(PARENT, () => probeParentUuid(rig))] : [];
  return [...verdicts, ...parent].sort((a, b) => (a.patch < b.patch ? -1 : 1));
}

const PARENT = {
  patch: '003-parent-uuid',
  what: 'a message is chained behind an earlier one, also when the conversation is resumed',
};

async function runOnOneSession(rig: ProbeRig, probes: readonly PatchProbe[]): Promise<PatchVerdict[]> {
  const verdicts: PatchVerdict[] = [];
  await using session = await rig.open({ mcpServers: probeServers });
  for (const probe of probes) verdicts.push(await judge(probe, () => probe.run({ rig, session })));
  return verdicts;
}

async function judge(
  { patch, what }: Pick<PatchVerdict, 'patch' | 'what'>,
  run: () => Promise<string>,
): Promise<PatchVerdict> {
  try {
    return { patch, what, ok: true, seen: await run() };
  } catch (error) {
    return { patch, what, ok: false, seen: error instanceof Error ? error.message : String(error) };
  }
}
