import type { ReceivedEvent } from '../../entry/remote/received-event.js';
import type { ServerLink } from '../../entry/remote/remote-transport.js';
import { deferred } from '../../wire/util/deferred.js';
import type { CommandContext } from '../command-context.js';
import { jsonLine, lookOf } from '../recordings/trace-print.js';
import { eventText } from './event-text.js';

/** Which events are printed, and how. */
export interface PrintedEvents {
  readonly link: ServerLink;
  readonly session: string;
  /** Only events after this number. */
  readonly after: number;
  /** Continues until a signal arrives. */
  readonly follow?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Prints a session's events; resolves to the number of the last one. */
export async function printEvents(
  { link, session, after, follow = false, json = false }: PrintedEvents,
  context: CommandContext,
): Promise<number> {
  const over = deferred<void>();
  const stopListening = [
    context.onSignal(() => over.resolve()),
    link.on('lost', (error) => over.reject(error)),
    link.on('removed', (id) => (id === session ? over.resolve() : undefined)),
  ];
  let seen = after;
  let end = Number.POSITIVE_INFINITY;
  const checkEnd = () => {
    if (!follow && seen >= end) over.resolve();
  };
  const print = printer(json, context);
  const detach = link.attach(session, after, {
    onAttached: ({ from, last }) => {
      seen = Math.max(seen, from - 1);
      end = last;
      checkEnd();
    },
    onEvent: (event) => {
      if (!follow && event.n > end) return;
      print(event);
      seen = event.n;
      keepPace(link, context);
      checkEnd();
    },
  });
  try {
    await over.promise;
  } finally {
    detach();
    for (const stop of stopListening) stop();
  }
  await context.drained();
  return seen;
}

/** A slow reader makes the server wait, which loses nothing. */
function keepPace(link: ServerLink, { drained }: CommandContext): void {
  link.pause();
  void drained().then(() => link.resume());
}

function printer(json: boolean, context: CommandContext): (event: ReceivedEvent) => void {
  const { writeOut } = context;
  if (json) return ({ session, n, at, event }) => writeOut(jsonLine({ session, n, at, event }));
  const look = lookOf(context);
  return ({ at, event }) => {
    const text = eventText(event, look);
    const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    if (text !== undefined) writeOut(`${look.dim(time)}  ${text.replaceAll('\n', `\n${' '.repeat(21)}`)}\n`);
  };
}
