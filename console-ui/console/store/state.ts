import type {
  ServerHello,
  ServerMessage,
  SessionEvent,
  SessionSummary,
} from '../../../src/entry/remote/contract.js';
import { cutView, foldEvents, NO_VIEW, type SessionView } from '../model/view.js';

/** How the page stands with its server. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'locked';

/** All that the page knows. */
export interface ConsoleState {
  readonly link: LinkState;
  readonly hello: ServerHello | undefined;
  /** Whether the list of sessions has come. */
  readonly listed: boolean;
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  readonly views: ReadonlyMap<string, SessionView>;
}

/** What the page knows before its server has said anything. */
export const NOTHING_YET: ConsoleState = {
  link: 'connecting',
  hello: undefined,
  listed: false,
  sessions: new Map(),
  views: new Map(),
};

/** How many sessions are kept with their conversations; the others are asked for again when they are opened. */
const VIEWS = 6;

/** Takes in what the server sent, in order. Events of one session in a row are folded at once. */
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
    next = setView(next, message.session, (view) => foldEvents(view, run));
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
      };
    case 'attached':
      return message.reset ? setView(state, message.session, () => cutView(message.from)) : state;
    default:
      return state;
  }
}

/** Changes what is known of an attached session; the one looked at last is kept longest. */
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
