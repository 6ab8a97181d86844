import type { PatchPlan } from '../../host/patches/prepare.js';
import { systemClock, within } from '../../wire/util/clock.js';
import { errorText } from '../../wire/util/error-text.js';
import { check, type PatchProbe } from './probe.js';
import { type ProbeRig, probeRig } from './probe-rig.js';
import { patchProbes, probeParentUuid } from './probes.js';

/** What a probe found about a patch. */
export interface PatchVerdict {
  readonly patch: string;
  readonly what: string;
  readonly ok: boolean;
  /** What was seen, or what went wrong. */
  readonly seen: string;
}

/** How long one probe may take: a broken patch may leave the CLI waiting forever. */
const PROBE_MS = 60_000;

/** Starts a patched copy offline and tries every applied patch. Costs nothing, keeps nothing. */
export async function verifyCopy(
  { path, reports }: Pick<PatchPlan, 'path' | 'reports'>,
  probeMs = PROBE_MS,
): Promise<readonly PatchVerdict[]> {
  const applied = new Map(reports.filter(({ success }) => success).map(({ id, details }) => [id, details]));
  await using rig = await probeRig(path);
  const probes = patchProbes.filter(({ patch }) => applied.has(patch));
  const verdicts = await runOnOneSession(probes, { rig, applied, probeMs });
  const parent = applied.has(PARENT.patch) ? [await judge(PARENT, probeMs, () => probeParentUuid(rig))] : [];
  return [...verdicts, ...parent].sort((a, b) => (a.patch < b.patch ? -1 : 1));
}

const PARENT = {
  patch: '003-parent-uuid',
  what: 'a message can follow an earlier one, even after a resume',
};

interface Trial {
  readonly rig: ProbeRig;
  /** What each patch reported when it was applied. */
  readonly applied: ReadonlyMap<string, readonly string[]>;
  readonly probeMs: number;
}

async function runOnOneSession(
  probes: readonly PatchProbe[],
  { rig, applied, probeMs }: Trial,
): Promise<PatchVerdict[]> {
  const verdicts: PatchVerdict[] = [];
  await using session = await rig.open({ mcpServers: { probe: rig.server.config } });
  for (const probe of probes) {
    const details = applied.get(probe.patch) ?? [];
    verdicts.push(await judge(probe, probeMs, () => probe.run({ rig, session, details })));
  }
  return verdicts;
}

async function judge(
  { patch, what }: Pick<PatchVerdict, 'patch' | 'what'>,
  probeMs: number,
  run: () => Promise<string>,
): Promise<PatchVerdict> {
  try {
    const running = run();
    check(await within(running, probeMs, systemClock), `it did not end within ${probeMs / 1_000} s`);
    return { patch, what, ok: true, seen: await running };
  } catch (error) {
    return { patch, what, ok: false, seen: errorText(error) };
  }
}
