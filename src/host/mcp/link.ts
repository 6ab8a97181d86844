import type { Cancellation } from '../../wire/peer/cancellation.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { Clock } from '../../wire/util/clock.js';
import { deferred } from '../../wire/util/deferred.js';
import type { OnDiagnostic } from '../../wire/util/diagnostics.js';
import { errorText } from '../../wire/util/error-text.js';
import type { CoxswainError } from '../../wire/util/errors.js';
import { AskedIds } from './asked-ids.js';
import { connectServer, serverFailure } from './connect-server.js';
import {
  CANCELLED,
  cancelledId,
  cancelledNotification,
  type RpcId,
  type RpcMessage,
  readRpc,
  rpcCodes,
  rpcError,
} from './json-rpc.js';
import { LinkTransport, type ToolSession } from './link-transport.js';
import { OpenCalls } from './open-calls.js';
import type { InProcessServer } from './server-object.js';

/** The options of a link. */
export interface LinkOptions {
  /** The server's name in this session. */
  readonly name: string;
  readonly server: InProcessServer;
  /** Delivers a message of the server to the CLI; resolves when the CLI has accepted it. */
  readonly send: (message: WireObject) => Promise<unknown>;
  /** How long connecting, and every answer except that of a tool, may take. */
  readonly setupMs: number;
  readonly session: ToolSession;
  readonly clock: Clock;
  readonly onDiagnostic: OnDiagnostic;
}

type RpcRequest = Extract<RpcMessage, { kind: 'request' }>;

/** One in-process server during one run of a CLI. Every message of the CLI gets an answer, whatever the server does. */
export class McpLink {
  readonly #options: LinkOptions;
  readonly #transport: LinkTransport;
  readonly #calls = new OpenCalls();
  readonly #asked = new AskedIds();
  readonly #ready = deferred<void>();
  readonly #life = new AbortController();
  readonly #connected: Promise<void>;
  #isConnected = false;
  #isClosed = false;
  #failed = false;
  /** The part of the CLI's handshake that is still missing. */
  readonly #awaited = new Set(['notifications/initialized']);

  /** Starts connecting the server immediately, while the CLI is still starting. */
  constructor(options: LinkOptions) {
    this.#options = options;
    const { session, onDiagnostic } = options;
    this.#transport = new LinkTransport((message) => this.#fromServer(message), { session, onDiagnostic });
    // A caller that awaits these sees the failure; nobody has to.
    this.#ready.promise.catch(() => {});
    this.#connected = this.#connect();
    this.#connected.catch(() => {});
  }

