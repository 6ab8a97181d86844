import { linkedCli } from '../../../entry/remote/remote-launch.js';
import { RemoteTransport } from '../../../entry/remote/remote-transport.js';
import { Session } from '../../../host/session/session.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { LocalLink } from '../../console/service/local-link.js';

/** The dependencies of {@link GuestSession}. */
export interface GuestSessionParts {
  readonly session: string;
  readonly clock: Clock;
  /** What errors call the CLI. */
  readonly commandLine: string;
  readonly connect: () => LocalLink;
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
    const { session: id, clock, commandLine, connect } = this.#parts;
    const launch = async () => {
      const client = connect();
      const role = { kind: 'guest', after: -1 } as const;
      const transport = new RemoteTransport({ client, session: id, role, clock, partial: true });
      return linkedCli(transport, { client, session: id }, commandLine);
    };
    const session = new Session({ prompts: 'manual' }, { launch, clock });
    this.#session = session;
    await session.ready;
    return session;
  }
}
