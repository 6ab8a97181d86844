import type {
  ClientMessage,
  CommandError,
  CommandName,
  CommandParams,
  CommandValue,
  Done,
  Position,
  ServerMessage,
} from '../../../src/entry/remote/contract.js';
import type { LinkState } from '../store/state.js';
import { makeUuid } from './uuid.js';

/** The parts of the browser's socket that we use. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}

/** The dependencies of a link. */
export interface LinkOptions {
  readonly openSocket: () => Socket;
  /** Asks whether the page is logged in: browsers do not say why a socket was refused. */
  readonly isLoggedIn: () => Promise<boolean>;
  readonly client: { readonly client: string; readonly name: string };
  readonly onMessages: (messages: readonly ServerMessage[]) => void;
  readonly onState: (state: LinkState) => void;
  /** The last known event of a session. */
  readonly positionOf: (session: string) => Position;
  readonly makeId?: () => string;
  readonly after?: (ms: number, run: () => void) => () => void;
}

/** A command was refused, or its result is unknown. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: string;
  /** The CLI's message, if it refused. */
  readonly reason: string | undefined;

  constructor({ code, message, reason }: CommandError) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

interface Pending {
  readonly text: string;
  readonly settle: (error: CommandFailed | undefined, value?: unknown) => void;
}

const RETRY_MS = { first: 250, most: 5_000 };
/** How long a command may wait for a lost connection. */
const GIVE_UP_MS = 60_000;
/** How long a connection may take to prove that it works. */
const CHECK_MS = 5_000;
/** Messages are delivered in batches, at most one per frame, of this size: more would freeze the page. */
const BATCH_MS = 16;
const BATCH = 400;
/**
 * How many characters of a session's latest events are requested at first, and the factor for each further
 * request.
 */
const TAIL = 256 * 1024;
const MORE = 4;

