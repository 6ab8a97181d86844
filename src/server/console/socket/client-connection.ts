import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import { type Attached, CLOSE_CODES, type SessionSummary } from '../../../entry/remote/contract.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { kinds, type OptionKind } from '../../../wire/util/option-checks.js';
import type { Commander } from '../commands/command.js';
import { doneText } from '../commands/command-result.js';
import type { CommandRunner } from '../commands/command-runner.js';
import type { Visitor } from '../http/access.js';
import { type LogEntry, socketText } from '../log/entry.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { HubClient } from './hub.js';
import { Outlet, type OutletLimits } from './outlet.js';
import { type EventOutlet, findPlace, type Viewer, type ViewerOptions } from './viewer.js';

/** The dependencies of a {@link ClientConnection}. */
export interface ClientParts {
  readonly registry: ServedSessions;
  readonly runner: CommandRunner;
  readonly clock: Clock;
  readonly limits?: OutletLimits | undefined;
  /** What every client gets first, as JSON texts. */
  readonly greeting: () => readonly string[];
  readonly onNamed: (client: ClientConnection) => void;
  readonly onGone: (client: ClientConnection) => void;
}

/** How much one client may request at once. */
const MAX_RUNNING = 128;
const MAX_VIEWED = 256;
const NAME = 80;

/** One socket of a client, a page or a program. */
export class ClientConnection implements HubClient {
  readonly visitor: Visitor;
  readonly #socket: WebSocket;
  readonly #parts: ClientParts;
  readonly #outlet: Outlet;
  readonly #viewers = new Map<string, Viewer>();
  /** Attachments in progress, by session: a newer one replaces an older one. */
  readonly #attaching = new Map<string, symbol>();
  #client: string = randomUUID();
  #name: string;
  #running = 0;
  #gone = false;
  /** Whether anything arrived since the last heartbeat. */
  #alive = true;
  /** Its count of accepted writes at the last heartbeat; undefined if nothing was waiting for it then. */
  #takenBefore: number | undefined;

