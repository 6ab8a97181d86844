import type {
  Attached,
  ServerHello,
  ServerMessage,
  SessionEvent,
  SessionSummary,
} from '../../../src/entry/remote/contract.js';
import { foldEvents, NO_VIEW, type SessionView, viewFrom } from '../model/view.js';

/** The state of the connection to the server. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'locked';

/** The page's whole state. */
export interface ConsoleState {
  readonly link: LinkState;
  readonly hello: ServerHello | undefined;
  /** Whether the list of sessions has arrived. */
  readonly listed: boolean;
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  readonly views: ReadonlyMap<string, SessionView>;
  /** Sessions whose earlier events are being fetched: each replaces its view once it has caught up. */
  readonly fetching: ReadonlyMap<string, Fetching>;
}

/** A view that starts earlier, and the number at which it is complete. */
export interface Fetching {
  readonly view: SessionView;
  readonly until: number;
}

/** The state before the server has sent anything. */
export const NOTHING_YET: ConsoleState = {
  link: 'connecting',
  hello: undefined,
  listed: false,
  sessions: new Map(),
  views: new Map(),
  fetching: new Map(),
};

/** How many sessions are kept with their conversations; others are fetched again when they are opened. */
const VIEWS = 6;

/** Processes server messages in order. Consecutive events of one session are folded together. */
export function receive(state: ConsoleState, messages: readonly ServerMessage[]): ConsoleState {
  let next = state;
  for (let at = 0; at < messages.length; ) {
    const message = messages[at];
    if (message === undefined) break;
    if (message.type !== 'event') {
      next = receiveOne(next, message);
      at += 1;
      continue;
    }
    const run = eventsFrom(messages, at, message.session);
    next = receiveEvents(next, message.session, run);
    at += run.length;
  }
  return next;
}

function eventsFrom(messages: readonly ServerMessage[], start: number, session: string): SessionEvent[] {
  const run: SessionEvent[] = [];
  for (const message of messages.slice(start)) {
    if (message.type !== 'event' || message.session !== session) break;
    run.push(message);
  }
  return run;
}

function receiveEvents(state: ConsoleState, session: string, events: SessionEvent[]): ConsoleState {
  const fetched = state.fetching.get(session);
  if (fetched === undefined) return setView(state, session, (view) => foldEvents(view, events));
  const { until } = fetched;
  const view = foldEvents(fetched.view, events);
  if (view.last < until) return { ...state, fetching: new Map(state.fetching).set(session, { view, until }) };
  return setView({ ...state, fetching: without(state.fetching, session) }, session, () => view);
}

function receiveOne(state: ConsoleState, message: Exclude<ServerMessage, SessionEvent>): ConsoleState {
  switch (message.type) {
    case 'hello':
      return { ...state, hello: message };
    case 'sessions':
      return {
        ...state,
        listed: true,
        sessions: new Map(message.sessions.map((session) => [session.id, session])),
      };
    case 'session':
      return { ...state, sessions: new Map(state.sessions).set(message.session.id, message.session) };
    case 'session-removed':
      return {
        ...state,
        sessions: without(state.sessions, message.session),
        views: without(state.views, message.session),
        fetching: without(state.fetching, message.session),
      };
    case 'attached':
      return attached(state, message);
    default:
      return state;
  }
}

function attached(state: ConsoleState, message: Attached): ConsoleState {
  const { session, from, first, last, reset, series } = message;
  const known = state.views.get(session)?.last ?? 0;
  const begun = { ...viewFrom(from, first), series };
  const idle = { ...state, fetching: without(state.fetching, session) };
  if (reset || known === 0) return setView(idle, session, () => begun);
  if (from > known) return setView(idle, session, (view) => ({ ...view, series }));
  // Fetching continues after numbers that were never assigned.
  const fetched = state.fetching.get(session);
  if (fetched !== undefined && from > fetched.view.last) {
    const view = { ...fetched.view, series };
    return { ...state, fetching: new Map(state.fetching).set(session, { ...fetched, view }) };
  }
  return { ...state, fetching: new Map(state.fetching).set(session, { view: begun, until: last }) };
}

/** Changes the state of an attached session; the most recently viewed one is kept longest. */
export function setView(
  state: ConsoleState,
  session: string,
  edit: (view: SessionView) => SessionView,
): ConsoleState {
  const views = without(state.views, session);
  views.set(session, edit(state.views.get(session) ?? NO_VIEW));
  const [oldest] = views.keys();
  if (views.size > VIEWS && oldest !== undefined) views.delete(oldest);
  return { ...state, views };
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): Map<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
