/**
 * What passes between a console server and its clients, web pages and programs alike: one WebSocket at
 * `/api/socket`, every message a JSON text. Only types are here.
 *
 * A page first exchanges the token of its address for a secret of its own (`POST /api/login`, see {@link LoginRequest})
 * and names that among the protocols of the socket ({@link KEY_PROTOCOL}); a program sends `Authorization: Bearer <token>`
 * with the upgrade. `GET /api/me` says whether a client is logged in (200 or 401), since a browser is not told why a
 * socket was refused.
 */
import type { CommandName, CommandParams } from './contract/commands.js';
import type { CommandError } from './contract/errors.js';
import type { LogEvent } from './contract/events.js';
import type { SessionSummary } from './contract/sessions.js';

export type * from './contract/commands.js';
export type * from './contract/errors.js';
export type * from './contract/events.js';
export type * from './contract/files.js';
export type * from './contract/history.js';
export type * from './contract/prompts.js';
export type * from './contract/sessions.js';
export type * from './contract/webhooks.js';

/** What a key lets its holder do: all, talk and answer, or look. */
export type Role = 'owner' | 'operator' | 'watcher';

/** Whether something is the name of a role. */
export function isRole(value: unknown): value is Role {
  return value === 'owner' || value === 'operator' || value === 'watcher';
}

/** The body of `POST /api/login`; answered by 200 with a {@link LoginAnswer}, or by 401. */
export interface LoginRequest {
  /** The token that was printed. */
  readonly token: string;
}

/** What a page keeps in its own storage, which no other site and no other port can read. */
export interface LoginAnswer {
  /** The secret of this browser from now on. */
  readonly secret: string;
}

/** The WebSocket subprotocol of a page. */
export const SOCKET_PROTOCOL = 'coxswain';
/** The prefix of a second subprotocol, which carries the page's secret. */
export const KEY_PROTOCOL = 'coxswain.key.';

// From a client to the server

/** What a client sends. */
export type ClientMessage = ClientHello | Attach | Detach | CommandMessage | CancelCommand;

/** Who the client is; sent first, may be left out. */
export interface ClientHello {
  /** `hello`. */
  readonly type: 'hello';
  /** Chosen by the client and kept over its reconnects: a tab's own id. */
  readonly client: string;
  /** Shown to others: "Firefox on phone". */
  readonly name: string;
}

/** Asks for the events of a session that come after a number: 0 for all of them, -1 for only what is new. */
export interface Attach {
  /** `attach`. */
  readonly type: 'attach';
  /** The session to attach to. */
  readonly session: string;
  /** The number of the last event that the client knows; -1 for none. */
  readonly after: number;
  /** With `after: 0`: only the latest events, about this many characters of them. `attached` says where they begin. */
  readonly tail?: number | undefined;
  /** Whether pieces of messages that are still being written come too. Default: yes. */
  readonly partial?: boolean | undefined;
}

/** Asks for no more events of a session. */
export interface Detach {
  /** `detach`. */
  readonly type: 'detach';
  /** The session to leave. */
  readonly session: string;
}

/**
 * Asks for something to be done. `id` is the client's own and unique (a random UUID): a command that is sent again
 * with the same id after a reconnect takes effect once, and gets the same answer. For `send` it becomes the `uuid`
 * of the user message.
 */
export type CommandMessage = {
  readonly [Name in CommandName]: {
    readonly type: 'command';
    readonly id: string;
    readonly name: Name;
    /** The session that it is about; commands of {@link ServerCommands} have none. */
    readonly session?: string | undefined;
    readonly params: CommandParams<Name>;
  };
}[CommandName];

/** Gives up waiting for a command; what it did already stays done. */
export interface CancelCommand {
  /** `cancel`. */
  readonly type: 'cancel';
  /** The command to call off. */
  readonly id: string;
}

// From the server to a client

/** What the server sends. */
export type ServerMessage =
  | ServerHello
  | SessionList
  | SessionChanged
  | SessionRemoved
  | SessionEvent
  | Attached
  | Done;

/** The first message of every connection. */
export interface ServerHello {
  /** `hello`. */
  readonly type: 'hello';
  /** The version of this contract. */
  readonly protocol: 1;
  /** The version of the package. */
  readonly version: string;
  /** Another one says that the server was started anew. */
  readonly server: string;
  /** The folders below which sessions may be opened. */
  readonly roots: readonly string[];
  /** What this client may do; all else is refused with `ROLE_REFUSED`. */
  readonly role: Role;
  /** The name of the key that it came with. */
  readonly key: string;
  /** Whether `bypassPermissions` may be used; show it in red. */
  readonly allowBypass: boolean;
  /** Whether the CLIs are emulated. */
  readonly demo: boolean;
  /** What a person could say in the demo, in order. */
  readonly suggestions: readonly string[];
  /** Why sessions of earlier are not listed: files that cannot be read. */
  readonly problems: readonly string[];
}

/** All sessions of the server; the second message of every connection. */
export interface SessionList {
  /** `sessions`. */
  readonly type: 'sessions';
  /** All sessions. */
  readonly sessions: readonly SessionSummary[];
}

/** A session is new or has changed. */
export interface SessionChanged {
  /** `session`. */
  readonly type: 'session';
  /** The session as it is now. */
  readonly session: SessionSummary;
}

/** A session is not listed any more. */
export interface SessionRemoved {
  /** `session-removed`. */
  readonly type: 'session-removed';
  /** The id of the session. */
  readonly session: string;
}

/**
 * One event of an attached session. Numbers of a session go up by one, over restarts of the server too; where one was
 * killed they go on far behind, which `attached` says.
 */
export interface SessionEvent {
  /** `event`. */
  readonly type: 'event';
  /** Its session. */
  readonly session: string;
  /** Its number. */
  readonly n: number;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
  /** The event. */
  readonly event: LogEvent;
}

/**
 * Says where the events of a session go on: the next one is `from`. With `reset` the numbers before are gone (the
 * log is bounded), or another session log has taken their place: forget what was shown. Sent after every `attach`, and whenever
 * a client was so slow that what it missed is gone. Open prompts are in the summary, whatever is gone.
 */
export interface Attached {
  /** `attached`. */
  readonly type: 'attached';
  /** The session. */
  readonly session: string;
  /** The number of the first event that follows. */
  readonly from: number;
  /** Whether what the client knows is of no use any more. */
  readonly reset: boolean;
  /** The first number that is still there; before `from` where only the latest events were asked for. */
  readonly first: number;
  /** The last number there is. */
  readonly last: number;
}

/** What became of a command. */
export type Done =
  | { readonly type: 'done'; readonly id: string; readonly ok: true; readonly value: unknown }
  | { readonly type: 'done'; readonly id: string; readonly ok: false; readonly error: CommandError };

/** Why the server closed a socket. */
export const CLOSE_CODES = {
  /** The server is shutting down; try again later. */
  goingAway: 1001,
  /** A message was too big. */
  tooBig: 1009,
  /** A message could not be understood. */
  badMessage: 4400,
  /** The key was withdrawn, or has expired. */
  keyGone: 4401,
  /** Nothing was heard of the client for too long, or it took nothing; connect again with the last numbers. */
  tooSlow: 4408,
  /** Too many connections or commands at once. */
  tooMany: 4429,
} as const;
