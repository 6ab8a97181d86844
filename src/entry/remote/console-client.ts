import { randomUUID } from 'node:crypto';
import { UnheardFailures } from '../../host/session/unheard-failures.js';
import { isObject } from '../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';
import { type Deferred, deferred } from '../../wire/util/deferred.js';
import { callbackFailed, type OnDiagnostic } from '../../wire/util/diagnostics.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { Listeners, quiet } from '../../wire/util/listeners.js';
import { kinds } from '../../wire/util/option-checks.js';
import { toError } from './command-failed.js';
import {
  type Attached,
  CLOSE_CODES,
  type ClientMessage,
  type CommandName,
  type CommandParams,
  type CommandValue,
  type Done,
  type ServerHello,
  type ServerMessage,
  type SessionSummary,
} from './contract.js';
import { ReceivedEvent } from './received-event.js';
import { ServerSocket } from './server-socket.js';

/** How a console server is reached. */
export interface ConsoleAddress {
  /** `http://127.0.0.1:7420`, or the whole address that the server printed, with its token. */
  readonly url: string;
  /** The server's token, where the address does not have it. */
  readonly token?: string | undefined;
  /** How this program is shown to others. */
  readonly name?: string | undefined;
  /** How long a lost connection is tried again before everything that waits fails. Default: 5 minutes. */
  readonly giveUpAfterMs?: number | undefined;
}

/** How a client is made. */
export interface ConsoleClientOptions extends ConsoleAddress {
  /**
   * Receives failures of listeners. Default: the first failure of each is written to stderr; `null` keeps that quiet.
   */
  readonly onDiagnostic?: OnDiagnostic | null | undefined;
}

/** How one command is sent. */
export interface CommandOptions {
  /** The session that it is about. */
  readonly session?: string | undefined;
  /** Its own id. Default: a random one. */
  readonly id?: string | undefined;
  /** Calls it off when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What a client tells its listeners. */
export interface ClientEvents extends Record<string, unknown> {
  /** A session as it is now: after each connect, and whenever it has changed. */
  readonly session: SessionSummary;
  /** A session left the list; its id. */
  readonly removed: string;
  /** Whether there is a connection now. */
  readonly connected: boolean;
  /** The connection is lost for good. */
  readonly lost: Error;
}

/** Receives the events of an attached session. */
export interface EventListener {
  /** Gets each event. */
  readonly onEvent: (event: ReceivedEvent) => void;
  /** Where the events go on; with `reset` some are lost. */
  readonly onAttached?: ((attached: Attached) => void) | undefined;
  /** Whether pieces of messages that are still being written come too. Default: yes. */
  readonly partial?: boolean | undefined;
}

interface Waiting {
  readonly message: ClientMessage;
  readonly answer: Deferred<unknown>;
  /** Whether it was sent on the current connection. */
  sent: boolean;
}

/** How many commands are on their way at once: a server ends connections that ask for more than 128. */
const AT_ONCE = 96;

interface Attachment extends EventListener {
  last: number;
}

/**
 * A connection to a console server that survives its own breaks: what was asked and not answered is asked again under
 * the same id, which takes effect once, and events go on behind the last one that came.
 */
export class ConsoleClient implements AsyncDisposable {
  /** This client's own id, the same over its reconnects. */
  readonly id: string = randomUUID();
  readonly #listeners = new Listeners<ClientEvents>((name, error) => this.#failed(name, error));
  readonly #unheard = new UnheardFailures();
  readonly #onDiagnostic: OnDiagnostic | null | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #attached = new Map<string, Attachment>();
  readonly #sessions = new Map<string, SessionSummary>();
  readonly #socket: ServerSocket;
  readonly #name: string;
  readonly #listed = deferred<void>();
  #hello: ServerHello | undefined;
  #over: Error | undefined;

  /** Connects at once. @public */
  constructor(address: ConsoleClientOptions, clock: Clock = systemClock) {
    this.#name = address.name ?? 'A program';
    this.#onDiagnostic = address.onDiagnostic;
    this.#listed.promise.catch(() => {});
    this.#socket = new ServerSocket(
      address,
      {
        onText: (text) => this.#receive(text),
        onOpen: () => this.#greet(),
        onClosed: (code) => this.#closed(code),
        onLost: (error) => this.#end(error),
      },
      clock,
    );
  }

  /** Resolves when there is a connection for the first time, or rejects with why there is none. */
  get ready(): Promise<void> {
    return this.#socket.ready;
  }

  /** Resolves when the server has told its sessions for the first time, or rejects with why it never will. */
  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  /** Whether there is a connection now. */
  get connected(): boolean {
    return this.#socket.connected;
  }

  /** What the server said of itself. */
  get server(): ServerHello | undefined {
    return this.#hello;
  }

