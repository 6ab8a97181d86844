import type {
  ConsoleState,
  PromptView,
  QueuedEvent,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';

/** What happened to the server that used this state folder before. */
export const RESTARTED = 'The console server was stopped while this session was open.';

/** Records what does not survive a stopped server: its CLI, and open items that are not kept. Stored messages wait again. */
export function noteInterruption(
  log: EventLog,
  tail: readonly LogEntry[],
  { prompts, queued }: SessionSummary,
  {
    kept,
    state,
    why,
  }: { readonly kept: readonly string[]; readonly state: ConsoleState; readonly why: string },
): void {
  const isOver = (id: string) => !kept.includes(id);
  for (const prompt of [...openPrompts(tail, prompts)].filter(isOver))
    log.add({ kind: 'prompt-settled', prompt, how: 'expired' });
  for (const uuid of queued.filter(isOver)) log.add({ kind: 'unqueued', uuid });
  log.add({ kind: 'end', t: 0, end: { reason: 'failed', error: why } });
  for (const event of takenMessages(tail, kept)) log.add(event);
  log.add({ kind: 'state', state });
}

/** The messages among these, as they were accepted. */
function takenMessages(tail: readonly LogEntry[], kept: readonly string[]): readonly QueuedEvent[] {
  const events = tail.filter(({ rest }) => rest.startsWith('"kind":"queued"')).map(eventOf);
  return (events as QueuedEvent[]).filter(({ uuid }) => kept.includes(uuid));
}

/** The summary may be slightly older than the last events. */
function openPrompts(tail: readonly LogEntry[], known: readonly PromptView[]): ReadonlySet<string> {
  const open = new Set(known.map(({ id }) => id));
  for (const entry of tail) {
    if (!entry.rest.startsWith('"kind":"prompt')) continue;
    const event = eventOf(entry);
    if (!isObject(event)) continue;
    if (event.kind === 'prompt' && isObject(event.prompt)) open.add(String(event.prompt.id));
    if (event.kind === 'prompt-settled') open.delete(String(event.prompt));
  }
  return open;
}

/** The summary of a session that a stopped server left; a parked one stays parked. */
export function endedSummary(summary: SessionSummary, why: string): SessionSummary {
  const closed = { prompts: [], queued: [], viewers: 0 };
  if (summary.state === 'ended' || summary.state === 'parked') return { ...summary, ...closed };
  return { ...summary, ...closed, state: 'ended', error: why };
}
