import type { WebSocket } from 'ws';
import { CLOSE_CODES, type ServerHello, type SessionSummary } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import type { CommandRunner } from '../commands/command-runner.js';
import type { Visitor } from '../http/access.js';
import type { ServedSession, ServedSessions } from '../sessions/served-session.js';
import { ClientConnection } from './client-connection.js';
import type { OutletLimits } from './outlet.js';

/** The dependencies of {@link Hub}. */
export interface HubOptions {
  readonly registry: ServedSessions;
  readonly runner: CommandRunner;
  /** What every client gets first. */
  readonly hello: Omit<ServerHello, 'role' | 'key'>;
  /** Whether someone's key is still valid. */
  readonly isGood: (visitor: Visitor) => boolean;
  readonly clock: Clock;
  readonly maxClients: number;
  readonly limits?: OutletLimits | undefined;
  /** The first client has connected, or the last one has left. */
  readonly onWatched: (watched: boolean) => void;
}

/** A connected client: over a socket, or over a stream of server-sent events. */
export interface HubClient {
  readonly visitor: Visitor;
  /** The client's own id. */
  readonly client: string;
  /** Sends a server message, as JSON text. */
  send(text: string): void;
  /** A session has changed; the text is the message about it. */
  changed(summary: SessionSummary, text: string): void;
  /** A session was removed. */
  forget(session: string): void;
  /** Sends a heartbeat. */
  checkAlive(): void;
  /** Closes after sending what is waiting. */
  close(code: number): void;
  terminate(): void;
}

/** How long summary changes are collected before they are sent to clients. */
const GATHER_MS = 20;
/** How often to send a heartbeat. */
const HEARTBEAT_MS = 20_000;
/** How often to check the clients' keys. */
const KEYS_MS = 1_000;
/** How long clients may take to close their side when the server stops. */
const GOODBYE_MS = 500;

/** All clients of a server: greets them, sends them changes, and notices when they are gone. */
export class Hub {
  readonly #options: HubOptions;
  readonly #clients = new Set<HubClient>();
  readonly #changed = new Set<ServedSession>();
  /** A session changes once more after its removal, when its viewers leave; this need not be sent. */
  readonly #removed = new WeakSet<ServedSession>();
  #empty = deferred<void>();
  #callOffGather: (() => void) | undefined;
  #callOffHeartbeat: () => void = () => {};
  #callOffKeys: () => void = () => {};

  constructor(options: HubOptions) {
    this.#options = options;
    this.#beat();
    this.#checkKeys();
  }

  /** Whether another client may connect. Viewers never take the last slots of those who act. */
  hasRoomFor({ role }: Visitor): boolean {
    const { maxClients } = this.#options;
    const watching = [...this.#clients].filter(({ visitor }) => visitor.role === 'watcher').length;
    return this.#clients.size < maxClients && !(role === 'watcher' && watching + 1 > maxClients / 2);
  }

  add(socket: WebSocket, visitor: Visitor): void {
    const { registry, runner, clock, limits } = this.#options;
    const client = new ClientConnection(socket, visitor, {
      registry,
      runner,
      clock,
      limits,
      greeting: () => this.#greeting(visitor),
      onNamed: ({ client: id }) => {
        if (visitor.role === 'owner') this.#ownerChanged(id, true);
      },
      onGone: (gone) => this.#gone(gone),
    });
    this.join(client);
  }

  /** Adds a client that did not come through {@link add}; the returned function removes it. */
  join(client: HubClient): () => void {
    this.#clients.add(client);
    this.#empty = deferred();
    this.#options.onWatched(true);
    return () => this.#gone(client);
  }

  /** Sends a change to all clients, together with other changes in the next moment. */
  changed(session: ServedSession): void {
    if (this.#removed.has(session)) return;
    this.#changed.add(session);
    // A program may disconnect before its session exists.
    const { client, away } = session.program;
    if (client !== undefined && !away && !this.#has(client)) session.ownerChanged(false);
    this.#callOffGather ??= this.#options.clock.after(GATHER_MS, () => this.#tell());
  }

  removed(session: ServedSession): void {
    // Report how it ended before reporting that it is gone.
    if (this.#changed.delete(session)) this.#tellOf(session);
    this.#removed.add(session);
    const text = JSON.stringify({ type: 'session-removed', session: session.id });
    for (const client of this.#clients) {
      client.forget(session.id);
      client.send(text);
    }
  }

  /** The clients who are connected, once per connection. */
  get visitors(): readonly Visitor[] {
    return [...this.#clients].map(({ visitor }) => visitor);
  }

  /** Closes the connections of people whose access was revoked. */
  dropRevoked(): void {
    const { isGood } = this.#options;
    for (const client of this.#clients) if (!isGood(client.visitor)) client.close(CLOSE_CODES.keyGone);
  }

  /** Says goodbye; resolves when all clients are gone. */
  async close(): Promise<void> {
    this.#callOffHeartbeat();
    this.#callOffKeys();
    this.#callOffGather?.();
    for (const client of this.#clients) client.close(CLOSE_CODES.goingAway);
    const late = this.#options.clock.after(GOODBYE_MS, () => {
      for (const client of this.#clients) client.terminate();
    });
    if (this.#clients.size > 0) await this.#empty.promise;
    late();
  }

  #greeting({ role, key }: Visitor): readonly string[] {
    const { registry } = this.#options;
    const hello: ServerHello = { ...this.#options.hello, role, key };
    const sessions = registry.all.map(({ summary }) => summary);
    return [JSON.stringify(hello), JSON.stringify({ type: 'sessions', sessions })];
  }

  #tell(): void {
    this.#callOffGather = undefined;
    const sessions = [...this.#changed];
    this.#changed.clear();
    for (const session of sessions) this.#tellOf(session);
  }

  #tellOf({ summary }: ServedSession): void {
    const text = JSON.stringify({ type: 'session', session: summary });
    for (const client of this.#clients) client.changed(summary, text);
  }

  #gone(client: HubClient): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0) {
      this.#empty.resolve();
      this.#options.onWatched(false);
    }
    if (!this.#has(client.client)) this.#ownerChanged(client.client, false);
  }

  /** Whether a program is connected; only owners have programs, and client ids are public. */
  #has(client: string): boolean {
    return [...this.#clients].some((each) => each.client === client && each.visitor.role === 'owner');
  }

  #ownerChanged(client: string, connected: boolean): void {
    for (const session of this.#options.registry.all) {
      if (session.program.client === client) session.ownerChanged(connected);
    }
  }

  /** A revoked or expired key also ends the connections that were opened with it. */
  #checkKeys(): void {
    this.#callOffKeys = this.#options.clock.after(KEYS_MS, () => {
      this.dropRevoked();
      this.#checkKeys();
    });
  }

  #beat(): void {
    this.#callOffHeartbeat = this.#options.clock.after(HEARTBEAT_MS, () => {
      for (const client of this.#clients) client.checkAlive();
      this.#beat();
    });
  }
}
