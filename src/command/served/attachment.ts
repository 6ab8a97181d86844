import { randomUUID } from 'node:crypto';
import type { ConsoleAddress } from '../../entry/remote/console-client.js';
import type { LogEvent } from '../../entry/remote/contract.js';
import type { ServerLink } from '../../entry/remote/remote-transport.js';
import { startSession } from '../../entry/sdk/open-session.js';
import type { Prompt } from '../../host/session/prompts/prompt.js';
import type { Session } from '../../host/session/session.js';
import type { Conversations } from '../../server/console/service/conversations.js';
import { MessageFold } from '../../wire/protocol/reading/message-fold.js';
import { within } from '../../wire/util/clock.js';
import { deferred } from '../../wire/util/deferred.js';
import { errorCode, errorText } from '../../wire/util/error-text.js';
import { plainLine } from '../../wire/util/plain.js';
import { TerminalAnswerer } from '../asking/terminal-answerer.js';
import type { CommandContext } from '../command-context.js';
import { TextOutput } from '../run/output.js';
import { toolCallsIn } from '../run/turn-view.js';
import type { Keyboard } from '../terminal/keyboard.js';
import { lookFor } from '../terminal/look.js';
import { Screen } from '../terminal/screen.js';
import { eventText } from './event-text.js';

/** The dependencies of an {@link Attachment}. */
export interface AttachmentOptions {
  readonly conversations: Conversations;
  readonly link: ServerLink;
  /** For a separate connection, over which prompts are answered. */
  readonly address: ConsoleAddress;
  readonly session: string;
  /** The number of the last event shown. */
  readonly after: number;
  readonly keyboard: Keyboard;
}

/** How long a question waits for the preceding text. */
const CATCH_UP_MS = 1_000;

/** A console session in a terminal: shows the conversation, and sends typed lines. */
export class Attachment implements AsyncDisposable {
  readonly #options: AttachmentOptions;
  readonly #context: CommandContext;
  readonly #screen: Screen;
  readonly #fold = new MessageFold();
  readonly #output: TextOutput;
  readonly #keyboard: SharedKeyboard;
  readonly #answerer: TerminalAnswerer;
  #guest: Session | undefined;
  readonly #over = new AbortController();
  readonly #release: readonly (() => void)[];
  readonly #mine = new Set<string>();
  /** By prompt id: resolves when the prompt has been shown. */
  readonly #shown = new Map<string, ReturnType<typeof deferred<void>>>();
  #lost: Error | undefined;

  constructor(options: AttachmentOptions, context: CommandContext) {
    const { link, session, after, keyboard } = options;
    const { outIsTty, errIsTty, env, platform, onSignal } = context;
    this.#options = options;
    this.#context = context;
    this.#screen = new Screen({ ...context, look: lookFor({ isTty: errIsTty, env, platform }) });
    this.#output = new TextOutput(this.#screen, outIsTty);
    this.#keyboard = new SharedKeyboard(keyboard);
    this.#answerer = new TerminalAnswerer(this.#screen, this.#keyboard, { leaves: true });
    this.#release = [
      onSignal(() => this.#over.abort()),
      link.on('lost', (error) => this.#end(error)),
      link.on('removed', (id) => (id === session ? this.#end() : undefined)),
      link.attach(session, after, { onEvent: ({ event }) => this.#show(event) }),
    ];
  }

  /** Sends typed lines until the person or the console leaves. */
  async talk(): Promise<void> {
    await this.#wake();
    this.#guest = this.#join();
    await this.#guest.ready;
    for (;;) {
      const line = await this.#keyboard.nextMessage(this.#over.signal);
      if (this.#lost !== undefined) throw this.#lost;
      if (line === undefined) return;
      if (line.trim() !== '') await this.#send(line);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    for (const each of this.#release) each();
    await this.#guest?.close();
  }

  /** A viewer keeps a CLI from being parked, so this comes later. */
  async #wake(): Promise<void> {
    const { conversations, session } = this.#options;
    const state = conversations.all.find(({ id }) => id === session)?.state;
    if (state === 'ended' || state === 'parked') await conversations.command('reopen', {}, { session });
  }

  async #send(content: string): Promise<void> {
    const { conversations, session } = this.#options;
    try {
      await this.#sendOnce(content).catch(async (error: unknown) => {
        if (errorCode(error) !== 'SESSION_ENDED') throw error;
        await conversations.command('reopen', {}, { session });
        await this.#sendOnce(content);
      });
    } catch (error) {
      this.#screen.note(this.#screen.look.red(errorText(error)));
    }
  }

  async #sendOnce(content: string): Promise<void> {
    const { conversations, session } = this.#options;
    const id = randomUUID();
    this.#mine.add(id);
    await conversations.command('send', { content }, { session, id });
  }

  /** Prompts are answered like those of a local session; this shows nothing. */
  #join(): Session {
    const { address, session } = this.#options;
    return startSession({
      remote: { ...address, session },
      buffer: { messages: 1, characters: 1 },
      onDiagnostic: null,
      onPermission: async (prompt) => {
        await this.#untilShown(prompt);
        return this.#answerer.permission(prompt);
      },
      onQuestion: async (prompt) => {
        await this.#untilShown(prompt);
        return this.#answerer.question(prompt);
      },
    });
  }

  async #untilShown({ id }: Prompt): Promise<void> {
    await within(this.#shownPrompt(id).promise, CATCH_UP_MS, this.#context.clock);
  }

  #shownPrompt(id: string): ReturnType<typeof deferred<void>> {
    const known = this.#shown.get(id) ?? deferred<void>();
    this.#shown.set(id, known);
    return known;
  }

  #show(event: LogEvent): void {
    const { look } = this.#screen;
    if (event.kind === 'line' && event.from === 'cli' && event.frame !== undefined) {
      const changes = this.#fold.take(event.frame);
      this.#output.message(event.frame, changes);
      for (const call of toolCallsIn(changes))
        this.#screen.note(look.dim(plainLine(`${look.dot} ${call}`, 500)));
      return;
    }
    // Another CLI asks again.
    if (event.kind === 'state' && event.state === 'idle' && this.#guest?.state === 'ended')
      this.#guest = this.#join();
    if (event.kind === 'queued' && this.#mine.delete(event.uuid)) return;
    if (event.kind === 'prompt') this.#shownPrompt(event.prompt.id).resolve();
    if (event.kind === 'prompt-settled') this.#shown.delete(event.prompt);
    const text = event.kind === 'line' ? undefined : eventText(event, look);
    if (text !== undefined) this.#screen.note(text);
  }

  #end(error?: Error): void {
    this.#lost = error;
    this.#over.abort();
  }
}

/** A keyboard for messages and answers: while a question is open, the next line is the answer. */
class SharedKeyboard implements Keyboard {
  readonly #keyboard: Keyboard;
  #asking: Promise<unknown> = Promise.resolve();
  #interrupt = new AbortController();

  constructor(keyboard: Keyboard) {
    this.#keyboard = keyboard;
  }

  /** The answer to the open question. */
  readLine(signal: AbortSignal): Promise<string | undefined> {
    this.#interrupt.abort();
    const line = this.#keyboard.readLine(signal);
    this.#asking = line;
    return line;
  }

  /** The next line while no question is open; undefined if the input ended or the signal came first. */
  async nextMessage(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      await this.#asking;
      this.#interrupt = new AbortController();
      const interrupted = this.#interrupt.signal;
      const line = await this.#keyboard.readLine(AbortSignal.any([signal, interrupted]));
      if (line !== undefined || signal.aborted || !interrupted.aborted) return line;
    }
  }
}
