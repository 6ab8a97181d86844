import type { Talk } from '../../bridges/acp/open-sessions.js';
import type { Effort, PermissionMode } from '../../host/cli/options/cli-options.js';
import type { Prompts } from '../../host/session/prompts/open-prompts.js';
import type { Session } from '../../host/session/session.js';
import type { Turn } from '../../host/session/turns/turn.js';
import type { UserInput } from '../../host/session/turns/user-message.js';
import type { ManagerEvents } from '../../server/manager/manager-events.js';
import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import { deferred } from '../../wire/util/deferred.js';

/** A conversation of a console over a session that joins it, and joins it again when the console has parked it. */
export class ConsoleTalk implements Talk {
  readonly conversation: string;
  readonly #session: Session;

  /** The session must reopen itself. */
  constructor(conversation: string, session: Session) {
    this.conversation = conversation;
    this.#session = session;
  }

  get isOpen(): boolean {
    return this.#session.state !== 'ended';
  }

  get prompts(): Prompts {
    return this.#session.prompts;
  }

  /** The session, when its CLI is ready. */
  async wake(): Promise<Session> {
    const { state, ready } = this.#session;
    await (state === 'ended' ? this.#session.reopen() : ready);
    return this.#session;
  }

  send(input: UserInput): Turn {
    return this.#session.send(input);
  }

  on<Event extends 'message' | 'prompt'>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    const tell: (value: never) => void = listener;
    const { conversation } = this;
    return event === 'prompt'
      ? this.#session.on('prompt', (change) => tell({ conversation, ...change } as never))
      : this.#session.on('message', (message) => tell({ conversation, message } as never));
  }

  messages(): AsyncIterable<CliMessage> {
    return { [Symbol.asyncIterator]: () => messagesOf(this.#session) };
  }

  async setModel(model: string): Promise<unknown> {
    return (await this.wake()).setModel(model);
  }

  async setPermissionMode(mode: PermissionMode): Promise<unknown> {
    return (await this.wake()).setPermissionMode(mode);
  }

  async setEffort(effort: Effort | undefined): Promise<unknown> {
    return (await this.wake()).settings.apply({ effortLevel: effort ?? null });
  }

  /** Leaves the conversation to the console. */
  async park(): Promise<void> {
    await this.#session.close();
  }
}

/** Every message of a session over all its CLIs, until the reader leaves. */
function messagesOf(session: Session): AsyncIterator<CliMessage> {
  const read = () => session.messages({ partial: true })[Symbol.asyncIterator]();
  let [now, next] = [read(), deferred<AsyncIterator<CliMessage> | undefined>()];
  const end = () => {
    forget();
    next.resolve(undefined);
  };
  // Read from the handshake on, nothing of a new CLI is missed.
  const forget = session.on('state', (state) => {
    if (state === 'handshaking') next.resolve(read());
  });
  return {
    next: async () => {
      for (;;) {
        // Its turn says why a CLI ended.
        const taken = await now.next().catch(() => undefined);
        if (taken !== undefined && taken.done !== true) return taken;
        const following = await next.promise;
        if (following === undefined) return { done: true, value: undefined };
        now = following;
        next = deferred();
      }
    },
    return: async () => {
      end();
      await now.return?.();
      return { done: true, value: undefined };
    },
  };
}
