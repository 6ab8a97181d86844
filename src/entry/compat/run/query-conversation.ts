import { randomUUID } from 'node:crypto';
import type { Capabilities } from '../../../host/cli/capabilities.js';
import type { Connection } from '../../../host/core/connection/connection.js';
import { startupCodes } from '../../../host/core/connection/startup-failures.js';
import { HostCore } from '../../../host/core/host-core.js';
import type { Gone, HostRole } from '../../../host/core/host-role.js';
import type { MessageBuffer } from '../../../host/core/messages/message-buffer.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { aborted, closedError, endError, type LastWords, refusal } from '../errors.js';
import { warnOfOwnMode } from '../options/check-official-options.js';
import { fieldsFor, initializeFields } from '../options/official-initialize.js';
import { StoreMirror } from '../store/mirror.js';
import { MirroredReader, type StoppableReader } from '../store/mirrored-reader.js';
import type { McpServerConfig, McpSetServersResult } from '../types/mcp-types.js';
import type { SDKUserMessage } from '../types/message-types.js';
import type { Options, OwnParams } from '../types/option-types.js';
import { Input, type Prompt } from './input.js';
import { type KeptHooks, keepHooks } from './kept-hooks.js';
import { callbackHandlers } from './official-callbacks.js';
import { launcherFor, type StartedProcess } from './official-launch.js';
import { OwnServers } from './own-servers.js';
import { TurnWatch } from './turn-watch.js';

/** Includes slow hooks at the start, so it is long; the original waits forever. */
const HANDSHAKE_MS = 660_000;
/** The original waits forever; the CLI may take a while for some answers. */
const DEADLINE_MS = 120_000;

/** How to start a conversation. */
export interface ConversationOptions {
  readonly handshakeMs?: number;
  /** Whether it waits for its first prompt. */
  readonly warm?: boolean;
  /** Whether it waits for its folder as well. */
  readonly parked?: boolean;
  readonly clock?: Clock;
  readonly record?: OwnParams['record'];
}

/** One CLI and the messages exchanged with it: the internal part of a query. */
export class Conversation implements HostRole {
  readonly needsVersion = true;
  readonly #options: Options;
  readonly #core: HostCore;
  readonly #input: Input;
  readonly #turns = new TurnWatch();
  readonly #hooks: KeptHooks;
  readonly #servers: OwnServers;
  readonly #mirror: StoreMirror | undefined;
  readonly #fields: WireObject;
  readonly #stream: MessageBuffer;
  readonly #reader: StoppableReader;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => void this.close(aborted(this.#signal?.reason));
  #manifests: WireObject | undefined;
  #process: StartedProcess | undefined;
  #initialized: Promise<WireObject> | undefined;
  #commands: readonly unknown[] | undefined;
  #closed = false;
  #why: Error | undefined;

