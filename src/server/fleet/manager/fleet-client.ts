import type { ClientEvents, CommandOptions, EventListener } from '../../../entry/remote/console-client.js';
import type { Attached, CommandName, CommandParams, CommandValue } from '../../../entry/remote/contract.js';
import { ReceivedEvent } from '../../../entry/remote/received-event.js';
import type { ServerLink } from '../../../entry/remote/remote-transport.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { Listeners } from '../../../wire/util/listeners.js';
import { socketText } from '../../console/log/entry.js';
import { type EventOutlet, Viewer } from '../../console/socket/viewer.js';
import type { FleetLink } from './fleet-link.js';

/** A client of a console, without a console: it reads the log of one conversation and sends commands to its worker. */
export class FleetClient implements ServerLink {
  readonly #link: FleetLink;
  readonly #owner: string;
  readonly #listeners = new Listeners<ClientEvents>();
  /** Stops the attachments, by session. */
  readonly #attached = new Map<string, () => void>();
  #pause: Deferred<void> | undefined;
  #over = false;

  constructor(link: FleetLink, owner: string) {
    this.#link = link;
    this.#owner = owner;
  }

  get connected(): boolean {
    return !this.#over;
  }

  on<Event extends keyof ClientEvents>(
    event: Event,
    listener: (value: ClientEvents[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener);
  }

  command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    options: CommandOptions = {},
  ): Promise<CommandValue<Name>> {
    return this.#link.ask(name, params, { ...options, owner: this.#owner });
  }

  attach(session: string, after: number, listener: EventListener): () => void {
    this.#attached.get(session)?.();
    let viewer: Viewer | undefined;
    let stopped = false;
    const stop = () => {
      stopped = true;
      viewer?.stop();
      if (this.#attached.get(session) === stop) this.#attached.delete(session);
    };
    this.#attached.set(session, stop);
    const begin = async () => {
      const { id, log } = await this.#link.sessions.find(session);
      // A program that only reads does not keep a CLI from being parked.
      const viewed = { id, log, viewersChanged: () => {} };
      const outlet = this.#outlet(listener, () => stopped);
      if (!stopped) viewer = new Viewer(viewed, outlet, { after, partial: listener.partial ?? true });
    };
    const failed = (error: unknown) => {
      if (stopped) return;
      // NATS has not responded for a while.
      if (errorCode(error) === 'FLEET_NOT_STARTED') begin().catch(failed);
      else this.removed(session);
    };
    begin().catch(failed);
    return stop;
  }

  /** Called when the conversation was deleted. */
  removed(session: string): void {
    this.#attached.get(session)?.();
    this.#listeners.emit('removed', session);
  }

  pause(): void {
    this.#pause ??= deferred();
  }

  resume(): void {
    this.#pause?.resolve();
    this.#pause = undefined;
  }

  async close(): Promise<void> {
    this.#over = true;
    for (const stop of [...this.#attached.values()]) stop();
    this.resume();
  }

  #outlet(listener: EventListener, isStopped: () => boolean): EventOutlet {
    const client = this;
    return {
      get open() {
        return !client.#over && !isStopped();
      },
      get writable() {
        return client.#pause === undefined;
      },
      drained: async () => {
        await this.#pause?.promise;
      },
      sendAttached: (attached: Attached) => {
        if (!isStopped()) listener.onAttached?.(attached);
      },
      sendEntry: (session, entry) => {
        const event = ReceivedEvent.read(socketText(session, entry));
        if (event !== undefined) listener.onEvent(event);
      },
    };
  }
}
