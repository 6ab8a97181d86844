import { randomUUID } from 'node:crypto';
import type { AnyPrompt, Prompts } from '../../host/session/prompts/open-prompts.js';
import type { PromptState } from '../../host/session/prompts/prompt.js';
import { UnheardFailures } from '../../host/session/unheard-failures.js';
import { isObject } from '../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';
import { type Deferred, deferred } from '../../wire/util/deferred.js';
import { callbackFailed, type Diagnostic, type OnDiagnostic } from '../../wire/util/diagnostics.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { Listeners, quiet } from '../../wire/util/listeners.js';
import { kinds } from '../../wire/util/option-checks.js';
import { ClientPrompts } from './client-prompts.js';
import { toError } from './command-failed.js';
import {
  type Attached,
  CLOSE_CODES,
  type ClientMessage,
  type CommandName,
  type CommandParams,
  type CommandValue,
  type Done,
  type Position,
  type ServerHello,
  type ServerMessage,
  type SessionSummary,
} from './contract.js';
import { ReceivedEvent } from './received-event.js';
import { ServerSocket } from './server-socket.js';

/** The address of a console server. */
export interface ConsoleAddress {
  /** `http://127.0.0.1:7420`, or the complete address that the server printed, with its token. */
  readonly url: string;
  /** The server's token, if the address does not contain it. */
  readonly token?: string | undefined;
  /** The name that others see for this program. */
  readonly name?: string | undefined;
  /** How long to keep reconnecting before all pending commands fail, in milliseconds. Default: 5 minutes. */
  readonly giveUpAfterMs?: number | undefined;
}

/** Options of a client. */
export interface ConsoleClientOptions extends ConsoleAddress {
  /** Receives failures of listeners. Default: the first failure of each is written to stderr; `null` turns that off. */
  readonly onDiagnostic?: OnDiagnostic | null | undefined;
}

/** Options of a command. */
export interface CommandOptions {
  /** The session of the command. */
  readonly session?: string | undefined;
  /** Its own id. Default: a random one. */
  readonly id?: string | undefined;
  /** Cancels the command when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The events of a client. */
export interface ClientEvents extends Record<string, unknown> {
  /** The current state of a session: after each connect, and after each change. */
  readonly session: SessionSummary;
  /** A session left the list; its id. */
  readonly removed: string;
  /** A prompt of a session was opened, answered here, withdrawn or answered by others; with the session's id. */
  readonly prompt: { readonly session: string; readonly prompt: AnyPrompt; readonly state: PromptState };
  /** Whether the client is connected. */
  readonly connected: boolean;
  /** The connection is lost for good. */
  readonly lost: Error;
}

/** Receives the events of an attached session. */
export interface EventListener {
  /** Receives each event. */
  readonly onEvent: (event: ReceivedEvent) => void;
  /** Called when events start or continue; with `reset`, some are lost. */
  readonly onAttached?: ((attached: Attached) => void) | undefined;
  /** Whether to include partial messages. Default: yes. */
  readonly partial?: boolean | undefined;
  /** Whether this client keeps the session's CLI from being parked. Default: yes. */
  readonly watches?: boolean | undefined;
}

interface Waiting {
  readonly message: ClientMessage;
  readonly answer: Deferred<unknown>;
  /** Whether it was sent on the current connection. */
  sent: boolean;
}

/** How many commands may be in flight: a server closes connections with more than 128. */
const AT_ONCE = 96;

interface Attachment extends EventListener {
  /** The number of the last event. */
  last: number;
  /** The last one that is not a part of a message, and its series. */
  kept: Omit<Position, 'after'>;
  /** The series of the events that follow. */
  series: string | undefined;
}

/**
 * A connection to a console server that reconnects automatically: unanswered commands are sent again with the same id
 * and take effect once, and events continue after the last one received.
 */
export class ConsoleClient implements AsyncDisposable {
  /** The id of this client, the same across reconnects. */
  readonly id: string = randomUUID();
  readonly #listeners = new Listeners<ClientEvents>((name, error) => this.#failed(name, error));
  readonly #unheard = new UnheardFailures();
  readonly #onDiagnostic: OnDiagnostic | null | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #attached = new Map<string, Attachment>();
  readonly #sessions = new Map<string, SessionSummary>();
  readonly #prompts: ClientPrompts;
  readonly #socket: ServerSocket;
  readonly #name: string;
  readonly #listed = deferred<void>();
  #hello: ServerHello | undefined;
  #over: Error | undefined;