  constructor(
    options: Options,
    {
      handshakeMs = HANDSHAKE_MS,
      warm = false,
      parked = false,
      clock = systemClock,
      record,
    }: ConversationOptions = {},
  ) {
    this.#options = options;
    this.#input = new Input(options, this.#turns, clock);
    this.#hooks = keepHooks(options.hooks);
    this.#fields = initializeFields(options, this.#hooks.wire);
    this.#servers = new OwnServers(options.mcpServers, (subtype, params) => this.#send(subtype, params));
    this.#core = new HostCore(this, {
      launch: launcherFor({ ...options, warm, parked, ...(record === undefined ? {} : { record }) }, this),
      // The command line determines the conversation.
      conversation: { sessionId: undefined, resumes: false, onMissing: 'fail', makeUuid: randomUUID },
      handshakeMs,
      deadlineMs: DEADLINE_MS,
      clock,
    });
    this.#core.handlers.handleAll({
      ...callbackHandlers(options, this.#hooks, this),
      mcp_message: this.#servers.handler,
    });
    this.#signal = options.abortController?.signal;
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#stream = this.#core.buffer(() => this.#signal?.removeEventListener('abort', this.#onAbort));
    const reader = this.#stream[Symbol.asyncIterator]().begin();
    const { sessionStore, sessionStoreFlush } = options;
    if (sessionStore !== undefined)
      this.#mirror = new StoreMirror(sessionStore, { eager: sessionStoreFlush === 'eager' });
    this.#reader = this.#mirror === undefined ? reader : new MirroredReader(reader, this.#mirror);
    this.#listen();
  }

  /** The fields of `initialize`. */
  get fields(): WireObject {
    const manifests = this.#manifests;
    return { ...this.#fields, ...(manifests === undefined ? {} : { sdkMcpServerManifests: manifests }) };
  }

  /** The answer to `initialize`. */
  get initialized(): Promise<WireObject> {
    this.#initialized ??= this.#core.requests
      .ready()
      .then(({ info }) => info)
      .catch(async (error: unknown) => {
        throw await this.#explained(error);
      });
    return this.#initialized;
  }

  /** Resolves when the process has exited. */
  get exited(): Promise<void> {
    return this.#process?.transport.ended.then(() => {}) ?? Promise.resolve();
  }

  /** Uses the answer to a claim as the answer to `initialize`, if there is one. */
  describe(claim: Promise<WireObject>): void {
    const parked = this.initialized;
    this.#initialized = claim.then(
      async ({ initialize }) => (isObject(initialize) ? initialize : await parked),
      () => parked,
    );
  }

  get commands(): readonly unknown[] | undefined {
    return this.#commands;
  }

  /** Whether the CLI requires the input with every allowed call, as older ones do. */
  get needsInput(): boolean {
    return this.#core.life.lastConnection?.capabilities.has('takesAllowWithoutInput') !== true;
  }

  /** Starts writing a prompt. A prompt that fails ends the conversation, with its error as the cause. */
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

  /** The next message for the program; throws the error that its loop should throw. */
  next(): Promise<IteratorResult<WireObject, undefined>> {
    return this.#reader.next();
  }

  /** Sends a request; the CLI's input stays open until it is answered. */
  ask(subtype: string, params: WireObject = {}): Promise<WireObject> {
    this.#input.hold();
    return this.#send(subtype, params, () => this.#input.release());
  }

  #send(subtype: string, params: WireObject, settled = () => {}): Promise<WireObject> {
    return this.#core.requests.send(subtype, params).then(
      (answer) => {
        settled();
        return answer;
      },
      async (error: unknown) => {
        settled();
        throw await this.#explained(error);
      },
    );
  }

  setServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
    return this.#servers.set(servers);
  }

  /** Ends it: all waits get `why` immediately, the process is shut down in the background. Resolves when it is gone. */
  close(why?: Error): Promise<void> {
    if (!this.#closed) this.#why = why;
    this.#closed = true;
    const closed = this.#core.life.close();
    const error = closedError(why);
    this.#core.requests.giveUp(error);
    this.#input.stop(error);
    // Nobody reads any more, so further messages are dropped.
    this.#reader.stop(why);
    return closed.then(() => {});
  }

  async prepareServers(): Promise<void> {
    this.#manifests = await this.#servers.manifests();
  }

  processStarted(process: StartedProcess): void {
    this.#process = process;
  }

  initialize(capabilities: Capabilities): RequestBody {
    this.#letInput();
    return { subtype: 'initialize', ...fieldsFor(this.fields, capabilities) };
  }

  connected({ info }: Connection): void {
    warnOfOwnMode(this.#options, info);
  }

  diagnostic(diagnostic: Diagnostic): void {
    this.#turns.noteDiagnostic(diagnostic);
  }

  receive(message: WireObject, length: number, kind: string): void {
    this.#turns.noteMessage(message, kind);
    // Some messages are for the SDK and not for the program.
    if (kind === 'transcript_mirror') return;
    if (kind === 'system/session_state_changed' && message.sdk_host_only === true) return;
    this.#stream.push(message, length);
  }

  gone(cause: Error, { asked }: Gone): void {
    this.#servers.close();
    if (!this.#closed) this.#input.stop(closedError(undefined));
    if (asked || this.#why !== undefined) this.#stream.end(this.#why);
    else void this.#ended(cause, this.#turns).then((error) => this.#stream.end(this.#why ?? error));
  }

  #listen(): void {
    const { messages } = this.#core;
    messages.on('transcript_mirror', (message) => this.#mirror?.take(message));
    messages.on('result', () => {
      void this.#mirror?.flush();
      this.#input.noteResult();
    });
    messages.on('system/session_state_changed', ({ state }) => this.#input.noteState(String(state)));
    messages.on('system/commands_changed', ({ commands }) => {
      if (Array.isArray(commands)) this.#commands = commands;
    });
  }

  /** User messages may follow `initialize` without waiting for its answer. */
  #letInput(): void {
    const process = this.#process;
    if (process === undefined) return;
    const blocks = this.#hooks.mustBlock;
    const givesServers = this.#fields.mcpServers !== undefined;
    if (!blocks && !givesServers) {
      this.#input.open(process);
      return;
    }
    // No prompt may run before the CLI has confirmed that a failed hook blocks, and that it has the servers.
    this.#core.life.ready.then(
      ({ hook_on_failure_supported: honours, mcp_servers_applied: applied }) => {
        if (blocks && honours !== true) this.#inputFailed(new Error(NOT_HONOURED));
        else if (givesServers && applied !== true) this.#endWith(new Error(SERVERS_NOT_TAKEN));
        else this.#input.open(process);
      },
      () => {},
    );
  }

  #inputFailed(error: unknown): void {
    if (this.#closed) return;
    // A broken pipe is not the cause: the end of the CLI is.
    if (error instanceof CoxswainError && error.code === 'TRANSPORT_CLOSED') return;
    this.#endWith(aborted(error));
  }

  /** Ends the CLI; the program gets its last messages before the error. */
  #endWith(why: Error): void {
    this.#why ??= why;
    void this.#core.life.close();
  }

  /** Translates an error of the core for a program of the official SDK. */
  async #explained(error: unknown): Promise<unknown> {
    if (this.#why !== undefined) return this.#why;
    if (error instanceof RefusedError) return refusal(error);
    if (!(error instanceof CoxswainError)) return error;
    if (this.#closed || LOST.has(error.code)) return closedError(error);
    const { result } = this.#turns;
    return (await this.#ended(error, { result, unfinished: undefined })) ?? closedError(error);
  }

  /** The error for the program: if the CLI has ended, how it ended; undefined if that is not an error. */
  async #ended(error: Error, said: LastWords): Promise<Error | undefined> {
    if (!(error instanceof CoxswainError) || !ENDED.has(error.code)) return error;
    const end = await this.#process?.transport.ended;
    if (end === undefined || end.reason === 'closed') return error;
    return endError(end, said, error);
  }
}

/** The codes of failures because the CLI has ended. */
const ENDED: ReadonlySet<string> = new Set([
  'SESSION_ENDED',
  'CLI_ENDED',
  'HANDSHAKE_ENDED',
  'SESSION_MISSING',
  ...startupCodes,
]);

/** The codes of failures because nothing can be sent to the CLI, although it may still run. */
const LOST: ReadonlySet<string> = new Set(['TRANSPORT_CLOSED', 'REQUEST_ABORTED']);

const NOT_HONOURED =
  'A hook has onFailure "block", but this CLI does not say that a failed hook blocks; nothing was sent. Use a newer CLI, or leave onFailure out.';
const SERVERS_NOT_TAKEN =
  'mcpServersDelivery is "initialize", but this CLI does not take MCP servers in initialize; nothing was sent. Use a newer CLI, or leave mcpServersDelivery out.';
