import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { Probe, ProbeGroup } from './probe.js';
import { probeGroups } from './probes/groups.js';
import { describe, type Reaction } from './reaction.js';
import { part } from './reading.js';
import { type RequirementId, requirementIds } from './requirements/requirements.js';
import { mergedShape, type Shape, shapeOf } from './shape.js';
import { type Recorder, Stage } from './stage.js';
import type { Subject } from './subject.js';
import { type Finding, fail, notReachable } from './verdict.js';

/** The options of {@link runProbes}. */
export interface RunOptions {
  /** Runs only the probes that these requirements need. */
  readonly only?: ReadonlySet<RequirementId> | undefined;
  /** Called after each requirement. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the probing when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The progress of a run. */
export interface Progress {
  /** The number of requirements judged so far. */
  readonly judged: number;
  /** The number of requirements. */
  readonly total: number;
  /** The requirements that were just judged. */
  readonly group: string;
}

/** The results of a run. */
export interface ProbeReport {
  /** The path of the CLI, or the emulator's name. */
  readonly cli: string;
  /** Null if the CLI does not report it. */
  readonly version: string | null;
  /** The verdict on each requirement. */
  readonly verdicts: readonly (Finding & { readonly id: RequirementId })[];
  /** The shapes of answers, requests and messages, by their name in the probes. */
  readonly shapes: Readonly<Record<string, Shape>>;
}

/**
 * Runs the probes against a CLI and returns verdicts. @throws CoxswainError `HANDSHAKE_…` if it does not answer
 * `initialize`, and errors of starting it.
 */
export async function runProbes(subject: Subject, options: RunOptions = {}): Promise<ProbeReport> {
  const { only, onProgress = () => {}, signal } = options;
  const groups = probeGroups.map((group) => chosen(group, only)).filter(({ probes }) => probes.length > 0);
  const ids = requirementIds.filter((id) => only?.has(id) ?? true);
  const findings = new Map<string, Finding>();
  const shapes = new Map<string, Shape>();
  const record: Recorder = (name, value) => {
    const [before, shape] = [shapes.get(name), shapeOf(value)];
    shapes.set(name, before === undefined ? shape : mergedShape(before, shape));
  };
  const version = await greet(subject, signal);
  const wanted = new Set<string>(ids);
  const note = (id: string, finding: Finding): void => {
    if (wanted.has(id)) findings.set(id, finding);
  };
  await sideBySide(groups, subject.concurrency, async (group) => {
    if (signal?.aborted) return;
    await runGroup(group, { subject, record, signal, note });
    onProgress({ judged: findings.size, total: ids.length, group: group.name });
  });
  signal?.throwIfAborted();
  return {
    cli: subject.name,
    version: version ?? null,
    verdicts: ids.map((id) => ({ id, ...(findings.get(id) ?? notReachable('no probe can reach it')) })),
    shapes: Object.fromEntries([...shapes].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Checks that it is a CLI at all, and gets its version. */
async function greet(subject: Subject, signal: AbortSignal | undefined): Promise<string | undefined> {
  const stage = await Stage.open({ subject, record: () => {}, signal });
  try {
    const answer = await stage.request('initialize', {}, subject.patience.startMs);
    if (answer.kind !== 'success') throw handshakeError(subject, answer);
    const { claude_code_version: told } = part(answer.value);
    return typeof told === 'string' ? told : await stage.cli.version;
  } finally {
    await stage.close();
  }
}

function handshakeError({ name }: Subject, reaction: Reaction): CoxswainError {
  const code = HANDSHAKE_CODES[reaction.kind];
  return new CoxswainError(
    code,
    `${name} cannot be probed, because it does not answer initialize: ${describe(reaction)}.`,
  );
}

const HANDSHAKE_CODES = {
  success: 'PROTOCOL_ERROR',
  silent: 'HANDSHAKE_TIMEOUT',
  refused: 'HANDSHAKE_REFUSED',
  ended: 'HANDSHAKE_ENDED',
} as const;

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
    if (stage !== undefined && (stage.ended !== undefined || group.apart === true)) {
      await stage.close();
      stage = undefined;
    }
    const outcome = await runProbe(probe, group, { ...run, stage, onStage: (opened) => (stage = opened) });
    for (const id of probe.cites) run.note(id, outcome.findings[id] ?? fail('the probe did not judge it'));
    if (outcome.keep) continue;
    await stage?.close();
    stage = undefined;
  }
  await stage?.close();
}

interface ProbeOutcome {
  readonly findings: Readonly<Record<string, Finding>>;
  /** Whether the CLI is usable for the next probe. */
  readonly keep: boolean;
}

interface ProbeRun extends GroupRun {
  readonly stage: Stage | undefined;
  readonly onStage: (stage: Stage) => void;
}

async function runProbe({ cites, run }: Probe, group: ProbeGroup, context: ProbeRun): Promise<ProbeOutcome> {
  try {
    const stage = context.stage ?? (await openStage(group, context));
    stage.resetAnswers();
    return { findings: await run(stage), keep: true };
  } catch (error) {
    const finding = fail(errorText(error));
    return { findings: Object.fromEntries(cites.map((id) => [id, finding])), keep: false };
  }
}

async function openStage(group: ProbeGroup, { subject, record, signal, onStage }: ProbeRun): Promise<Stage> {
  const place = group.shared === true ? await subject.makePlace() : undefined;
  const start = { ...group.start, ...(place === undefined ? {} : { place }) };
  const stage = await Stage.open({ subject, start, record, signal });
  onStage(stage);
  if (group.initialize === false) return stage;
  const answer = await stage.request('initialize', group.initialize ?? {}, subject.patience.startMs);
  if (answer.kind === 'success') return stage;
  throw new Error(`the handshake failed: ${describe(answer)}`);
}