  /** Settles when the CLI has completed the handshake with the server; rejects if it could not. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** How many requests of the CLI the server is working on. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /** Handles a message of the CLI and resolves to the JSON-RPC answer, `{}` if none is needed. */
  async receive(value: unknown, withdrawal: Cancellation): Promise<WireObject> {
    const message = readRpc(value);
    if (message === undefined) throw this.#failure('got something that is not a JSON-RPC message');
    try {
      if (!this.#isConnected) await this.#connected;
      if (this.#isClosed) throw this.#failure('was closed');
    } catch (error) {
      if (message.kind !== 'request') throw error;
      return rpcError(message.id, rpcCodes.internal, errorText(error));
    }
    if (message.kind === 'request') return await this.#call(message, withdrawal);
    if (message.kind === 'notification') this.#notify(message.method, message.raw);
    else this.#answered(message.id, message.raw);
    return {};
  }

  /** Ends the connection: open requests are answered, running tools aborted. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#life.abort();
    const closed = this.#failure('was closed');
    this.#ready.reject(closed);
    this.#calls.failAll(rpcCodes.cancelled, closed.message);
    await this.#transport.close();
  }

  async #connect(): Promise<void> {
    const { name, server, setupMs: deadlineMs, clock } = this.#options;
    const { signal } = this.#life;
    try {
      await connectServer(server, this.#transport, { name, deadlineMs, clock, signal });
      this.#isConnected = true;
    } catch (error) {
      this.#fail(error);
      await this.#transport.close();
      throw error;
    }
  }

  async #call(request: RpcRequest, withdrawal: Cancellation): Promise<WireObject> {
    const { id, answer } = this.#calls.open(request.id);
    const release = this.#limit(id, request.method, withdrawal);
    try {
      this.#deliver({ ...request.raw, id });
    } catch (error) {
      this.#calls.fail(id, rpcCodes.internal, errorText(error));
    }
    const response = await answer;
    release();
    if (request.method === 'initialize') this.#greeted(response);
    this.#progress(request.method);
    return response;
  }

  /** A CLI asks for the tools of a server that reports some, and counts it as connected after that. */
  #greeted({ result, error }: WireObject): void {
    if (error !== undefined) this.#fail(this.#failure('refused initialize'));
    const offers = isObject(result) && isObject(result.capabilities) && 'tools' in result.capabilities;
    if (offers) this.#awaited.add('tools/list');
  }

  #progress(method: string): void {
    if (!this.#awaited.delete(method) || this.#awaited.size > 0) return;
    // The answer that completes the handshake is not written yet; the next message must come after it.
    setImmediate(() => this.#ready.resolve());
  }

  /** A tool may take its time; everything else belongs to the setup, which must not delay a turn. */
  #limit(id: RpcId, method: string, withdrawal: Cancellation): () => void {
    const { setupMs, clock } = this.#options;
    const onCancel = () => this.#cancel(id, 'the CLI withdrew the request');
    const forget = withdrawal.onCancel(onCancel);
    if (withdrawal.cancelled) queueMicrotask(onCancel);
    if (method === 'tools/call') return forget;
    const giveUp = () => {
      const late = this.#failure(`did not answer ${method} within ${setupMs} ms`);
      if (this.#calls.fail(id, rpcCodes.timeout, late.message)) this.#fail(late);
    };
    const stopTimer = clock.after(setupMs, giveUp);
    return () => {
      stopTimer();
      forget();
    };
  }

  #notify(method: string, raw: WireObject): void {
    this.#progress(method);
    if (method !== CANCELLED) {
      this.#deliverQuietly(raw);
      return;
    }
    const wireId = cancelledId(raw);
    const id = wireId === undefined ? undefined : this.#calls.find(wireId);
    if (id !== undefined) this.#cancel(id, 'interrupted');
  }

  /** MCP servers do not answer a cancelled request, so it is answered here. */
  #cancel(id: RpcId, reason: string): void {
    if (this.#calls.fail(id, rpcCodes.cancelled, `The request was cancelled: ${reason}.`))
      this.#deliverQuietly(cancelledNotification(id, reason));
  }

  #answered(wireId: string | number, raw: WireObject): void {
    const id = this.#asked.take(wireId);
    if (id !== undefined) this.#deliverQuietly({ ...raw, id });
  }

  #deliver(message: WireObject): void {
    this.#transport.onmessage?.(message);
  }

  #deliverQuietly(message: WireObject): void {
    try {
      this.#deliver(message);
    } catch (error) {
      this.#report(`threw while handling a message: ${errorText(error)}`);
    }
  }

  async #fromServer(value: WireObject): Promise<void> {
    const message = readRpc(value);
    if (message === undefined) {
      this.#report('sent something that is not a JSON-RPC message');
    } else if (message.kind === 'response') {
      // A late or cancelled request has already been answered.
      this.#calls.settle(message.id, message.raw);
    } else if (message.kind === 'request') {
      await this.#ask(message);
    } else {
      await this.#options.send(message.method === CANCELLED ? this.#withdrawn(message.raw) : message.raw);
    }
  }

  async #ask({ id, raw }: RpcRequest): Promise<void> {
    const wireId = this.#asked.add(id);
    try {
      await this.#options.send({ ...raw, id: wireId });
    } catch (error) {
      this.#asked.take(wireId);
      throw error;
    }
  }

  #withdrawn(raw: WireObject): WireObject {
    const serverId = cancelledId(raw);
    const requestId = serverId === undefined ? undefined : this.#asked.withdraw(serverId);
    const params = typeof raw.params === 'object' ? raw.params : {};
    return requestId === undefined ? raw : { ...raw, params: { ...params, requestId } };
  }

  /** Reported once: later failures follow from the first. */
  #fail(failure: unknown): void {
    if (!this.#failed) this.#tell(errorText(failure));
    this.#failed = true;
    this.#ready.reject(failure);
  }

  #report(what: string): void {
    this.#tell(this.#failure(what).message);
  }

  #tell(message: string): void {
    if (this.#isClosed) return;
    this.#options.onDiagnostic({ code: 'MCP_SERVER_FAILED', message, server: this.#options.name });
  }

  #failure(what: string): CoxswainError {
    return serverFailure(this.#options.name, what);
  }
}
