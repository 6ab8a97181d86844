import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { PlacedEntry } from './source.js';

/** What is kept of an entry to find the path through a conversation; its content stays on disk. */
export interface Step {
  readonly uuid: string;
  parent: string | undefined;
  readonly type: string;
  readonly at: number;
  readonly bytes: number;
  /** For an assistant entry: one answer of the model is written as several. */
  readonly messageId: string | undefined;
  readonly isToolResult: boolean;
  /** Not part of the conversation: notes for the model, and messages of other agents in a team. */
  readonly isHidden: boolean;
  readonly isSidechain: boolean;
  /** For the boundary of a compaction: the messages it kept. */
  readonly compactMetadata: WireObject | undefined;
}

/** Collects the steps of a transcript; for equal uuids, the last one counts. */
export async function stepsOf(entries: AsyncIterable<PlacedEntry>): Promise<Map<string, Step>> {
  const steps = new Map<string, Step>();
  for await (const { entry, at, bytes } of entries) {
    const step = stepOf(entry, at, bytes);
    if (step !== undefined) steps.set(step.uuid, step);
  }
  return steps;
}

/** What is kept of an entry; undefined for one that is not part of a conversation. */
export function stepOf(entry: WireObject, at: number, bytes: number): Step | undefined {
  const { uuid, type, parentUuid, message } = entry;
  // Titles in a store have a uuid too, but no place in the conversation.
  if (typeof uuid !== 'string' || typeof type !== 'string' || parentUuid === undefined) return undefined;
  const { id, content } = isObject(message) ? message : NOTHING;
  return {
    uuid,
    type,
    at,
    bytes,
    parent: typeof parentUuid === 'string' ? parentUuid : undefined,
    messageId: type === 'assistant' && typeof id === 'string' ? id : undefined,
    isToolResult: type === 'user' && Array.isArray(content) && content.some(isToolResult),
    isHidden: entry.isMeta === true || typeof entry.teamName === 'string',
    isSidechain: entry.isSidechain === true,
    compactMetadata: isObject(entry.compactMetadata) ? entry.compactMetadata : undefined,
  };
}

const NOTHING: WireObject = {};

function isToolResult(block: unknown): boolean {
  return isObject(block) && block.type === 'tool_result';
}

/**
 * The path from the first message to the last one written. After a rewind, the later
 * branch counts; tools that ran in parallel are all on it.
 */
export function wayThrough(steps: ReadonlyMap<string, Step>): readonly Step[] {
  relink(steps);
  const leaf = lastLeaf(steps);
  const way = leaf === undefined ? [] : wayTo(leaf, steps);
  return withParallels(way, steps);
}

function lastLeaf(steps: ReadonlyMap<string, Step>): Step | undefined {
  const parents = new Set<string>();
  for (const { parent, type } of steps.values()) {
    // Progress entries are attached to a tool call, next to the conversation and not in it.
    if (parent !== undefined && type !== 'progress') parents.add(parent);
  }
  let leaf: Step | undefined;
  for (const step of steps.values()) if (!parents.has(step.uuid) && step.type !== 'progress') leaf = step;
  return leaf;
}

function wayTo(leaf: Step, steps: ReadonlyMap<string, Step>): readonly Step[] {
  const seen = new Set<Step>();
  let step: Step | undefined = leaf;
  while (step !== undefined && !seen.has(step)) {
    seen.add(step);
    step = step.parent === undefined ? undefined : steps.get(step.parent);
  }
  const way = [...seen];
  // What the CLI writes after the last message is not part of the conversation yet.
  return way.slice(Math.max(0, way.findIndex(isSpoken))).reverse();
}

function isSpoken({ type }: Step): boolean {
  return type === 'user' || type === 'assistant';
}

/** Puts calls and results that are off the path after the answer they belong to. */
function withParallels(way: readonly Step[], steps: ReadonlyMap<string, Step>): readonly Step[] {
  const onWay = new Set(way);
  const all = [...steps.values()];
  const answers = grouped(all, ({ messageId }) => messageId);
  const results = grouped(all, (step) => (step.isToolResult && !onWay.has(step) ? step.parent : undefined));
  const lastOf = new Map(way.map((step) => [step.messageId, step]));
  return way.flatMap((step) => {
    if (step.messageId === undefined || lastOf.get(step.messageId) !== step) return [step];
    const pieces = answers.get(step.messageId) ?? [];
    const beside = pieces.filter((each) => !onWay.has(each));
    return [step, ...beside, ...pieces.flatMap(({ uuid }) => results.get(uuid) ?? [])];
  });
}

function grouped(steps: readonly Step[], keyOf: (step: Step) => string | undefined): Map<string, Step[]> {
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    const key = keyOf(step);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [step]);
    else group.push(step);
  }
  return groups;
}

/** The messages that a compaction kept, in order, and the entry they follow. */
interface Kept {
  readonly anchor: string;
  readonly uuids: readonly string[];
}

/** Puts the messages that compactions kept in reading order: after the summary, before what followed. */
function relink(steps: ReadonlyMap<string, Step>): void {
  for (const step of [...steps.values()]) {
    const kept = step.compactMetadata === undefined ? undefined : keptBy(step.compactMetadata, steps);
    if (kept !== undefined) splice(kept, steps);
  }
}

function keptBy(metadata: WireObject, steps: ReadonlyMap<string, Step>): Kept | undefined {
  const { preservedMessages, preservedSegment } = metadata;
  const kept = isObject(preservedMessages) ? listed(preservedMessages) : undefined;
  const found = kept ?? (isObject(preservedSegment) ? walked(preservedSegment, steps) : undefined);
  const all = found === undefined ? [] : [found.anchor, ...found.uuids];
  return all.length > 1 && all.every((uuid) => steps.has(uuid)) ? found : undefined;
}

function listed({ anchorUuid, uuids }: WireObject): Kept | undefined {
  if (typeof anchorUuid !== 'string' || !Array.isArray(uuids)) return undefined;
  return { anchor: anchorUuid, uuids: uuids.filter((uuid) => typeof uuid === 'string') };
}

/** From the last message back to the first; undefined if they are not connected. */
function walked(
  { headUuid, tailUuid, anchorUuid }: WireObject,
  steps: ReadonlyMap<string, Step>,
): Kept | undefined {
  if (typeof headUuid !== 'string' || typeof tailUuid !== 'string' || typeof anchorUuid !== 'string') {
    return undefined;
  }
  const uuids = new Set<string>();
  let uuid: string | undefined = tailUuid;
  while (uuid !== undefined && uuid !== headUuid && !uuids.has(uuid)) {
    uuids.add(uuid);
    uuid = steps.get(uuid)?.parent;
  }
  return uuid === headUuid ? { anchor: anchorUuid, uuids: [...uuids, headUuid].reverse() } : undefined;
}

function splice({ anchor, uuids }: Kept, steps: ReadonlyMap<string, Step>): void {
  const kept = new Set(uuids);
  const last = uuids.at(-1);
  for (const step of steps.values()) {
    if (step.parent === anchor && !kept.has(step.uuid)) step.parent = last;
  }
  uuids.forEach((uuid, index) => {
    const step = steps.get(uuid);
    if (step !== undefined) step.parent = index === 0 ? anchor : uuids[index - 1];
  });
}