  constructor(socket: WebSocket, visitor: Visitor, parts: ClientParts) {
    this.#socket = socket;
    this.visitor = visitor;
    this.#name = visitor.kind === 'page' ? 'A browser' : 'A program';
    this.#parts = parts;
    this.#outlet = new Outlet(socket, parts.clock, parts.limits);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.#alive = true;
    });
    socket.on('close', () => this.#end());
    // The close event follows and says everything.
    socket.on('error', () => {});
    for (const text of parts.greeting()) this.#outlet.send(text);
  }

  /** The client's own id, which stays the same when it reconnects. */
  get client(): string {
    return this.#client;
  }

  /** Sends a text that is not an event. */
  send(text: string): void {
    this.#outlet.send(text);
  }

  changed(_summary: SessionSummary, text: string): void {
    this.send(text);
  }

  /**
   * Sends a heartbeat; a client that has not responded since the last one is dropped. A client on a slow network
   * cannot respond before it has received earlier data, so receiving counts too.
   */
  checkAlive(): void {
    const { behind, taken } = this.#outlet;
    const isTaking = this.#takenBefore !== undefined && taken > this.#takenBefore;
    if (!this.#alive && !isTaking) {
      this.#socket.terminate();
      return;
    }
    // While nothing is waiting, accepted data may only have reached this system's buffers, which says nothing
    // about the client.
    this.#takenBefore = behind > 0 ? taken : undefined;
    this.#alive = false;
    this.#socket.ping();
  }

  /** A session was removed. */
  forget(session: string): void {
    this.#attaching.delete(session);
    this.#viewers.get(session)?.stop();
    this.#viewers.delete(session);
  }

  /** Closes after sending what is waiting. */
  close(code: number): void {
    this.#outlet.close(code);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#alive = true;
    const message = isBinary ? undefined : parse(data.toString());
    if (message === undefined || !this.#take(message))
      this.#socket.close(CLOSE_CODES.badMessage, 'bad message');
  }

  /** Returns whether the message was understood. */
  #take(message: WireObject): boolean {
    const { type, session, id } = message;
    switch (type) {
      case 'hello':
        return this.#takeHello(message);
      case 'attach':
        return this.#takeAttach(message);
      case 'detach':
        if (!kinds.uuid.accepts(session)) return false;
        this.forget(String(session));
        return true;
      case 'command':
        return this.#takeCommand(message);
      case 'cancel':
        if (!kinds.uuid.accepts(id)) return false;
        this.#parts.runner.cancel(String(id), this.visitor.key);
        return true;
      default:
        // A newer client may know more.
        return typeof type === 'string';
    }
  }

  #takeHello({ client, name }: WireObject): boolean {
    if (!kinds.uuid.accepts(client) || typeof name !== 'string') return false;
    this.#name = name.slice(0, NAME) || this.#name;
    // Events name clients: a viewer could impersonate someone else.
    if (this.visitor.role === 'watcher') return true;
    this.#client = String(client);
    this.#parts.onNamed(this);
    return true;
  }

  #takeAttach(message: WireObject): boolean {
    const { session, after, kept, series, tail, partial = true, watches = true } = message;
    if (!kinds.uuid.accepts(session) || !Number.isSafeInteger(after)) return false;
    if ((tail !== undefined && !kinds.count.accepts(tail)) || typeof partial !== 'boolean') return false;
    if (typeof watches !== 'boolean') return false;
    if (!isOptional(kept, kinds.count) || !isOptional(series, kinds.text)) return false;
    const known =
      kept === undefined || series === undefined ? {} : { kept: Number(kept), series: String(series) };
    const options = { after: Number(after), ...known, partial, watches };
    void this.#attach(String(session), options, tail === undefined ? undefined : Number(tail));
    return true;
  }

  async #attach(id: string, options: ViewerOptions, tail: number | undefined): Promise<void> {
    this.forget(id);
    if (this.#viewers.size >= MAX_VIEWED) {
      this.#socket.close(CLOSE_CODES.tooMany, 'too many sessions attached');
      return;
    }
    const asked = Symbol(id);
    this.#attaching.set(id, asked);
    try {
      const session = await this.#parts.registry.find(id);
      const isTail = tail !== undefined && options.after === 0;
      const after = isTail ? (await session.log.startOfTail(tail)) - 1 : options.after;
      const makeViewer = await findPlace(session, { ...options, after });
      if (this.#gone || this.#attaching.get(id) !== asked) return;
      this.#attaching.delete(id);
      this.#viewers.set(id, makeViewer(socketEvents(this.#outlet)));
    } catch (error) {
      this.#attaching.delete(id);
      if (errorCode(error) === 'SESSION_UNKNOWN')
        this.#outlet.send(JSON.stringify({ type: 'session-removed', session: id }));
      // It may be there, but cannot be read now.
      else this.#socket.close(CLOSE_CODES.goingAway, 'not available now');
    }
  }

  #takeCommand({ id, name, session, params }: WireObject): boolean {
    if (!kinds.uuid.accepts(id) || typeof name !== 'string') return false;
    if (session !== undefined && typeof session !== 'string') return false;
    if (this.#running >= MAX_RUNNING) {
      this.#socket.close(CLOSE_CODES.tooMany, 'too many commands at once');
      return true;
    }
    const { kind, role, key, device, from } = this.visitor;
    const by: Commander = { client: this.#client, name: this.#name, kind, role, key, device, from };
    this.#running += 1;
    void this.#parts.runner.run({ id: String(id), name, session, params }, by).then((result) => {
      this.#running -= 1;
      this.#outlet.send(doneText(String(id), result));
    });
    return true;
  }

  #end(): void {
    this.#gone = true;
    for (const viewer of this.#viewers.values()) viewer.stop();
    this.#viewers.clear();
    this.#outlet.end();
    this.#parts.onGone(this);
  }
}

function isOptional(value: unknown, kind: OptionKind): boolean {
  return value === undefined || kind.accepts(value);
}

function parse(text: string): WireObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Events as socket messages. */
function socketEvents(outlet: Outlet): EventOutlet {
  return {
    get open() {
      return outlet.open;
    },
    get writable() {
      return outlet.writable;
    },
    drained: () => outlet.drained(),
    sendAttached: (attached: Attached) => outlet.send(JSON.stringify(attached)),
    sendEntry: (session, entry) => outlet.sendEvent(textFor(session, entry)),
  };
}

/** Many viewers get the same event: its text is built once. */
let made: { readonly entry: LogEntry; readonly text: string } | undefined;

function textFor(session: string, entry: LogEntry): string {
  if (made?.entry !== entry) made = { entry, text: socketText(session, entry) };
  return made.text;
}
