import { setMaxListeners } from 'node:events';
import { treatedAs } from '../../../host/core/connection/cli-version.js';
import type { InitializeExtras } from '../../../host/session/opening/initialize.js';
import { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { aborted, closedError, endError, refusal } from '../errors.js';
import { initializeFields } from '../options/official-initialize.js';
import { StoreMirror } from '../store/mirror.js';
import type { McpServerConfig, McpSetServersResult } from '../types/mcp-types.js';
import type { SDKUserMessage } from '../types/message-types.js';
import type { Options } from '../types/option-types.js';
import { Input, type Prompt } from './input.js';
import { type KeptHooks, keepHooks } from './kept-hooks.js';
import { callbackHandlers } from './official-callbacks.js';
import { launcherFor, type StartedProcess } from './official-launch.js';
import { OwnServers } from './own-servers.js';

/** Slow hooks of the start count here, so it is long; the original waits for ever. */
const HANDSHAKE_MS = 660_000;
/** The original waits for ever; some answers take the CLI a while. */
const DEADLINE_MS = 120_000;

/** How a conversation is begun. */
export interface ConversationOptions {
  readonly handshakeMs?: number;
  /** Whether it waits for its first prompt. */
  readonly warm?: boolean;
  readonly clock?: Clock;
}

/** One CLI and what is said with it, on a session of ours: the part of a query that is not its surface. */
export class Conversation {
  readonly #session: Session;
  readonly #input: Input;
  readonly #hooks: KeptHooks;
  readonly #servers: OwnServers;
  readonly #mirror: StoreMirror | undefined;
  readonly #fields: WireObject;
  readonly #reader: AsyncIterator<WireObject>;
  readonly #over = new AbortController();
  #manifests: WireObject | undefined;
  /** What the program is to see before anything else is read. */
  #inserted: WireObject[] = [];
  #first: Promise<IteratorResult<WireObject>> | undefined;
  #order: Promise<unknown> = Promise.resolve();
  #process: StartedProcess | undefined;
  #lastResult: WireObject | undefined;
  #commands: readonly unknown[] | undefined;
  #why: Error | undefined;

  constructor(
    options: Options,
    { handshakeMs = HANDSHAKE_MS, warm = false, clock }: ConversationOptions = {},
  ) {
    // A program may ask many things at once.
    setMaxListeners(0, this.#over.signal);
    this.#input = new Input(options, clock);
    this.#hooks = keepHooks(options.hooks);
    this.#fields = initializeFields(options, this.#hooks.wire);
    const { sessionStore, sessionStoreFlush } = options;
    if (sessionStore !== undefined)
      this.#mirror = new StoreMirror(sessionStore, { eager: sessionStoreFlush === 'eager' });
    this.#servers = new OwnServers(options.mcpServers, (subtype, params) => this.ask(subtype, params));
    const needsInput = () => {
      const { version } = this.#session;
      return version !== undefined && treatedAs(version) !== '2.1.325';
    };
    const own: SessionOptions & InitializeExtras = {
      initializeFields: () => this.fields,
      handlers: {
        ...callbackHandlers(options, this.#hooks, { needsInput }),
        mcp_message: this.#servers.handler,
      },
      handshakeMs,
      deadlineMs: DEADLINE_MS,
    };
    const launch = launcherFor(
      { ...options, warm },
      {
        prepare: async () => {
          this.#manifests = await this.#servers.manifests();
        },
        started: (process) => {
          this.#process = process;
        },
        greeted: (process) => this.#greeted(process),
      },
    );
    this.#session = new Session(own, { launch, ...(clock === undefined ? {} : { clock }) });
    this.#session.on('message', (message) => this.#note(message));
    this.#session.on('unasked', (turn) => void letGo(turn));
    this.#session.on('state', (state) => {
      if (state !== 'ended') return;
      this.#servers.close();
      this.#input.stop(closedError(undefined));
    });
    this.#reader = this.#session.messages()[Symbol.asyncIterator]();
    // A reader that has begun makes the CLI wait when it is behind; one that has not would lose what does not fit.
    this.#first = this.#reader.next();
    this.#first.catch(() => {});
  }

  /** The fields of `initialize`. */
  get fields(): WireObject {
    const manifests = this.#manifests;
    return { ...this.#fields, ...(manifests === undefined ? {} : { sdkMcpServerManifests: manifests }) };
  }

  /** The answer to `initialize`. */
  get initialized(): Promise<WireObject> {
    return this.#untilOver(this.#session.ready);
  }

  get commands(): readonly unknown[] | undefined {
    return this.#commands;
  }

  /** Begins to write a prompt. A prompt that fails ends the conversation, with its error as the cause. */
  async write(prompt: Prompt): Promise<void> {
    try {
      await this.#input.write(prompt);
    } catch (error) {
      this.#inputFailed(error);
    }
  }

  /** Writes more messages. */
  async stream(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    try {
      await this.#input.stream(messages);
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** The next message for the program; throws what its loop is to throw. */
  next(): Promise<IteratorResult<WireObject, undefined>> {
    // One after another, as with any generator: a result may be held for a moment.
    const next = this.#order.then(() => this.#next());
    this.#order = next.catch(() => {});
    return next;
  }

  async ask(subtype: string, params: WireObject = {}): Promise<WireObject> {
    try {
      return await this.#session.control(subtype, params, { signal: this.#over.signal });
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  setServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
    return this.#servers.set(servers);
  }

  /** Ends it; whoever waits gets `why` at once, the process is ended behind. Resolves when nothing is left. */
  close(why?: Error): Promise<void> {
    if (!this.#over.signal.aborted) this.#why = why;
    const closed = this.#session.close();
    this.#over.abort();
    this.#input.stop(closedError(why));
    // Nobody reads any more: what still comes is dropped.
    void this.#reader.return?.().catch(() => {});
    return closed.then(() => {});
  }

  #greeted(process: StartedProcess): void {
    if (!this.#hooks.mustBlock) {
      this.#input.open(process);
      return;
    }
    // No prompt may run before the CLI has said that a failed hook blocks.
    this.#session.ready.then(
      ({ hook_on_failure_supported: honours }) => {
        if (honours === true) this.#input.open(process);
        else this.#inputFailed(new Error(NOT_HONOURED));
      },
      () => {},
    );
  }

  #note(message: WireObject): void {
    if (message.type === 'transcript_mirror') this.#mirror?.take(message);
    if (message.type === 'result') {
      void this.#mirror?.flush();
      this.#lastResult = message;
      this.#input.noteResult();
    }
    if (message.subtype === 'session_state_changed') this.#input.noteState(String(message.state));
    if (message.subtype === 'commands_changed' && Array.isArray(message.commands))
      this.#commands = message.commands;
  }

  #inputFailed(error: unknown): void {
    if (this.#over.signal.aborted) return;
    // A broken pipe is no cause: the end of the CLI tells why.
    if (error instanceof CoxswainError && error.code === 'TRANSPORT_CLOSED') return;
    this.#why ??= aborted(error);
    // What the CLI still says reaches the program before the error does.
    void this.#session.close();
  }

  async #next(): Promise<IteratorResult<WireObject, undefined>> {
    for (;;) {
      const inserted = this.#inserted.shift();
      if (inserted !== undefined) return { done: false, value: inserted };
      const next = await this.#pull();
      if (next.done === true || next.value.type === 'result') await this.#mirrored(next.value);
      else if (!isHidden(next.value)) return { done: false, value: next.value };
      if (next.done === true && this.#inserted.length === 0) return { done: true, value: undefined };
    }
  }

  /** A turn counts as over when the store has it; what the store refused is told before that. */
  async #mirrored(message: WireObject | undefined): Promise<void> {
    await this.#mirror?.flush();
    this.#inserted.push(...(this.#mirror?.takeFailures() ?? []));
    if (message !== undefined) this.#inserted.push(message);
  }

  async #pull(): Promise<IteratorResult<WireObject>> {
    const first = this.#first;
    this.#first = undefined;
    try {
      const next = await (first ?? this.#reader.next());
      if (next.done === true && this.#why !== undefined) throw this.#why;
      return next;
    } catch (error) {
      if (this.#why !== undefined) throw this.#why;
      const cause = await this.#ended(error);
      if (cause !== undefined) throw cause;
      return { done: true, value: undefined };
    }
  }

  /** What an error of the session means to a program of the official SDK. */
  async #explained(error: unknown): Promise<unknown> {
    if (this.#why !== undefined) return this.#why;
    if (error instanceof RefusedError) return refusal(error);
    if (!(error instanceof CoxswainError)) return error;
    if (this.#over.signal.aborted || LOST.has(error.code)) return closedError(error);
    return (await this.#ended(error)) ?? closedError(error);
  }

  /** What the program is told of an error: where the CLI has ended, how it did; undefined if that is no error. */
  async #ended(error: unknown): Promise<unknown> {
    if (!(error instanceof CoxswainError) || !ENDED.has(error.code)) return error;
    const end = await this.#process?.transport.ended;
    if (end === undefined || end.reason === 'closed') return error;
    return endError(end, this.#lastResult, error);
  }

  async #untilOver<Value>(awaited: Promise<Value>): Promise<Value> {
    const { signal } = this.#over;
    let onOver = () => {};
    const over = new Promise<never>((_resolve, reject) => {
      onOver = () => reject(this.#why ?? closedError(undefined));
      signal.addEventListener('abort', onOver, { once: true });
    });
    try {
      return await Promise.race([awaited, over]);
    } catch (error) {
      throw await this.#explained(error);
    } finally {
      signal.removeEventListener('abort', onOver);
    }
  }
}

/** The codes of what fails because the CLI has ended. */
const ENDED: ReadonlySet<string> = new Set([
  'SESSION_ENDED',
  'CLI_ENDED',
  'HANDSHAKE_ENDED',
  'SESSION_MISSING',
]);

/** The codes of what fails because nothing can be said to the CLI, though it may still run. */
const LOST: ReadonlySet<string> = new Set(['TRANSPORT_CLOSED', 'REQUEST_ABORTED']);

const NOT_HONOURED =
  'A hook has onFailure "block", but this CLI does not say that a failed hook blocks; nothing was sent. Use a newer CLI, or leave onFailure out.';

/** Messages that are for the SDK and not for the program. */
function isHidden(message: WireObject): boolean {
  if (message.type === 'transcript_mirror') return true;
  return message.subtype === 'session_state_changed' && message.sdk_host_only === true;
}

/** The program reads the messages as one stream; what the session keeps per turn is not needed. */
async function letGo(turn: Turn): Promise<void> {
  try {
    for await (const _message of turn) break;
  } catch {
    // Whoever reads the stream is told.
  }
}
