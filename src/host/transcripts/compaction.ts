import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { Step } from './conversation-steps.js';

/** The messages that a compaction kept, in order, and the entry they follow. */
interface Kept {
  readonly anchor: string;
  readonly uuids: readonly string[];
}

/** Puts the messages that compactions kept in reading order: after the summary, before what followed. */
export function relink(steps: ReadonlyMap<string, Step>): void {
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
