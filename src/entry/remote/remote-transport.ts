import { PROMPT_REQUESTS } from '../../host/session/prompts/prompt-requests.js';
import { encodeCancel, encodeObject, encodeRefusal, encodeSuccess } from '../../wire/protocol/encode.js';
import {
  decodeLine,
  type Frame,
  isObject,
  type RequestFrame,
  type WireObject,
} from '../../wire/protocol/frames.js';
import type { OnLines, Transport, TransportEnd } from '../../wire/transport/transport.js';
import type { Clock } from '../../wire/util/clock.js';
import { deferred } from '../../wire/util/deferred.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { kinds } from '../../wire/util/option-checks.js';
import { CommandFailedError } from './command-failed.js';
import type { ConsoleClient } from './console-client.js';
import type { EndEvent, OpenParams } from './contract.js';
import type { ReceivedEvent } from './received-event.js';

/** What a program's session does with the server's: opens a new one, or joins an existing one. */
export type RemoteRole =
  | {
      readonly kind: 'owner';
      /** How to open it; the contents of `initialize` are added. */
      readonly open: (initialize: WireObject) => OpenParams;
      /** The number of the last known event, when reopening. */
      readonly after: number;
      /** Leaves the session open when the program closes its own. */
      readonly keep: boolean;
    }
  | { readonly kind: 'guest'; readonly after: number };

/** What a remote session needs of a connection to a server; the connection may also be within this process. */
export type ServerLink = Pick<
  ConsoleClient,
  'ready' | 'command' | 'attach' | 'on' | 'pause' | 'resume' | 'close' | 'connected'
>;

/** The dependencies of a {@link RemoteTransport}. */
export interface RemoteTransportOptions {
  readonly client: ServerLink;
  readonly session: string;
  readonly role: RemoteRole;
  readonly clock: Clock;
  /** Whether partial messages are included. */
  readonly partial: boolean;
  /** Whether the session keeps its CLI from being parked. Default: yes. */
  readonly watches?: boolean | undefined;
}

/** How long the server may take to end a CLI: longer than all its shutdown steps. */
const CLOSE_MS = 30_000;
/** How long to wait for a lost server; it keeps the session in the meantime. */
const LOST_CLOSE_MS = 2_000;

/**
 * The CLI of a remote session, as a program's session sees it. The server is the only host of the real CLI: what the
 * session sends becomes commands, and the events of the server's session become the lines of the CLI.
 */
export class RemoteTransport implements Transport {
  readonly ended: Promise<TransportEnd>;
  /** The version of the real CLI, once it is open. */
  readonly version: Promise<string | undefined>;
  readonly #options: RemoteTransportOptions;
  readonly #end = deferred<TransportEnd>();
  readonly #version = deferred<string | undefined>();
  /** The requests of the CLI that were passed on but not answered, with their subtypes. */
  readonly #asked = new Map<string, string>();
  /** The commands of requests that were passed on but not answered, by request id. */
  readonly #commands = new Map<string, AbortController>();
  readonly #release: readonly (() => void)[];
  #onLines: OnLines | undefined;
  #waiting: string[] = [];
  #paused = false;
  #opened = false;
  /** Whether events are about this CLI. An earlier one of a reopened session may have left some that did not arrive. */
  #isHere: boolean;
  #opening: Promise<unknown> = Promise.resolve();
  #lastEvent: number;
  #over: TransportEnd | undefined;
  #closing: Promise<TransportEnd> | undefined;