/**
 * The page's end of the socket. A lost connection is reopened, with the last number of each attached session. A command
 * in flight is sent again with the same id, which takes effect once; it is never sent to a restarted server, and never
 * queued while disconnected.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #after: (ms: number, run: () => void) => () => void;
  readonly #pending = new Map<string, Pending>();
  /** The attached sessions, each with the requested length of its tail. */
  readonly #attached = new Map<string, number>();
  #batch: ServerMessage[] = [];
  #socket: Socket | undefined;
  #server: string | undefined;
  #retryMs = RETRY_MS.first;
  #open = false;
  #closed = false;
  #cancelGiveUp = () => {};

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#after = options.after ?? later;
  }

  /** Connects, and stays connected until closed. */
  connect(): void {
    if (this.#closed) return;
    const socket = this.#options.openSocket();
    this.#socket = socket;
    socket.onopen = () => this.#post({ type: 'hello', ...this.#options.client });
    socket.onmessage = ({ data }) => this.#take(String(data));
    socket.onclose = ({ code }) => {
      if (code === TOO_LARGE && socket === this.#socket) this.#failLargest();
      this.#lost(socket);
    };
  }

  /**
   * Checks whether the connection still works, for example after sleep; if there is no answer, it is
   * reopened.
   */
  check(): void {
    const socket = this.#socket;
    if (!this.#open || socket === undefined) return;
    const stopTimer = this.#after(CHECK_MS, () => this.#lost(socket));
    this.command('folders', {}).then(stopTimer, stopTimer);
  }

  /** Closes the connection. */
  close(): void {
    this.#closed = true;
    this.#cancelGiveUp();
    this.#socket?.close();
    this.#failAll('The page was closed.');
  }

  /** Requests a session's events, now and after each reconnect. */
  attach(session: string): void {
    if (this.#attached.has(session)) return;
    this.#attached.set(session, TAIL);
    if (this.#open) this.#sendAttach(session);
  }

  /** Requests events before the known ones; they arrive with all that follow. */
  fetchEarlier(session: string): void {
    const tail = this.#attached.get(session);
    if (tail === undefined || !this.#open) return;
    this.#attached.set(session, tail * MORE);
    this.#post({ type: 'attach', session, after: 0, tail: tail * MORE });
  }

  /** Stops the events of a session. */
  detach(session: string): void {
    if (this.#attached.delete(session) && this.#open) this.#post({ type: 'detach', session });
  }

  /** Runs a command on the server. Rejects with {@link CommandFailed}. */
  command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    {
      session,
      id = (this.#options.makeId ?? makeUuid)(),
    }: { session?: string | undefined; id?: string } = {},
  ): Promise<CommandValue<Name>> {
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(new CommandFailed(NOT_CONNECTED));
        return;
      }
      const text = JSON.stringify({ type: 'command', id, name, session, params });
      const settle: Pending['settle'] = (error, value) =>
        // The contract defines the type of a command's value.
        error === undefined ? resolve(value as CommandValue<Name>) : reject(error);
      this.#pending.set(id, { text, settle });
      this.#socket?.send(text);
    });
  }

  #post(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #sendAttach(session: string): void {
    const position = this.#options.positionOf(session);
    this.#post({ type: 'attach', session, ...position, ...(position.after === 0 ? { tail: TAIL } : {}) });
  }

  #take(data: string): void {
    const message = JSON.parse(data) as ServerMessage;
    if (message.type === 'hello') this.#greeted(message.server);
    this.#batch.push(message);
    // The caller of a command expects to see its effect.
    if (message.type === 'done') this.#flush();
    else if (this.#batch.length === 1) this.#after(BATCH_MS, () => this.#flush());
  }

  #flush(): void {
    let run: ServerMessage[] = [];
    for (const message of this.#batch.splice(0, BATCH)) {
      if (message.type !== 'done') run.push(message);
      else {
        this.#hand(run);
        run = [];
        this.#settle(message);
      }
    }
    this.#hand(run);
    if (this.#batch.length > 0) this.#after(0, () => this.#flush());
  }

  #hand(messages: readonly ServerMessage[]): void {
    if (messages.length > 0) this.#options.onMessages(messages);
  }

  #settle(message: Done): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.ok) pending?.settle(undefined, message.value);
    else pending?.settle(new CommandFailed(message.error));
  }

  #greeted(server: string): void {
    const isSame = this.#server === undefined || this.#server === server;
    this.#server = server;
    this.#open = true;
    this.#retryMs = RETRY_MS.first;
    this.#cancelGiveUp();
    this.#options.onState('open');
    if (!isSame) this.#failAll(`The server was restarted. ${UNKNOWN}`);
    for (const { text } of this.#pending.values()) this.#socket?.send(text);
    for (const session of this.#attached.keys()) this.#sendAttach(session);
  }

  #lost(socket: Socket): void {
    if (socket !== this.#socket || this.#closed) return;
    // An abandoned connection must stay silent.
    this.#socket = undefined;
    socket.onmessage = null;
    socket.close();
    this.#flush();
    if (this.#open) this.#cancelGiveUp = this.#after(GIVE_UP_MS, () => this.#failAll(UNKNOWN));
    this.#open = false;
    this.#options.onState('lost');
    const wait = this.#retryMs;
    this.#retryMs = Math.min(wait * 2, RETRY_MS.most);
    this.#after(wait, () => void this.#retry());
  }

  async #retry(): Promise<void> {
    const loggedIn = await this.#options.isLoggedIn().catch(() => true);
    if (!loggedIn) this.#options.onState('locked');
    else this.connect();
  }

  /** The server closed the connection because of a command's size: sent again, it would do so again. */
  #failLargest(): void {
    const [largest] = [...this.#pending].sort(([, a], [, b]) => b.text.length - a.text.length);
    if (largest === undefined) return;
    const [id, { settle }] = largest;
    this.#pending.delete(id);
    settle(
      new CommandFailed({
        code: 'TOO_LARGE',
        message: 'This is too large for the server. Nothing was sent.',
      }),
    );
  }

  #failAll(message: string): void {
    for (const { settle } of this.#pending.values()) settle(new CommandFailed({ ...NOT_CONNECTED, message }));
    this.#pending.clear();
  }
}

/** The close code of a message that is too big. */
const TOO_LARGE = 1009;

const UNKNOWN = 'The connection was lost. The action may or may not have taken effect.';

const NOT_CONNECTED: CommandError = {
  code: 'NOT_CONNECTED',
  message: 'Not connected to the server. Nothing was sent.',
};

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