  /** All sessions of the server, as far as it has told. */
  get sessions(): readonly SessionSummary[] {
    return [...this.#sessions.values()];
  }

  /** Listens; the returned function stops that. */
  on<Event extends keyof ClientEvents>(
    event: Event,
    listener: (value: ClientEvents[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener);
  }

  /** Has something done, once, whatever happens to the connection meanwhile. */
  async command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    { session, id = randomUUID(), signal }: CommandOptions = {},
  ): Promise<CommandValue<Name>> {
    if (this.#over !== undefined) throw this.#over;
    checkId(id, 'command');
    signal?.throwIfAborted();
    // Name and parameters go together by the signature above.
    const message = { type: 'command', id, name, session, params } as ClientMessage;
    const answer = deferred<unknown>();
    this.#waiting.set(id, { message, answer, sent: false });
    const onAbort = () => this.cancel(id, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#sendWaiting();
    try {
      return (await answer.promise) as CommandValue<Name>;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', onAbort);
      this.#sendWaiting();
    }
  }

  /** Gives up waiting for a command; what it did already stays done. */
  cancel(id: string, reason?: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (waiting.sent) this.#say({ type: 'cancel', id });
    waiting.answer.reject(
      new CoxswainError('REQUEST_ABORTED', 'The command was cancelled.', { cause: reason }),
    );
  }

  /** Hears the events of a session behind a number: 0 for all, -1 for new ones. The returned function stops that. */
  attach(session: string, after: number, listener: EventListener): () => void {
    checkId(session, 'session');
    const { onEvent, onAttached, partial = true } = listener;
    const attachment: Attachment = {
      onEvent: quiet(onEvent, (error) => this.#failed('onEvent', error)),
      onAttached: quiet(onAttached, (error) => this.#failed('onAttached', error)),
      partial,
      last: after,
    };
    this.#attached.set(session, attachment);
    this.#say({ type: 'attach', session, after, partial });
    return () => {
      if (this.#attached.get(session) !== attachment) return;
      this.#attached.delete(session);
      this.#say({ type: 'detach', session });
    };
  }

  /** Reads no more for a while: the server waits, and loses nothing. */
  pause(): void {
    this.#socket.pause();
  }

  /** Reads on. */
  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection; sessions go on without it. */
  async close(): Promise<void> {
    this.#end(new CoxswainError('REMOTE_LOST', 'The connection to the console was closed.'));
    await this.#socket.close();
  }

  /** Leaves the server. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends what may go now. Answers to the CLI do not wait behind commands, which may wait for what they bring about. */
  #sendWaiting(): void {
    if (!this.connected) return;
    let onTheirWay = [...this.#waiting.values()].filter(({ sent }) => sent).length;
    for (const waiting of this.#waiting.values()) {
      const { message, sent } = waiting;
      if (sent || (onTheirWay >= AT_ONCE && !isAnswer(message))) continue;
      waiting.sent = true;
      onTheirWay += 1;
      this.#say(message);
    }
  }

  /** What a listener throws reaches neither the socket nor the other listeners. */
  #failed(name: string, error: unknown): void {
    const diagnostic = callbackFailed(name, error);
    if (this.#onDiagnostic === undefined) this.#unheard.tell(diagnostic);
    else
      quiet(this.#onDiagnostic, (again) => this.#unheard.tell(callbackFailed('onDiagnostic', again)))(
        diagnostic,
      );
  }

  #say(message: ClientMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** All that the server must know of this client, after each connect. */
  #greet(): void {
    this.#say({ type: 'hello', client: this.id, name: this.#name });
    for (const waiting of this.#waiting.values()) waiting.sent = false;
    this.#sendWaiting();
    for (const [session, { last, partial }] of this.#attached) {
      this.#say({ type: 'attach', session, after: last, partial });
    }
    this.#listeners.emit('connected', true);
  }

  #closed(code: number): void {
    this.#listeners.emit('connected', false);
    if (code !== CLOSE_CODES.badMessage && code !== CLOSE_CODES.tooBig) return;
    // Sent again they would end every further connection too.
    const what = code === CLOSE_CODES.tooBig ? 'A message was too big' : 'A message was invalid';
    const error = new CoxswainError('COMMAND_INVALID', `${what}, and the server closed the connection.`);
    for (const { answer } of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
  }

  #receive(text: string): void {
    const event = ReceivedEvent.read(text);
    if (event !== undefined) {
      this.#receiveEvent(event);
      return;
    }
    const message: unknown = JSON.parse(text);
    if (isObject(message)) this.#take(message as unknown as ServerMessage);
  }

  /** What came already, before a break, does not come twice. */
  #receiveEvent(event: ReceivedEvent): void {
    const attachment = this.#attached.get(event.session);
    if (attachment === undefined || event.n <= attachment.last) return;
    attachment.last = event.n;
    attachment.onEvent(event);
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        this.#hello = message;
        return;
      case 'sessions':
        this.#sessions.clear();
        for (const summary of message.sessions) this.#takeSession(summary);
        this.#listed.resolve();
        return;
      case 'session':
        this.#takeSession(message.session);
        return;
      case 'session-removed':
        this.#sessions.delete(message.session);
        this.#listeners.emit('removed', message.session);
        return;
      case 'attached':
        this.#takeAttached(message);
        return;
      case 'done':
        this.#takeDone(message);
        return;
      case 'event':
    }
  }

  #takeSession(summary: SessionSummary): void {
    this.#sessions.set(summary.id, summary);
    this.#listeners.emit('session', summary);
  }

  #takeAttached(attached: Attached): void {
    const attachment = this.#attached.get(attached.session);
    if (attachment === undefined) return;
    attachment.last = attached.from - 1;
    attachment.onAttached?.(attached);
  }

  #takeDone(done: Done): void {
    const waiting = this.#waiting.get(done.id);
    if (done.ok) waiting?.answer.resolve(done.value);
    else waiting?.answer.reject(toError(done.error));
  }

  #end(error: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#listed.reject(error);
    for (const { answer } of this.#waiting.values()) answer.reject(error);
    this.#listeners.emit('lost', error);
  }
}

function isAnswer(message: ClientMessage): boolean {
  return message.type === 'command' && (message.name === 'answer' || message.name === 'reply');
}

/** A server ends the connection of a client that it does not understand: what it would not take is not sent. */
function checkId(id: string, of: 'command' | 'session'): void {
  if (kinds.uuid.accepts(id)) return;
  throw new CoxswainError('COMMAND_INVALID', `The id of a ${of} is a UUID, not ${JSON.stringify(id)}.`);
}