  constructor(options: RemoteTransportOptions) {
    this.#options = options;
    this.ended = this.#end.promise;
    this.version = this.#version.promise;
    const { client, session, role } = options;
    this.#lastEvent = role.after;
    this.#isHere = role.kind === 'guest' || role.after === 0;
    this.#release = [
      client.on('lost', (error) => this.#finishSoon({ reason: 'failed', error })),
      client.on('removed', (id) => {
        if (id === session && this.#opened)
          this.#fail('SESSION_UNKNOWN', 'The session was removed from the server.');
      }),
    ];
  }

  /** The number of the last event received. */
  get lastEvent(): number {
    return this.#lastEvent;
  }

  start(onLines: OnLines): void {
    this.#onLines = onLines;
    this.#flush();
  }

  pause(): void {
    this.#paused = true;
    this.#options.client.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#options.client.resume();
    this.#flush();
  }

  /** Rejects with the server's own error, so that a caller that waits for an answer gets it. */
  async send(line: string): Promise<void> {
    if (this.#over !== undefined) throw closedError();
    const frame = decodeLine(line);
    switch (frame.kind) {
      case 'request':
        return this.#sendRequest(frame);
      case 'message':
        return this.#sendMessage(frame.message);
      case 'success':
      case 'refusal':
        return this.#sendAnswer(frame);
      case 'cancel':
        this.#commands.get(frame.id)?.abort();
        return;
      case 'keep-alive':
        return;
      case 'broken':
      case 'noise':
        throw new CoxswainError('PROTOCOL_ERROR', 'A remote session takes whole frames only.');
    }
  }

  close(): Promise<TransportEnd> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<TransportEnd> {
    const { client, session, role, clock } = this.#options;
    // The answer would wait behind messages that a slow reader has not taken.
    this.resume();
    if (this.#over === undefined && this.#opened && role.kind === 'owner' && !role.keep) {
      const stopTimer = clock.after(client.connected ? CLOSE_MS : LOST_CLOSE_MS, () =>
        this.#finish({ reason: 'closed' }),
      );
      const asked = client.command('close', {}, { session });
      // The event of the CLI's end arrives before the answer and says more.
      await Promise.race([asked.catch(() => {}), this.ended]);
      stopTimer();
    }
    this.#finish({ reason: 'closed' });
    await client.close();
    return this.ended;
  }

  async #sendRequest({ id, body }: RequestFrame): Promise<void> {
    if (body.subtype === 'initialize' && !this.#opened) {
      const opening = this.#initialize(id, body);
      this.#opening = opening.catch(() => {});
      return opening;
    }
    const { subtype, ...params } = body;
    const { client, session } = this.#options;
    const controller = new AbortController();
    this.#commands.set(id, controller);
    try {
      const options = { session, signal: controller.signal };
      const answer = await client.command('control', { subtype, params }, options);
      this.#deliver(encodeSuccess(id, answer));
    } catch (error) {
      if (!(error instanceof CommandFailedError) || error.failure.reason === undefined) throw error;
      this.#deliver(encodeRefusal(id, error.failure.reason, error.failure.errorCode));
    } finally {
      this.#commands.delete(id);
    }
  }

  /** The server has initialised the CLI, or does so now with this program's part. */
  async #initialize(id: string, body: WireObject): Promise<void> {
    const { client, session, role } = this.#options;
    this.#opened = true;
    if (role.kind === 'owner') {
      const opening = client.command('open', { ...role.open(body), id: session });
      this.#listen(role.after);
      const { info, cliVersion } = await opening;
      this.#version.resolve(cliVersion);
      this.#deliver(encodeSuccess(id, info));
      return;
    }
    this.#listen(role.after);
    const { info, cliVersion, pending } = await client.command('info', {}, { session });
    this.#version.resolve(cliVersion);
    for (const request of pending) this.#noteRequest(decodeLine(encodeObject(request)));
    // Open prompts come next to the answer, as from a CLI.
    const response = { subtype: 'success', request_id: id, response: info };
    const beside = { pending_permission_requests: pending };
    this.#deliver(encodeObject({ type: 'control_response', response: { ...response, ...beside } }));
  }

