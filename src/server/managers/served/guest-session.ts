import { linkedCli } from '../../../entry/remote/remote-launch.js';
import { RemoteTransport } from '../../../entry/remote/remote-transport.js';
import { Session } from '../../../host/session/session.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { Conversations } from '../../console/service/conversations.js';

/** The dependencies of {@link GuestSession}. */
export interface GuestSessionParts {
  readonly server: Conversations;
  readonly session: string;
  readonly clock: Clock;
  /** What errors call the CLI. */
  readonly commandLine: string;
}

/** A session with the CLI of a conversation, for everything that a conversation has no method for. */
export class GuestSession {
  readonly #parts: GuestSessionParts;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;

  constructor(parts: GuestSessionParts) {
    this.#parts = parts;
  }

  /** The session, while its CLI runs. */
  get connected(): Session | undefined {
    return this.#session?.state === 'ready' ? this.#session : undefined;
  }

  /** Joins the running CLI. */
  open(): Promise<Session> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    await this.#session?.close();
    this.#session = undefined;
  }

  async #open(): Promise<Session> {
    const { server, session: id, clock, commandLine } = this.#parts;
    const launch = async () => {
      const client = server.connect();
      await client.ready;
      const role = { kind: 'guest', after: -1 } as const;
      // A program that only reads does not keep a CLI from being parked.
      const watches = false;
      const transport = new RemoteTransport({ client, session: id, role, clock, partial: true, watches });
      return linkedCli(transport, { client, session: id }, commandLine);
    };
    const session = new Session({ prompts: 'manual' }, { launch, clock });
    this.#session = session;
    await session.ready;
    return session;
  }
}
