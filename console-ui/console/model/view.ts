import type { LogEvent, PromptView, SessionEvent } from '../../../src/entry/remote/contract.js';
import { applyToPrompts } from '../../../src/server/conversation/view.js';
import { readBlocks } from './blocks.js';
import { type Conversation, endCli, foldLine, NO_CONVERSATION } from './conversation.js';
import { change, changeTool, type Draft, draftOf, find, keepLast, put } from './draft.js';
import type { NoteItem } from './items.js';

/** What a client knows about an attached session, folded from the session's events. */
export interface SessionView {
  /** The number of the last event in it. */
  readonly last: number;
  /** The last one that is not a part of a message, and its series, if the server names it. */
  readonly kept?: { readonly kept: number; readonly series: string } | undefined;
  /** The series of the events that follow. */
  readonly series?: string | undefined;
  /** Whether earlier events are missing here: they can be fetched, or are gone. */
  readonly cutOff: CutOff;
  readonly conversation: Conversation;
  /** The last wire entries, for the inspector. */
  readonly wire: readonly WireRecord[];
  /** Open prompts, oldest first. */
  readonly prompts: readonly PromptView[];
  /** How often a CLI was started. */
  readonly starts: number;
}

/** What happened to the events before the first one shown. */
export type CutOff = 'no' | 'more' | 'gone';

/** A wire entry with its event number. */
export interface WireRecord {
  readonly n: number;
  readonly at: number;
  readonly event: LogEvent;
}

/** How many wire entries are kept for the inspector. */
const WIRE_ENTRIES = 5_000;

/** How many rows of a conversation are kept in the page; beyond that, the older half is dropped. */
const ROWS = 20_000;

/** A session without any events yet. */
export const NO_VIEW: SessionView = {
  last: 0,
  cutOff: 'no',
  conversation: NO_CONVERSATION,
  wire: [],
  prompts: [],
  starts: 0,
};

/** A session whose events follow from a number on; `first` is the first one that the server still has. */
export function viewFrom(from: number, first: number): SessionView {
  if (from <= 1) return { ...NO_VIEW };
  const conversation = { ...NO_CONVERSATION, cutOff: true };
  return { ...NO_VIEW, last: from - 1, cutOff: first < from ? 'more' : 'gone', conversation };
}

/** Folds events into a session's view; skips duplicates. */
export function foldEvents(view: SessionView, events: readonly SessionEvent[]): SessionView {
  const fresh = events.filter(({ n }) => n > view.last);
  const last = fresh.at(-1)?.n;
  if (last === undefined) return view;
  const kept = fresh.findLast(({ event }) => !isPart(event))?.n;
  const work: Work = {
    draft: draftOf(view.conversation),
    wire: [...view.wire],
    prompts: view.prompts,
    starts: view.starts,
  };
  for (const { n, at, event } of fresh) foldEvent(work, event, { n, at });
  const { draft, wire, prompts, starts } = work;
  const isLong = draft.items.length > ROWS;
  if (isLong) keepLast(draft, ROWS / 2);
  return {
    ...view,
    last,
    ...(kept === undefined || view.series === undefined ? {} : { kept: { kept, series: view.series } }),
    cutOff: isLong ? 'gone' : view.cutOff,
    conversation: draft,
    wire: wire.slice(-WIRE_ENTRIES),
    prompts,
    starts,
  };
}

function isPart(event: LogEvent): boolean {
  return event.kind === 'line' && event.frame?.type === 'stream_event';
}

interface Work {
  readonly draft: Draft;
  readonly wire: WireRecord[];
  prompts: readonly PromptView[];
  starts: number;
}

interface Stamp {
  readonly n: number;
  readonly at: number;
}

