import type { Probe, ProbeGroup } from './probe.js';
import { probeGroups } from './probes/groups.js';
import { type RequirementId, requirementIds } from './requirements/requirements.js';
import { type Shape, shapeOf } from './shape.js';
import { type Recorder, Stage } from './stage.js';
import type { Subject } from './subject.js';
import { type Finding, fail, notReachable } from './verdict.js';

/** What {@link runProbes} can be told. */
export interface RunOptions {
  /** Probes only what these requirements need. */
  readonly only?: ReadonlySet<RequirementId> | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far a run has come. */
export interface Progress {
  /** Requirements that were judged, of all that will be. */
  readonly judged: number;
  readonly total: number;
  /** What has just been judged, or begun when nothing was. */
  readonly group: string;
}

/** What a run found. */
export interface ProbeReport {
  /** The path of the CLI, or the emulator's name. */
  readonly cli: string;
  /** Null where the CLI does not tell it. */
  readonly version: string | null;
  readonly verdicts: readonly (Finding & { readonly id: RequirementId })[];
  /** The shapes of answers, requests and messages, by the name that probes gave them. */
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** Runs the probes against a CLI; never rejects because of what that CLI does. */
export async function runProbes(subject: Subject, options: RunOptions = {}): Promise<ProbeReport> {
  const { only, onProgress = () => {}, signal } = options;
  const groups = probeGroups.map((group) => chosen(group, only)).filter(({ probes }) => probes.length > 0);
  const ids = requirementIds.filter((id) => only?.has(id) ?? true);
  const findings = new Map<string, Finding>();
  const shapes = new Map<string, Shape>();
  const record: Recorder = (name, value) => void shapes.set(name, shapeOf(value));
  const [version] = await Promise.all([
    subject.version(),
    sideBySide(groups, subject.concurrency, async (group) => {
      const tell = () => onProgress({ judged: findings.size, total: ids.length, group: group.name });
      tell();
      await runGroup(group, { subject, record, signal, note: (id, finding) => findings.set(id, finding) });
      tell();
    }),
  ]);
  return {
    cli: subject.name,
    version: version ?? null,
    verdicts: ids.map((id) => ({ id, ...(findings.get(id) ?? notReachable('no probe can reach it')) })),
    shapes: Object.fromEntries([...shapes].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

function chosen(group: ProbeGroup, only: ReadonlySet<RequirementId> | undefined): ProbeGroup {
  if (only === undefined) return group;
  return { ...group, probes: group.probes.filter(({ cites }) => cites.some((id) => only.has(id))) };
}

async function sideBySide<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

interface GroupRun {
  readonly subject: Subject;
  readonly record: Recorder;
  readonly signal: AbortSignal | undefined;
  readonly note: (id: string, finding: Finding) => void;
}

async function runGroup(group: ProbeGroup, run: GroupRun): Promise<void> {
  let stage: Stage | undefined;
  for (const probe of group.probes) {
    if (run.signal?.aborted) break;
    const spoilt = stage?.ended !== undefined || group.apart === true;
    if (spoilt) await stage?.close();
    if (spoilt) stage = undefined;
    const { findings, keep, used } = await runProbe(probe, group, { ...run, stage });
    for (const id of probe.cites) run.note(id, findings[id] ?? fail('the probe did not judge it'));
    if (!keep) await used?.close();
    stage = keep ? used : undefined;
  }
  await stage?.close();
}

interface ProbeOutcome {
  readonly findings: Readonly<Record<string, Finding>>;
  readonly used: Stage | undefined;
  /** Whether the CLI can serve the next probe. */
  readonly keep: boolean;
}

async function runProbe(
  { cites, run }: Probe,
  group: ProbeGroup,
  { subject, record, stage }: GroupRun & { readonly stage: Stage | undefined },
): Promise<ProbeOutcome> {
  let used = stage;
  try {
    used ??= await openStage(group, subject, record);
    used.resetAnswers();
    return { findings: await run(used), used, keep: true };
  } catch (error) {
    const finding = fail(error instanceof Error ? error.message : String(error));
    return { findings: Object.fromEntries(cites.map((id) => [id, finding])), used, keep: false };
  }
}

async function openStage(group: ProbeGroup, subject: Subject, record: Recorder): Promise<Stage> {
  const stage = await Stage.open(subject, group.start ?? {}, record);
  if (group.initialize === false) return stage;
  const answer = await stage.request('initialize', group.initialize ?? {}, subject.patience.startMs);
  if (answer.kind === 'success') return stage;
  await stage.close();
  throw new Error(`the handshake failed: ${answer.kind}`);
}
