import type { WireObject } from '../../../src/wire/protocol/frames.js';
import type { ItemChange } from '../../../src/wire/protocol/reading/items.js';
import type { MessageFold } from '../../../src/wire/protocol/reading/message-fold.js';
import type { TurnCost } from '../../shared/model/totals.js';
import { text } from './blocks.js';
import { addNote, showChange } from './changes.js';
import { change, type Draft, draftOf, moveToEnd } from './draft.js';
import type { Item, Task, WireLine } from './items.js';

/** A conversation as it is shown: the items of the wire's fold as rows. */
export interface Conversation {
  /** The fold, once there was a line. */
  readonly fold?: MessageFold | undefined;
  readonly items: readonly Item[];
  readonly places: ReadonlyMap<string, number>;
  readonly parents: ReadonlyMap<string, string>;
  readonly tasks: ReadonlyMap<string, Task>;
  /** What each turn cost. */
  readonly turns: readonly TurnCost[];
  readonly begun: ReadonlySet<string>;
  /** Whether it starts in the middle. */
  readonly cutOff: boolean;
  /** What the CLI is doing besides answering, such as compacting. */
  readonly activity: string | undefined;
  readonly todosAt: string | undefined;
}

/** An empty conversation. */
export const NO_CONVERSATION: Conversation = {
  items: [],
  places: new Map(),
  parents: new Map(),
  tasks: new Map(),
  turns: [],
  begun: new Set(),
  cutOff: false,
  activity: undefined,
  todosAt: undefined,
};

/** Folds lines into a conversation. Unchanged items keep their identity. */
export function foldLines(conversation: Conversation, lines: readonly WireLine[]): Conversation {
  if (lines.length === 0) return conversation;
  const draft = draftOf(conversation);
  for (const line of lines) foldLine(draft, line);
  return draft;
}

/** Folds one line into a draft. Control traffic and unknown types are for the inspector. */
export function foldLine(draft: Draft, line: WireLine): void {
  const { frame, from } = line;
  if (from === 'host' && frame.type !== 'user') return;
  if (from === 'cli') noteBegun(draft, frame.user_message_uuid);
  if (frame.type === 'command_lifecycle' && frame.state === 'started') noteBegun(draft, frame.command_uuid);
  noteActivity(draft, frame);
  show(draft, draft.fold.take(frame), line);
  if (frame.subtype === 'session_writes_lost')
    addNote(draft, line, { id: `lost-${line.n}`, level: 'error', text: LOST });
}

const LOST = 'The disk was full: parts of the transcript are lost.';

/** The CLI is gone, and so is everything it was doing; waiting messages were never sent. */
export function endCli(draft: Draft, stamp: Pick<WireLine, 'n' | 'at'>): void {
  show(draft, draft.fold.end(), { ...stamp, from: 'cli', frame: {} });
  draft.activity = undefined;
  for (const { kind, id } of draft.items)
    if (kind === 'user')
      change(draft, undefined, id, (item) =>
        item.kind === 'user' && item.state === 'queued' ? { ...item, state: 'dropped' } : item,
      );
}

function show(draft: Draft, changes: readonly ItemChange[], line: WireLine): void {
  for (const { item } of changes) showChange(draft, item, line);
}

/** A queued message belongs before its answer, not where it was sent. */
function noteBegun(draft: Draft, uuid: unknown): void {
  if (typeof uuid !== 'string' || draft.begun.has(uuid)) return;
  draft.begun.add(uuid);
  moveToEnd(draft, uuid);
}

const SPEECH: ReadonlySet<unknown> = new Set(['assistant', 'stream_event']);

/** The CLI does not always report that the model is answering; its output shows it. */
function noteActivity(draft: Draft, frame: WireObject): void {
  if (draft.activity === 'requesting' && SPEECH.has(frame.type)) draft.activity = undefined;
  if (frame.type !== 'system') return;
  if (frame.subtype === 'status') draft.activity = text(frame.status);
  if (frame.subtype === 'init') draft.activity = undefined;
}