  /** Connects immediately. @public */
  constructor(address: ConsoleClientOptions, clock: Clock = systemClock) {
    this.#name = address.name ?? 'A program';
    this.#onDiagnostic = address.onDiagnostic;
    this.#listed.promise.catch(() => {});
    this.#prompts = new ClientPrompts({
      clock,
      pending: async (session) => (await this.command('info', {}, { session })).pending,
      answer: (session, prompt, answer) => {
        const given = this.command('answer', { prompt, answer }, { session });
        const code = 'ANSWER_NOT_SENT';
        given.catch((error: unknown) =>
          this.#report({
            code,
            message: `A prompt of session ${session} was not answered: ${errorText(error)}`,
          }),
        );
      },
      onChange: (session, change) => this.#listeners.emit('prompt', { session, ...change }),
    });
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

  /** Resolves when the client is connected for the first time; rejects if it cannot connect, or is closed before. */
  get ready(): Promise<void> {
    return this.#socket.ready;
  }

  /** Resolves when the server has sent its list of sessions for the first time; rejects if it never will. */
  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  /** Whether the client is connected. */
  get connected(): boolean {
    return this.#socket.connected;
  }

  /** The server's `hello`. */
  get server(): ServerHello | undefined {
    return this.#hello;
  }

  /** All known sessions of the server. */
  get sessions(): readonly SessionSummary[] {
    return [...this.#sessions.values()];
  }

  /** A known session by its id. @internal */
  session(id: string): SessionSummary | undefined {
    return this.#sessions.get(id);
  }

  /**
   * The open prompts of a session, as objects. They are fetched from when you first call this or listen for `prompt`,
   * so the first ones take a moment. Needs the role of an operator or owner.
   */
  prompts(session: string): Prompts {
    this.#prompts.want(this.#sessions.values());
    return this.#prompts.of(session);
  }

  /** Adds a listener; the returned function removes it. */
  on<Event extends keyof ClientEvents>(
    event: Event,
    listener: (value: ClientEvents[Event]) => void,
  ): () => void {
    const remove = this.#listeners.on(event, listener);
    if (event === 'prompt') this.#prompts.want(this.#sessions.values());
    return remove;
  }

  /** Runs a command exactly once, even if the connection breaks. */
  async command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    { session, id = randomUUID(), signal }: CommandOptions = {},
  ): Promise<CommandValue<Name>> {
    if (this.#over !== undefined) throw this.#over;
    checkId(id, 'command');
    signal?.throwIfAborted();
    // The signature above guarantees that name and parameters match.
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

  /** Stops waiting for a command; effects it already had remain. */
  cancel(id: string, reason?: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (waiting.sent) this.#say({ type: 'cancel', id });
    waiting.answer.reject(
      new CoxswainError('REQUEST_ABORTED', 'The command was cancelled.', { cause: reason }),
    );
  }

  /** Delivers the events of a session after a number: 0 for all, -1 for new ones. The returned function stops that. */
  attach(session: string, after: number, listener: EventListener): () => void {
    checkId(session, 'session');
    const { onEvent, onAttached, partial = true, watches = true } = listener;
    const attachment: Attachment = {
      onEvent: quiet(onEvent, (error) => this.#failed('onEvent', error)),
      onAttached: quiet(onAttached, (error) => this.#failed('onAttached', error)),
      partial,
      watches,
      last: after,
      kept: {},
      series: undefined,
    };
    this.#attached.set(session, attachment);
    this.#say({ type: 'attach', session, after, partial, watches });
    return () => {
      if (this.#attached.get(session) !== attachment) return;
      this.#attached.delete(session);
      this.#say({ type: 'detach', session });
    };
  }

  /** Pauses reading; the server waits and loses nothing. */
  pause(): void {
    this.#socket.pause();
  }

  /** Resumes reading. */
  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection; sessions continue without it. */
  async close(): Promise<void> {
    const error = new CoxswainError('REMOTE_LOST', 'The connection to the console was closed.');
    this.#end(error);
    await this.#socket.close(error);
  }

  /** Ends the connection. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends what may be sent now. Answers to the CLI do not wait behind commands, which may depend on them. */
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

  /** An exception in a listener reaches neither the socket nor the other listeners. */
  #failed(name: string, error: unknown): void {
    this.#report(callbackFailed(name, error));
  }

  #report(diagnostic: Diagnostic): void {
    if (this.#onDiagnostic === undefined) this.#unheard.tell(diagnostic);
    else
      quiet(this.#onDiagnostic, (again) => this.#unheard.tell(callbackFailed('onDiagnostic', again)))(
        diagnostic,
      );
  }

  #say(message: ClientMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Everything that the server must know about this client, after each connect. */
  #greet(): void {
    this.#say({ type: 'hello', client: this.id, name: this.#name });
    for (const waiting of this.#waiting.values()) waiting.sent = false;
    this.#sendWaiting();
    for (const [session, { last, kept, partial, watches }] of this.#attached) {
      this.#say({ type: 'attach', session, after: last, ...kept, partial, watches });
    }
    this.#listeners.emit('connected', true);
  }

  #closed(code: number): void {
    this.#listeners.emit('connected', false);
    if (code !== CLOSE_CODES.badMessage && code !== CLOSE_CODES.tooBig) return;
    // Sent again, they would close every further connection too.
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

  /** Events that arrived before the connection broke are not delivered twice. */
  #receiveEvent(event: ReceivedEvent): void {
    const attachment = this.#attached.get(event.session);
    if (attachment === undefined || event.n <= attachment.last) return;
    const { n } = event;
    attachment.last = n;
    const { series } = attachment;
    if (series !== undefined && !event.isPart) attachment.kept = { kept: n, series };
    attachment.onEvent(event);
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        this.#hello = message;
        return;
      case 'sessions':
        this.#takeList(message.sessions);
        this.#listed.resolve();
        return;
      case 'session':
        this.#takeSession(message.session);
        return;
      case 'session-removed':
        this.#sessions.delete(message.session);
        this.#prompts.removed(message.session);
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

  /** Sessions may have been removed while there was no connection. */
  #takeList(sessions: readonly SessionSummary[]): void {
    const before = [...this.#sessions.keys()];
    this.#sessions.clear();
    this.#prompts.keepOnly(sessions);
    for (const summary of sessions) this.#takeSession(summary);
    for (const id of before) if (!this.#sessions.has(id)) this.#listeners.emit('removed', id);
  }

  #takeSession(summary: SessionSummary): void {
    this.#sessions.set(summary.id, summary);
    this.#prompts.update(summary);
    this.#listeners.emit('session', summary);
  }

  #takeAttached(attached: Attached): void {
    const attachment = this.#attached.get(attached.session);
    if (attachment === undefined) return;
    const { from, reset, series } = attached;
    attachment.last = from - 1;
    attachment.series = series;
    if (reset) attachment.kept = {};
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
    this.#prompts.close();
    this.#listed.reject(error);
    for (const { answer } of this.#waiting.values()) answer.reject(error);
    this.#listeners.emit('lost', error);
  }
}

function isAnswer(message: ClientMessage): boolean {
  return message.type === 'command' && (message.name === 'answer' || message.name === 'reply');
}

/** A server closes the connection of a client that it does not understand, so invalid commands are not sent. */
function checkId(id: string, of: 'command' | 'session'): void {
  if (kinds.uuid.accepts(id)) return;
  throw new CoxswainError('COMMAND_INVALID', `The id of a ${of} is a UUID, not ${JSON.stringify(id)}.`);
}
