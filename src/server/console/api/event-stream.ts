import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Attached } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { isSettled } from '../../conversation/states.js';
import type { Visitor } from '../http/access.js';
import { type LogEntry, socketText } from '../log/entry.js';
import type { ServedSession } from '../sessions/served-session.js';
import type { HubClient } from '../socket/hub.js';
import { Outlet, type OutletLimits, type OutletSocket } from '../socket/outlet.js';
import { type EventOutlet, Viewer } from '../socket/viewer.js';

/** The dependencies of an {@link EventStream}. */
export interface EventStreamParts {
  readonly visitor: Visitor;
  readonly clock: Clock;
  readonly limits?: OutletLimits | undefined;
}

/** Which events of a conversation are wanted. */
export interface WantedEvents {
  /** The number of the last known event. */
  readonly after: number;
  readonly partial: boolean;
  /** Ends the stream when nothing runs. */
  readonly untilSettled: boolean;
}

/** A client that reads server-sent events: bounded like a socket, and one of the server's clients. */
export class EventStream implements HubClient {
  readonly visitor: Visitor;
  readonly client: string = randomUUID();
  readonly #response: ServerResponse;
  readonly #outlet: Outlet;
  #viewer: Viewer | undefined;
  #session: ServedSession | undefined;
  #untilSettled = false;

  constructor(response: ServerResponse, { visitor, clock, limits }: EventStreamParts) {
    this.visitor = visitor;
    this.#response = response;
    this.#outlet = new Outlet(socketOf(response), clock, limits);
    // A client that disconnects is no reason to crash; the end event follows.
    response.on('error', () => {});
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    // Without a body, the headers would wait for the first event.
    response.flushHeaders();
  }

  /** Sends the events of one conversation from now on, and nothing else. */
  follow(session: ServedSession, { after, partial, untilSettled }: WantedEvents): void {
    this.#session = session;
    this.#untilSettled = untilSettled;
    this.#viewer = new Viewer(session, this.#events(), { after, partial });
    this.#endIfSettled();
  }

  /** Calls back once the client is gone, for whatever reason. */
  onGone(gone: () => void): void {
    this.#response.once('close', () => {
      this.#viewer?.stop();
      this.#outlet.end();
      gone();
    });
  }

  /** A server message. A client that follows one conversation gets only messages about it. */
  send(text: string): void {
    if (this.#session === undefined) {
      const { type } = JSON.parse(text) as { type: string };
      this.#outlet.send(`event: ${type}\ndata: ${text}\n\n`);
    }
    this.#endIfSettled();
  }

  forget(session: string): void {
    if (this.#session?.id !== session) return;
    this.#outlet.send(`event: session-removed\ndata: ${JSON.stringify({ session })}\n\n`);
    this.#outlet.close(0);
  }

  /** Nobody answers this, but sending reveals a dead connection. */
  checkAlive(): void {
    this.#outlet.send(': still here\n\n');
  }

  close(): void {
    this.#outlet.close(0);
  }

  terminate(): void {
    this.#response.destroy();
  }

  #events(): EventOutlet {
    const outlet = this.#outlet;
    return {
      get open() {
        return outlet.open;
      },
      get writable() {
        return outlet.writable;
      },
      drained: () => outlet.drained(),
      sendAttached: (attached: Attached) =>
        outlet.send(`event: attached\ndata: ${JSON.stringify(attached)}\n\n`),
      sendEntry: (session: string, entry: LogEntry) => {
        outlet.sendEvent(`id: ${entry.n}\ndata: ${socketText(session, entry)}\n\n`);
        this.#endIfSettled();
      },
    };
  }

  #endIfSettled(): void {
    if (!this.#untilSettled || this.#session === undefined || this.#viewer?.isCaughtUp !== true) return;
    if (isSettled(this.#session.summary.state)) this.#outlet.close(0);
  }
}

/** A response, with the parts of a socket that an outlet needs. */
function socketOf(response: ServerResponse): OutletSocket {
  return {
    OPEN: 1,
    get readyState() {
      return response.writableEnded || response.destroyed ? 3 : 1;
    },
    get bufferedAmount() {
      return response.writableLength + (response.socket?.writableLength ?? 0);
    },
    close: () => void response.end(),
    terminate: () => void response.destroy(),
    send: (data, _options, taken) => void response.write(data, (error) => taken(error ?? undefined)),
  };
}
