import type { Clock } from '../../../wire/util/clock.js';
import type { Commander } from '../../console/commands/command.js';
import type { Retention } from '../../manager/manager-options.js';
import type { FleetCommands } from './fleet-commands.js';
import type { FleetSession } from './fleet-session.js';
import type { FleetSessions } from './fleet-sessions.js';

/** The dependencies of {@link keepRetention}. */
export interface RetentionParts {
  readonly clock: Clock;
  readonly now: () => number;
  readonly sessions: Pick<FleetSessions, 'all' | 'known'>;
  readonly commands: Pick<FleetCommands, 'askOwner'>;
  readonly retention: Retention;
}

/** The maximum check interval. */
const SWEEP_MS = 60 * 60_000;
/** How many conversations to delete at once: a worker lists the objects of the fleet once for several. */
const AT_ONCE = 32;

const BY: Commander = {
  client: 'retention',
  name: 'Retention',
  kind: 'program',
  role: 'owner',
  key: 'retention',
};

/**
 * Deletes the conversations of a fleet that retention does not keep, now and periodically. Those with a CLI stay. Several
 * gateways may do this: each conversation is deleted once. The returned function ends it.
 */
export function keepRetention(parts: RetentionParts): () => void {
  const { clock, retention } = parts;
  const end = new AbortController();
  let callOff = () => {};
  const again = () => {
    if (end.signal.aborted) return;
    const pause = Math.max(1_000, Math.min(retention.maxAgeMs ?? SWEEP_MS, SWEEP_MS));
    callOff = clock.after(pause, sweepAgain);
  };
  const sweepAgain = () => void sweep(parts, end.signal).finally(again);
  sweepAgain();
  return () => {
    end.abort();
    callOff();
  };
}

async function sweep(
  { sessions, now, commands, retention }: RetentionParts,
  signal: AbortSignal,
): Promise<void> {
  const old = tooOld(sessions.all, retention, now()).values();
  const removeSome = async () => {
    for (const session of old) {
      if (signal.aborted) return;
      // Another gateway may have deleted it.
      if (sessions.known(session.id) === undefined) continue;
      // A conversation that cannot be deleted now is tried again the next time.
      await remove(session, commands, signal).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, removeSome));
}

async function remove(
  { id, summary }: FleetSession,
  commands: RetentionParts['commands'],
  signal: AbortSignal,
): Promise<void> {
  const asked = { by: BY, signal };
  // The same ids at every gateway.
  const name = `retention-${id}-${summary.changedAt}`;
  if (summary.state === 'parked')
    await commands.askOwner(id, { id: `${name}-close`, name: 'close', params: {} }, asked);
  await commands.askOwner(id, { id: name, name: 'remove', params: {} }, asked);
}

/** Conversations without a CLI that are too old, or the oldest above the count. */
function tooOld(
  all: readonly FleetSession[],
  { maxAgeMs = Number.POSITIVE_INFINITY, maxCount = Number.POSITIVE_INFINITY }: Retention,
  now: number,
): readonly FleetSession[] {
  const isUnused = ({ summary: { state, queued, prompts, schedule } }: FleetSession) =>
    (state === 'ended' || state === 'parked') &&
    queued.length === 0 &&
    prompts.length === 0 &&
    schedule === undefined;
  const oldest = all.filter(isUnused).sort((one, other) => one.summary.changedAt - other.summary.changedAt);
  const tooMany = Math.max(0, all.length - maxCount);
  return oldest.filter(({ summary }, index) => index < tooMany || now - summary.changedAt > maxAgeMs);
}
