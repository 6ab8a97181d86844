import type { ClientEvents, EventListener } from '../../../entry/remote/console-client.js';
import type { Attached } from '../../../entry/remote/contract.js';
import { ReceivedEvent } from '../../../entry/remote/received-event.js';
import type { ServerLink } from '../../../entry/remote/remote-transport.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { Listeners } from '../../../wire/util/listeners.js';
import { type EventOutlet, findPlace, type ViewedSession, type Viewer } from '../socket/viewer.js';

/** What a {@link LocalLink} connects to. */
export interface LocalLinkParts extends Pick<ServerLink, 'command'> {
  readonly find: (session: string) => Promise<ViewedSession>;
}

/** A client of a server without a socket: reads the logs of sessions that this process knows, and sends commands. */
export class LocalLink implements ServerLink {
  readonly ready: Promise<void> = Promise.resolve();
  readonly command: ServerLink['command'];
  readonly #find: LocalLinkParts['find'];
  readonly #listeners = new Listeners<ClientEvents>();
  /** Stops the attachments, by session. */
  readonly #attached = new Map<string, () => void>();
  #pause: Deferred<void> | undefined;
  #over = false;

  constructor({ find, command }: LocalLinkParts) {
    this.#find = find;
    this.command = command;
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
      const viewed = await this.#find(session);
      const { partial = true, watches } = listener;
      const makeViewer = await findPlace(viewed, { after, partial, watches });
      if (!stopped) viewer = makeViewer(this.#outlet(listener, () => stopped));
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

  /** Called when a session was removed. */
  removed(session: string): void {
    this.#attached.get(session)?.();
    this.#listeners.emit('removed', session);
  }

  /** Called when the server does not accept this client any longer. */
  lost(error: Error): void {
    if (this.#over) return;
    this.#end();
    this.#listeners.emit('lost', error);
  }

  pause(): void {
    this.#pause ??= deferred();
  }

  resume(): void {
    this.#pause?.resolve();
    this.#pause = undefined;
  }

  async close(): Promise<void> {
    if (!this.#over) this.#end();
  }

  #end(): void {
    this.#over = true;
    for (const stop of [...this.#attached.values()]) stop();
    this.resume();
    this.#listeners.emit('connected', false);
  }

  #outlet(listener: EventListener, isStopped: () => boolean): EventOutlet {
    const link = this;
    return {
      get open() {
        return !link.#over && !isStopped();
      },
      get writable() {
        return link.#pause === undefined;
      },
      drained: async () => {
        await this.#pause?.promise;
      },
      sendAttached: (attached: Attached) => {
        if (!isStopped()) listener.onAttached?.(attached);
      },
      sendEntry: (session, entry) => listener.onEvent(ReceivedEvent.of(session, entry)),
    };
  }
}
