import type { LogEvent, OutcomeView } from '../../../entry/remote/contract.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import { LoggedMessages } from '../../conversation/logged-messages.js';
import type { LogEntry } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';

/** How many settled messages to remember, to recognize those that are sent again. */
const SETTLED_KEPT = 1_000;

const LOST = 'The server was stopped before this message was answered.';
const UNRECORDED =
  'A CLI has received this message already, but how its turn ended is not recorded. Read the conversation.';

/** How the messages of a session ended, also those of earlier servers: one that comes again is not sent again. */
export class KnownMessages {
  readonly #log: EventLog;
  readonly #readTranscript: () => Promise<readonly WireObject[]>;
  readonly #settled = new RecentMap<string, OutcomeView>(SETTLED_KEPT);
  /** The last event of earlier servers. */
  readonly #lastBefore: number;
  /** The messages of earlier servers and how they ended, if that is known; read when a message may be one of them. */
  #earlier: Promise<Map<string, OutcomeView | undefined>> | undefined;

  /** The transcript is read too: the log of a killed server may lack the last messages, and a long one the first. */
  constructor(log: EventLog, readTranscript: () => Promise<readonly WireObject[]>) {
    this.#log = log;
    this.#lastBefore = log.last;
    this.#readTranscript = readTranscript;
  }

  note(event: LogEvent): void {
    if (event.kind !== 'settled') return;
    const { uuid, outcome } = event;
    this.#settled.set(uuid, outcome);
    // A failed read is reported to those who asked for it.
    this.#earlier?.then((earlier) => earlier.has(uuid) && earlier.set(uuid, outcome)).catch(() => {});
  }

  /** How a message ended; undefined if there was none with this id. */
  async outcomeOf(uuid: string): Promise<OutcomeView | undefined> {
    const settled = this.#settled.get(uuid);
    if (settled !== undefined || this.#lastBefore === 0) return settled;
    this.#earlier ??= this.#readEarlier();
    const earlier = await this.#earlier;
    return earlier.has(uuid) ? (earlier.get(uuid) ?? { kind: 'cli-ended', error: LOST }) : undefined;
  }

  /** What earlier servers have sent, and how it ended. */
  async #readEarlier(): Promise<Map<string, OutcomeView | undefined>> {
    const messages = new LoggedMessages();
    for await (const entry of this.#log.all())
      if (entry.n <= this.#lastBefore || isEnd(entry)) messages.note(entry);
    const { outcomes } = messages;
    for (const { type, uuid } of await this.#readTranscript())
      if (type === 'user' && typeof uuid === 'string' && !outcomes.has(uuid))
        outcomes.set(uuid, { kind: 'cli-ended', error: UNRECORDED });
    return outcomes;
  }
}

/** Restoring a session settles what its server left open. */
function isEnd({ rest }: LogEntry): boolean {
  return rest.startsWith('"kind":"settled"');
}
