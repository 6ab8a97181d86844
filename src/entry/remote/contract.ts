/**
 * The protocol between a console server and its clients, web pages and programs alike: one WebSocket at
 * `/api/socket`, every message a JSON text. This file contains only types.
 *
 * A page first exchanges the token in its address for its own secret (`POST /api/login`, see {@link LoginRequest})
 * and passes it among the protocols of the socket ({@link KEY_PROTOCOL}); a program sends `Authorization: Bearer <token>`
 * with the upgrade. `GET /api/me` says whether a client is logged in (200 or 401), because a browser does not learn why
 * a socket was refused.
 */
import type { CommandName, CommandParams } from './contract/commands.js';
import type { CommandError } from './contract/errors.js';
import type { LogEvent } from './contract/events.js';
import type { SessionSummary } from './contract/sessions.js';

export type * from './contract/commands.js';
export type * from './contract/devices.js';
export type * from './contract/errors.js';
export type * from './contract/events.js';
export type * from './contract/files.js';
export type * from './contract/git.js';
export type * from './contract/history.js';
export type * from './contract/opening.js';
export type * from './contract/prompts.js';
export type * from './contract/sessions.js';
export type * from './contract/webhooks.js';

/** What a key allows: everything, sending and answering, or read-only access. */
export type Role = 'owner' | 'operator' | 'watcher';

/** Whether a value is the name of a role. */
export function isRole(value: unknown): value is Role {
  return value === 'owner' || value === 'operator' || value === 'watcher';
}

/** The body of `POST /api/login`; answered by 200 with a {@link LoginAnswer}, or by 401. */
export interface LoginRequest {
  /** The token that was printed. */
  readonly token: string;
}

/** The answer to a login. The page keeps it in its own storage, which no other site or port can read. */
export interface LoginAnswer {
  /** The new secret of this browser. */
  readonly secret: string;
}

/** The body of `POST /api/join`, sent with the caller's key; answered by 200 with a {@link JoinAnswer}, or by 403. */
export interface JoinRequest {
  /** The role of the other device, at most that of the caller. */
  readonly role: Role;
}

/** How another device logs in. */
export interface JoinAnswer {
  /** A token that works for one browser, once. */
  readonly code: string;
  /** How long it is valid, as a duration: clocks of devices differ. */
  readonly goodForMs: number;
  /** The address under which others reach the server, as far as it knows. */
  readonly origin: string;
}

/** The WebSocket subprotocol of a page. */
export const SOCKET_PROTOCOL = 'coxswain';
/** The prefix of a second subprotocol, which carries the page's secret. */
export const KEY_PROTOCOL = 'coxswain.key.';

// From a client to the server

/** Messages from a client. */
export type ClientMessage = ClientHello | Attach | Detach | CommandMessage | CancelCommand;

/** Introduces the client; sent first, optional. */
export interface ClientHello {
  /** `hello`. */
  readonly type: 'hello';
  /** An id chosen by the client and kept across reconnects, such as the id of a tab. */
  readonly client: string;
  /** Shown to others: "Firefox on phone". */
  readonly name: string;
}

/**
 * Where a client is in the events of a session. A fleet whose NATS has lost something may give a number to another event:
 * with `kept` and `series`, the server notices, and answers with `reset`.
 */
export interface Position {
  /** The number of the last known event; -1 for none. */
  readonly after: number;
  /** The number of the last known event that is not a part of a message (`stream_event`). Default: `after`. */
  readonly kept?: number | undefined;
  /** The series of `kept`, as the `attached` before it said. Default: it is not checked. */
  readonly series?: string | undefined;
}

/** Requests the events of a session after a number: 0 for all, -1 for new ones only. */
export interface Attach extends Position {
  /** `attach`. */
  readonly type: 'attach';
  /** The session to attach to. */
  readonly session: string;
  /** With `after: 0`: only the latest events, about this many characters. `attached` says where they begin. */
  readonly tail?: number | undefined;
  /** Whether to include partial messages. Default: yes. */
  readonly partial?: boolean | undefined;
  /** Whether the client counts as a viewer, which keeps the session's CLI from being parked. Default: yes. */
  readonly watches?: boolean | undefined;
}

