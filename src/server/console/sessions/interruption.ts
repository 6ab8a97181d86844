import type { ConsoleState, PromptView, SessionSummary } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';
import { type LoggedMessages, loggedMessages } from './logged-messages.js';

/** What happened to the server that used this state folder before. */
export const RESTARTED = 'The console server was stopped while this session was open.';

/** Records what does not survive a stopped server: its CLI, and open items that are not kept. Stored messages wait again. */
export function noteInterruption(
  log: EventLog,
  tail: readonly LogEntry[],
  { prompts, queued }: SessionSummary,
  { kept, state, why, messages = loggedMessages(tail) }: Interruption,
): void {
  const isOver = (id: string) => !kept.includes(id);
  for (const prompt of [...openPrompts(tail, prompts)].filter(isOver))
    log.add({ kind: 'prompt-settled', prompt, how: 'expired' });
  for (const uuid of queued.filter(isOver)) log.add({ kind: 'unqueued', uuid });
  log.add({ kind: 'end', t: 0, end: { reason: 'failed', error: why } });
  const outcome = { kind: 'cli-ended', error: why };
  for (const event of messages.unsettled)
    log.add(isOver(event.uuid) ? { kind: 'settled', uuid: event.uuid, outcome } : event);
  log.add({ kind: 'state', state });
}

/** What is left of a session whose server was stopped. */
interface Interruption {
  /** The ids of prompts and messages that wait for the next CLI. */
  readonly kept: readonly string[];
  readonly state: ConsoleState;
  /** What happened to the server. */
  readonly why: string;
  /** What its log says about messages. Default: what the end of it says. */
  readonly messages?: LoggedMessages | undefined;
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
