import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Attached, Position, SessionSummary } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { isPassing } from '../../conversation/events.js';
import { isSettled } from '../../conversation/states.js';
import { applyEntries } from '../../conversation/view.js';
import type { Visitor } from '../http/access.js';
import { type LogEntry, socketText } from '../log/entry.js';
import type { ServedSession } from '../sessions/served-session.js';
import type { HubClient } from '../socket/hub.js';
import { Outlet, type OutletLimits, type OutletSocket } from '../socket/outlet.js';
import { type EventOutlet, findPlace, type Viewer, type ViewerOptions } from '../socket/viewer.js';
import { type FrontEnd, FrontEndEvents, headersFor } from './front-end-events.js';

/** The dependencies of an {@link EventStream}. */
export interface EventStreamParts {
  readonly visitor: Visitor;
  readonly clock: Clock;
  readonly limits?: OutletLimits | undefined;
  /** The protocol of a front end that the client reads. */
  readonly frontEnd?: FrontEnd | undefined;
}

/** Which events of a conversation are wanted. */
export interface WantedEvents extends ViewerOptions {
  /** Ends the stream when nothing runs. */
  readonly untilSettled: boolean;
}

/** A client that reads server-sent events: bounded like a socket, and one of the server's clients. */
export class EventStream implements HubClient {
  readonly visitor: Visitor;
  readonly client: string = randomUUID();
  readonly #response: ServerResponse;
  readonly #outlet: Outlet;
  readonly #frontEnd: FrontEnd | undefined;
  #viewer: Viewer | undefined;
  #session: ServedSession | undefined;
  /** If it ends when nothing runs: what is known of the conversation, and the last number that was sent. */
  #view: SessionSummary | undefined;
  #sent = 0;
  /** The last event that is not a part of a message. */
  #kept: Omit<Position, 'after'> = {};

  constructor(response: ServerResponse, { visitor, clock, limits, frontEnd }: EventStreamParts) {
    this.visitor = visitor;
    this.#frontEnd = frontEnd;
    this.#response = response;
    this.#outlet = new Outlet(socketOf(response), clock, limits);
    // A client that disconnects is no reason to crash; the end event follows.
    response.on('error', () => {});
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      ...headersFor(frontEnd),
    });
    // Without a body, the headers would wait for the first event.
    response.flushHeaders();
  }

  /** Sends the events of one conversation from now on, and nothing else. */
  async follow(session: ServedSession, { untilSettled, ...options }: WantedEvents): Promise<void> {
    this.#session = session;
    if (untilSettled) this.#view = await session.latest();
    const { kept, series } = options;
    if (series !== undefined) this.#kept = { kept, series };
    const makeViewer = await findPlace(session, options);
    if (!this.#outlet.open) return;
    this.#viewer = makeViewer(this.#events(session.id));
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

  changed(_summary: SessionSummary, text: string): void {
    this.send(text);
  }

  forget(session: string): void {
    if (this.#session?.id !== session) return;
    if (this.#frontEnd === undefined)
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

  #events(conversation: string): EventOutlet {
    const outlet = this.#outlet;
    const events =
      this.#frontEnd === undefined ? undefined : new FrontEndEvents(this.#frontEnd, conversation);
    return {
      get open() {
        return outlet.open;
      },
      get writable() {
        return outlet.writable;
      },
      drained: () => outlet.drained(),
      sendAttached: (attached: Attached) => {
        if (attached.reset) this.#kept = {};
        this.#sent = attached.from - 1;
        if (events === undefined) outlet.send(`event: attached\ndata: ${JSON.stringify(attached)}\n\n`);
      },
      sendEntry: (session: string, entry: LogEntry) => {
        const { n, series } = entry;
        if (series !== undefined && !isPassing(entry)) this.#kept = { kept: n, series };
        const data = events === undefined ? [socketText(session, entry)] : events.take(entry);
        const id = eventId({ after: n, ...this.#kept });
        if (data.length > 0) outlet.sendEvent(data.map((text) => `id: ${id}\ndata: ${text}\n\n`).join(''));
        this.#sent = n;
        if (events?.isOver === true) outlet.close(0);
        if (this.#view !== undefined) this.#view = applyEntries(this.#view, [entry]);
        this.#endIfSettled();
      },
    };
  }

  /** Lists of conversations are a moment older than the log on a fleet, so the log decides. */
  #endIfSettled(): void {
    const view = this.#view;
    if (view === undefined || this.#viewer?.isCaughtUp !== true || this.#sent < view.last) return;
    // A message that was just accepted is about to start.
    const isAboutToRun = view.queued.length > 0 && (view.state === 'idle' || view.state === 'parked');
    if (isSettled(view.state) && !isAboutToRun) this.#outlet.close(0);
  }
}

const EVENT_ID = /^(?<after>\d{1,15})(?:@(?<kept>\d{1,15})-(?<series>[\w-]{1,40}))?$/;

/** The id of an event in a stream: its number, and on a fleet what tells whether the log has lost it. */
function eventId({ after, kept, series }: Position): string {
  return series === undefined ? String(after) : `${after}@${kept}-${series}`;
}

/** Reads the id of an event; undefined if it is none. */
export function positionIn(id: string): Position | undefined {
  const found = EVENT_ID.exec(id)?.groups;
  if (found === undefined) return undefined;
  const after = Number(found.after);
  return found.series === undefined ? { after } : { after, kept: Number(found.kept), series: found.series };
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
