import { WebSocket } from 'ws';
import type { Clock } from '../../wire/util/clock.js';
import { deferred } from '../../wire/util/deferred.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** Receives what arrives on a {@link ServerSocket}. */
export interface SocketListener {
  readonly onText: (text: string) => void;
  /** Connected, for the first time or again: everything that the server must know is sent again. */
  readonly onOpen: () => void;
  readonly onClosed: (code: number) => void;
  /** Reconnecting has failed for too long. */
  readonly onLost: (error: Error) => void;
}

/** The address of the server, which may include the token after `#token=`. */
export interface SocketAddress {
  readonly url: string;
  readonly token?: string | undefined;
  readonly giveUpAfterMs?: number | undefined;
}

const GIVE_UP_MS = 5 * 60_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** The server sends a ping every 20 seconds. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;
/** How long the server may take to close its side. */
const CLOSE_MS = 2_000;

const WRONG_TOKEN = 401;
/** Why a server refuses a program, by HTTP status. */
const REFUSALS: Readonly<Record<number, string>> = {
  [WRONG_TOKEN]: 'the token is wrong',
  403: 'the server does not allow this host name (--allow-host)',
  404: 'there is no console',
  503: 'it has too many clients',
};

/** One socket after another to the same server, until it is closed or the server stays unreachable. */
export class ServerSocket {
  readonly #url: string;
  readonly #token: string;
  readonly #giveUpAfterMs: number;
  readonly #listener: SocketListener;
  readonly #clock: Clock;
  readonly #ready = deferred<void>();
  #socket: WebSocket | undefined;
  #everOpen = false;
  #over = false;
  #paused = false;
  #lostAt: number | undefined;
  #delayMs = FIRST_DELAY_MS;
  #cancelTimer: () => void = () => {};

  constructor(address: SocketAddress, listener: SocketListener, clock: Clock) {
    const { url, token } = readAddress(address);
    this.#url = url;
    this.#token = token;
    this.#giveUpAfterMs = address.giveUpAfterMs ?? GIVE_UP_MS;
    this.#listener = listener;
    this.#clock = clock;
    this.#ready.promise.catch(() => {});
    this.#connect();
  }

  /** Settles with the first attempt, or with `close`: a server that was never reached is not tried again. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get connected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a text if there is a connection; the caller sends what must not be lost again after reconnecting. */
  send(text: string): void {
    if (this.connected) this.#socket?.send(text);
  }

  pause(): void {
    this.#paused = true;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.resume();
  }

  /** The error is for whoever still waits for the first connection. */
  async close(error: Error): Promise<void> {
    this.#over = true;
    this.#ready.reject(error);
    this.#cancelTimer();
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    // A paused socket would not notice that the other side closes.
    if (socket.readyState === WebSocket.OPEN) socket.resume();
    socket.close();
    const stopTimer = this.#clock.after(CLOSE_MS, () => socket.terminate());
    await closed;
    stopTimer();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, {
      headers: { authorization: `Bearer ${this.#token}` },
      handshakeTimeout: CONNECT_MS,
      maxPayload: 0,
      perMessageDeflate: false,
    });
    let why: Error | undefined;
    let refused = false;
    this.#socket = socket;
    socket.on('open', () => this.#opened(socket));
    socket.on('message', (data) => this.#receive(socket, String(data)));
    socket.on('ping', () => this.#expectLife(socket));
    socket.on('error', (error) => {
      why ??= error;
    });
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      why = new Error(REFUSALS[statusCode] ?? `it answered with HTTP status ${statusCode}`);
      refused = statusCode === WRONG_TOKEN;
      socket.terminate();
    });
    socket.on('close', (code) => this.#closed(code, why, refused));
  }

  #opened(socket: WebSocket): void {
    this.#everOpen = true;
    this.#lostAt = undefined;
    this.#delayMs = FIRST_DELAY_MS;
    if (this.#paused) socket.pause();
    this.#expectLife(socket);
    this.#listener.onOpen();
    this.#ready.resolve();
  }

  #receive(socket: WebSocket, text: string): void {
    if (this.#over) return;
    this.#expectLife(socket);
    this.#listener.onText(text);
  }

  /** A silently broken connection is detected by its silence, but not while reading is paused. */
  #expectLife(socket: WebSocket): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(SILENCE_MS, () => {
      if (this.#paused) this.#expectLife(socket);
      else socket.terminate();
    });
  }

  #closed(code: number, why: Error | undefined, refused: boolean): void {
    this.#cancelTimer();
    if (this.#over) return;
    if (!this.#everOpen) {
      this.#giveUp('REMOTE_UNREACHABLE', `The console at ${this.#origin} cannot be reached`, why);
      return;
    }
    this.#lostAt ??= this.#clock.now();
    this.#listener.onClosed(code);
    // A server that restarted with another token will never accept this one.
    if (refused || this.#clock.now() - this.#lostAt >= this.#giveUpAfterMs) {
      this.#giveUp('REMOTE_LOST', `The console at ${this.#origin} was lost and did not come back`, why);
      return;
    }
    // Clients of a server that comes back should not all reconnect at the same moment.
    const delay = this.#delayMs * (0.5 + Math.random() / 2);
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
    this.#cancelTimer = this.#clock.after(delay, () => this.#connect());
  }

  #giveUp(code: 'REMOTE_UNREACHABLE' | 'REMOTE_LOST', what: string, why: Error | undefined): void {
    this.#over = true;
    const reason = why === undefined ? '' : `: ${why.message}`;
    const error = new CoxswainError(code, `${what}${reason}.`, { cause: why });
    this.#ready.reject(error);
    this.#listener.onLost(error);
  }

  get #origin(): string {
    return new URL(this.#url).host;
  }
}

function readAddress({ url, token }: SocketAddress): { readonly url: string; readonly token: string } {
  if (!URL.canParse(url) || !/^(?:https?|wss?):/.test(url)) {
    throw new CoxswainError(
      'OPTION_INVALID',
      `${JSON.stringify(url)} is not the address of a console server.`,
    );
  }
  const address = new URL(url);
  const found = token ?? new URLSearchParams(address.hash.slice(1)).get('token');
  if (found === null || found === '') {
    throw new CoxswainError('OPTION_INVALID', 'The token of the console server is missing.');
  }
  address.hash = '';
  address.protocol = address.protocol.replace('http', 'ws');
  address.pathname = `${address.pathname.replace(/\/$/, '')}/api/socket`;
  return { url: address.href, token: found };
}
