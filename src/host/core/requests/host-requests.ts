import type { ControlPeer, RequestOptions } from '../../../wire/peer/control-peer.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { findHostRequest } from '../../../wire/protocol/catalog/catalog.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { AbortedError, CoxswainError } from '../../../wire/util/errors.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { type Connection, redeliver } from '../connection/connection.js';
import type { Life } from '../connection/life.js';
import type { HostRole } from '../host-role.js';
import type { Flow } from '../messages/flow.js';
import { checkRequest, unknownRequest } from './gates.js';

/** The dependencies of {@link HostRequests}. */
export interface HostRequestsOptions {
  readonly life: Life;
  /** The default deadline of a request. */
  readonly deadlineMs: number;
  /** Reading continues while a request is pending. */
  readonly flow: Pick<Flow, 'requestBegan' | 'requestEnded'>;
  readonly role: Pick<HostRole, 'answered'>;
  readonly clock: Clock;
}

/** The control requests of a session: each waits for the session, then for its answer, but never forever. */
export class HostRequests {
  readonly #options: HostRequestsOptions;
  /** Ends the waits of all calls that wait for the session to be ready. */
  readonly #waiting = new Set<(error: unknown) => void>();

  constructor(options: HostRequestsOptions) {
    this.#options = options;
  }

  /** Sends a request and resolves to its answer, `{}` for a plain ack. */
  send(subtype: string, params: WireObject, options: RequestOptions = {}): Promise<WireObject> {
    const { life } = this.#options;
    const body = { ...params, subtype };
    return life.state === 'ready' && life.connection !== undefined
      ? this.#askChecked(life.connection, body, options)
      : this.connected(options).then((connection) => this.#askChecked(connection, body, options));
  }

  /** Sends a request unchanged to a CLI that need not be ready yet. */
  sendTo(
    peer: ControlPeer,
    subtype: string,
    params: WireObject,
    options: RequestOptions = {},
  ): Promise<WireObject> {
    return this.#ask(peer, { ...params, subtype }, options);
  }

  #askChecked(
    { peer, capabilities }: Connection,
    body: RequestBody,
    options: RequestOptions,
  ): Promise<WireObject> {
    try {
      checkRequest(body, capabilities);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#ask(peer, body, options, capabilities);
  }

  #ask(
    peer: ControlPeer,
    body: RequestBody,
    { deadlineMs = this.#deadlineOf(body.subtype), signal }: RequestOptions,
    capabilities?: Capabilities,
  ): Promise<WireObject> {
    this.#options.flow.requestBegan();
    return peer.request(body, { deadlineMs, signal }).then(
      ({ value, beside }) => {
        this.#options.flow.requestEnded();
        redeliver(peer, beside);
        this.#options.role.answered?.(body.subtype, body);
        const answer = isObject(value) ? value : {};
        capabilities?.noteAnswer(body.subtype, answer);
        return answer;
      },
      (error: unknown) => {
        this.#options.flow.requestEnded();
        throw capabilities === undefined ? error : asUnknown(error, body.subtype, capabilities);
      },
    );
  }

  /** The connection, once the session is ready; an ended session has none. */
  async connected(options: RequestOptions = {}): Promise<Connection> {
    const { state } = this.#options.life;
    if (state === 'ended' || state === 'ending') throw this.endedError();
    return this.ready(options);
  }

  /** Waits for the handshake; rejects with the reason if it fails. */
  async ready({ signal, deadlineMs }: RequestOptions = {}): Promise<Connection> {
    const { life } = this.#options;
    if (life.state !== 'ready') await this.#untilReady(signal, deadlineMs);
    const { connection } = life;
    if (connection === undefined) throw this.endedError();
    return connection;
  }

  /** Every pending request fails with this immediately, including those that wait for the session to be ready. */
  giveUp(error: Error): void {
    for (const fail of [...this.#waiting]) fail(error);
    this.#options.life.connection?.peer.giveUp(error);
  }

  /** Why an ended session accepts no requests. */
  endedError(): CoxswainError {
    const { cause } = this.#options.life;
    if (cause instanceof CoxswainError && cause.code === 'SESSION_ENDED') return cause;
    const why = cause === undefined ? '' : ` ${cause.message}`;
    return new CoxswainError('SESSION_ENDED', `The session has ended.${why} Call reopen() to continue.`, {
      cause,
    });
  }

  #deadlineOf(subtype: string): number {
    return Math.max(this.#options.deadlineMs, findHostRequest(subtype)?.deadlineMs ?? 0);
  }

  /** The handshake has its own deadline; a call may have a shorter one, and a signal. */
  #untilReady(signal: AbortSignal | undefined, deadlineMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { life, clock } = this.#options;
    return new Promise((resolve, reject) => {
      const release = () => {
        stopTimer();
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(fail);
      };
      const fail = (error: unknown) => {
        release();
        reject(error);
      };
      const before = 'before the session was ready.';
      const onAbort = () =>
        fail(new AbortedError('REQUEST_ABORTED', `The call was aborted ${before}`, signal?.reason));
      const stopTimer = clock.after(deadlineMs, () =>
        fail(new CoxswainError('REQUEST_TIMEOUT', `${deadlineMs} ms passed ${before}`)),
      );
      this.#waiting.add(fail);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      life.ready.then(() => {
        release();
        resolve();
      }, fail);
    });
  }
}

/** Refusals of unknown requests are reported in the same way for all CLIs. */
function asUnknown(error: unknown, subtype: string, capabilities: Capabilities): unknown {
  const isUnknown = error instanceof RefusedError && capabilities.noteRefusal(subtype, error.reason);
  return isUnknown ? unknownRequest(subtype, capabilities, error) : error;
}