/** Stops the events of a session. */
export interface Detach {
  /** `detach`. */
  readonly type: 'detach';
  /** The session to detach from. */
  readonly session: string;
}

/**
 * Sends a command. The client chooses a unique `id` (a random UUID): a command that is sent again with the same id
 * after a reconnect takes effect once and gets the same answer. For `send` it becomes the `uuid` of the user message.
 */
export type CommandMessage = {
  readonly [Name in CommandName]: {
    readonly type: 'command';
    readonly id: string;
    readonly name: Name;
    /** The session of the command; commands of {@link ServerCommands} have none. */
    readonly session?: string | undefined;
    readonly params: CommandParams<Name>;
  };
}[CommandName];

/** Stops waiting for a command; effects it already had remain. */
export interface CancelCommand {
  /** `cancel`. */
  readonly type: 'cancel';
  /** The command to cancel. */
  readonly id: string;
}

// From the server to a client

/** Messages from the server. */
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
  /** The id of this server run; it changes when the server restarts. */
  readonly server: string;
  /** The folders below which sessions may be opened. */
  readonly roots: readonly string[];
  /** The role of this client; anything it does not allow is refused with `ROLE_REFUSED`. */
  readonly role: Role;
  /** The name of its key. */
  readonly key: string;
  /** Whether `bypassPermissions` may be used; show it in red. */
  readonly allowBypass: boolean;
  /** Whether the CLIs are emulated. */
  readonly demo: boolean;
  /** Suggested messages for the demo, in order. */
  readonly suggestions: readonly string[];
  /** At a gateway of a fleet: what its workers have, for `place`. Elsewhere undefined. */
  readonly workers?: WorkersView | undefined;
  /** The sandbox in which the server runs every session, such as `bubblewrap`. */
  readonly sandbox?: string | undefined;
  /** What is stored but cannot be used, such as a damaged session or key, and why. */
  readonly problems: readonly string[];
}

/** What the workers of a fleet have. */
export interface WorkersView {
  /** Their labels. */
  readonly labels: readonly string[];
  /** The versions of their CLIs. */
  readonly cliVersions: readonly string[];
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
  /** The current state of the session. */
  readonly session: SessionSummary;
}

/** A session was removed from the list. */
export interface SessionRemoved {
  /** `session-removed`. */
  readonly type: 'session-removed';
  /** The id of the session. */
  readonly session: string;
}

/**
 * An event of an attached session. Numbers increase by one, even across server restarts. After a
 * server was killed they continue at a much higher number, which `attached` reports.
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
 * Says where the events of a session continue: the next one is `from`. With `reset`, earlier numbers no longer exist
 * (the log is bounded, or was lost) or belong to another session log: discard what you have shown. Sent after every
 * `attach`, whenever a slow client has missed events, and when a new series of numbers begins. Open prompts are always in the summary.
 */
export interface Attached {
  /** `attached`. */
  readonly type: 'attached';
  /** The session. */
  readonly session: string;
  /** The number of the first event that follows. */
  readonly from: number;
  /** Whether the client must discard what it knows. */
  readonly reset: boolean;
  /** The first number that still exists; lower than `from` if only the latest events were requested. */
  readonly first: number;
  /** The last number. */
  readonly last: number;
  /** The name of the series of numbers from here on. Undefined where one server owns the log. */
  readonly series?: string | undefined;
}

/** The result of a command. */
export type Done =
  | { readonly type: 'done'; readonly id: string; readonly ok: true; readonly value: unknown }
  | { readonly type: 'done'; readonly id: string; readonly ok: false; readonly error: CommandError };

/** The close codes of the socket. */
export const CLOSE_CODES = {
  /** The server is shutting down; try again later. */
  goingAway: 1001,
  /** A message was too big. */
  tooBig: 1009,
  /** A message was invalid. */
  badMessage: 4400,
  /** The key was revoked or has expired. */
  keyGone: 4401,
  /** The client sent or read nothing for too long; connect again with the last numbers. */
  tooSlow: 4408,
  /** Too many connections or commands at once. */
  tooMany: 4429,
} as const;