function foldEvent(work: Work, event: LogEvent, stamp: Stamp): void {
  if (isOfWire(event)) work.wire.push({ ...stamp, event });
  switch (event.kind) {
    case 'line':
      foldWire(work, event, stamp);
      break;
    case 'header':
      foldStart(work, stamp);
      break;
    case 'end':
      foldEnd(work, event, stamp);
      break;
    case 'prompt':
      foldPrompt(work, event);
      break;
    case 'prompt-settled':
      foldSettled(work, event);
      break;
    case 'note':
      addNote(work, { level: event.level, text: event.text }, stamp);
      break;
    case 'queued':
      foldQueued(work, event, stamp);
      break;
    case 'unqueued':
      foldUnqueued(work, event);
      break;
    default:
  }
}

const OF_WIRE: ReadonlySet<string> = new Set([
  'line',
  'header',
  'facts',
  'eof',
  'signal',
  'gap',
  'full',
  'end',
]);

/** Messages read from disk were never on this wire. */
function isOfWire(event: LogEvent): boolean {
  return OF_WIRE.has(event.kind) && !(event.kind === 'line' && event.earlier === true);
}

type Of<Kind extends LogEvent['kind']> = Extract<LogEvent, { kind: Kind }>;

function foldWire(work: Work, { from, frame, text, earlier }: Of<'line'>, stamp: Stamp): void {
  if (earlier === true) work.draft.cutOff = true;
  const line = { ...stamp, from, frame: frame ?? { type: 'noise', text: text ?? '' } };
  foldLine(work.draft, line);
}

function foldStart(work: Work, stamp: Stamp): void {
  work.starts += 1;
  if (work.starts > 1) addNote(work, { level: 'info', text: 'The session was resumed.' }, stamp);
}

function foldEnd(work: Work, { end }: Of<'end'>, stamp: Stamp): void {
  endCli(work.draft, stamp);
  if (end.reason === 'closed' || (end.reason === 'exited' && end.code === 0)) {
    addNote(work, { level: 'info', text: 'The session was closed.' }, stamp);
    return;
  }
  const how = end.error ?? `The CLI ended${endWords(end)}.`;
  addNote(work, { level: 'error', text: [how, end.stderrTail].filter(Boolean).join('\n') }, stamp);
}

function endWords({ code = null, signal = null }: Of<'end'>['end']): string {
  if (signal !== null) return ` by ${signal}`;
  return code === null ? '' : ` with code ${code}`;
}

function foldPrompt(work: Work, event: Of<'prompt'>): void {
  const { prompt } = event;
  work.prompts = applyToPrompts(work.prompts, event);
  if (prompt.toolUseId !== undefined)
    changeTool(work.draft, prompt.toolUseId, (tool) => ({ ...tool, asking: prompt.id }));
}

function foldSettled(work: Work, event: Of<'prompt-settled'>): void {
  const { how, by, answer } = event;
  const toolUseId = work.prompts.find(({ id }) => id === event.prompt)?.toolUseId;
  work.prompts = applyToPrompts(work.prompts, event);
  if (toolUseId === undefined) return;
  const decision = { how, by, answer };
  changeTool(work.draft, toolUseId, (tool) => ({ ...tool, asking: undefined, decision }));
}

/** Messages that the host holds back are not on any wire yet. */
function foldQueued({ draft }: Work, { uuid, content }: Of<'queued'>, { at }: Stamp): void {
  if (find(draft, undefined, uuid) !== undefined) {
    // The previous server had it; this one sends it.
    change(draft, undefined, uuid, (item) =>
      item.kind === 'user' && item.state === 'dropped' ? { ...item, state: 'queued' } : item,
    );
    return;
  }
  put(draft, undefined, { kind: 'user', id: uuid, at, blocks: readBlocks(content), state: 'queued' });
}

/** Newer CLIs have their own queue: a message that is already on the wire can still be cancelled. */
function foldUnqueued({ draft }: Work, { uuid }: Of<'unqueued'>): void {
  if (draft.begun.has(uuid)) return;
  change(draft, undefined, uuid, (item) => (item.kind === 'user' ? { ...item, state: 'dropped' } : item));
}

function addNote({ draft }: Work, note: Pick<NoteItem, 'level' | 'text'>, { n, at }: Stamp): void {
  put(draft, undefined, { kind: 'note', id: `note-${n}`, at, ...note });
}