  #listen(after: number): void {
    const { client, session, partial, watches } = this.#options;
    client.attach(session, after, {
      partial,
      watches,
      onEvent: (event) => this.#receive(event),
      onAttached: ({ reset }) => {
        if (reset)
          this.#fail(
            'REMOTE_LOST',
            'Events of this session no longer exist on the server: the program was disconnected too long.',
          );
      },
    });
  }

  async #sendMessage(message: WireObject): Promise<void> {
    const { client, session } = this.#options;
    const id = kinds.uuid.accepts(message.uuid) ? { id: String(message.uuid) } : {};
    await client.command('send', { content: '', message }, { session, ...id });
  }

  /** Somebody else may have been faster; then the prompt was withdrawn here, and nobody waits for this. */
  async #sendAnswer(frame: Extract<Frame, { kind: 'success' | 'refusal' }>): Promise<void> {
    const { client, session } = this.#options;
    const subtype = this.#asked.get(frame.id);
    this.#asked.delete(frame.id);
    if (subtype === undefined) return;
    const refusal = frame.kind === 'refusal' ? frame.error : undefined;
    const value = frame.kind === 'success' ? frame.value : undefined;
    if (!PROMPT_REQUESTS.has(subtype)) {
      const answer = refusal === undefined ? { ok: true, value } : { ok: false, error: refusal };
      await client.command('reply', { request: frame.id, ...answer }, { session });
      return;
    }
    const answer =
      refusal === undefined
        ? { answer: 'raw' as const, value: isObject(value) ? value : {} }
        : { answer: 'refuse' as const, reason: refusal };
    await client.command('answer', { prompt: frame.id, answer }, { session });
  }

  #receive(received: ReceivedEvent): void {
    this.#lastEvent = received.n;
    const { line } = received;
    if (!this.#isHere) {
      this.#isHere = line === undefined && received.event.kind === 'opened';
      return;
    }
    if (line !== undefined) {
      if (line.from === 'cli') this.#receiveLine(line.text);
      return;
    }
    const { event } = received;
    if (event.kind === 'prompt-settled' && this.#asked.delete(event.prompt))
      this.#deliver(encodeCancel(event.prompt));
    if (event.kind === 'end') this.#finishSoon(asEnd(event));
  }

  /** Answers to the server's own requests are for the server; everything else is as if this program were the host. */
  #receiveLine(line: string): void {
    // Most lines are messages, which need not be decoded twice.
    if (!line.includes('"control_')) {
      this.#deliver(line);
      return;
    }
    const frame = decodeLine(line);
    if (frame.kind === 'success' || frame.kind === 'refusal') return;
    if (frame.kind === 'request' && !this.#noteRequest(frame)) return;
    if (frame.kind === 'cancel') this.#asked.delete(frame.id);
    this.#deliver(line);
  }

  /** Records a request of the CLI, and returns whether this program should answer it. */
  #noteRequest(frame: Frame): boolean {
    if (frame.kind !== 'request') return false;
    const { subtype } = frame.body;
    if (this.#options.role.kind === 'guest' && !PROMPT_REQUESTS.has(subtype)) return false;
    this.#asked.set(frame.id, subtype);
    return true;
  }

  #deliver(line: string): void {
    if (this.#over !== undefined) return;
    this.#waiting.push(line);
    this.#flush();
  }

  #flush(): void {
    if (this.#paused || this.#onLines === undefined || this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#onLines(lines);
  }

  #fail(code: 'SESSION_UNKNOWN' | 'REMOTE_LOST', message: string): void {
    this.#finishSoon({ reason: 'failed', error: new CoxswainError(code, message) });
  }

  /** The answer to a failed start explains it best, so it must arrive first. */
  #finishSoon(end: TransportEnd): void {
    void this.#opening.then(() => setImmediate(() => this.#finish(end)));
  }

  /** What came before the end is delivered first, even to a paused reader. */
  #finish(end: TransportEnd): void {
    if (this.#over !== undefined) return;
    this.#paused = false;
    this.#flush();
    this.#over = end;
    for (const release of this.#release) release();
    for (const controller of this.#commands.values()) controller.abort();
    this.#version.resolve(undefined);
    this.#end.resolve(end);
    // A client that only joined, or whose session has ended, has nothing more to send.
    if (this.#closing === undefined) void this.#options.client.close();
  }
}

function asEnd({ end }: EndEvent): TransportEnd {
  if (end.reason === 'closed') return { reason: 'closed' };
  if (end.reason === 'failed')
    return { reason: 'failed', error: new Error(end.error ?? 'The CLI was lost.') };
  const { code = null, signal = null, stderrTail = '' } = end;
  return { reason: 'exited', code, signal, stderrTail };
}

function closedError(): CoxswainError {
  return new CoxswainError('TRANSPORT_CLOSED', 'The remote session has ended.');
}
