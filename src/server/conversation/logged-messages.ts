import type { LogEvent, OutcomeView, QueuedEvent } from '../../entry/remote/contract.js';
import { eventIn, type LogEntry } from './events.js';
import { fateOf, type MessageFate } from './message-fate.js';
import { applyToMessages, isAboutMessages, type LoggedMessage, NO_MESSAGES, sentId } from './messages.js';

/** The ids in a CLI's transcript, and whether the transcript has everything that the CLI wrote. */
export interface TranscriptIds {
  readonly ids: ReadonlySet<string>;
  readonly isWhole: boolean;
}

const NO_TRANSCRIPT: TranscriptIds = { ids: new Set(), isWhole: false };

/** What a log says about the user messages of its session. */
export class LoggedMessages {
  readonly #transcript: TranscriptIds;
  readonly #isCut: boolean;
  #view = NO_MESSAGES;
  /** Every message that was accepted or sent, and how it ended, if that is known. */
  readonly #outcomes = new Map<string, OutcomeView | undefined>();
  /** Those that are over. */
  readonly #over = new Set<string>();

  /** With `isCut`, the end of the log is lost. */
  constructor(transcript = NO_TRANSCRIPT, isCut = false) {
    this.#transcript = transcript;
    this.#isCut = isCut;
  }

  note(entry: LogEntry): void {
    const event = isAboutMessages(entry) ? eventIn(entry)?.event : undefined;
    if (event === undefined || (event.kind === 'queued' && this.#over.has(event.uuid))) return;
    this.#view = applyToMessages(this.#view, event);
    this.#noteEnds(event);
  }

  /** Passes entries on, and notes them. */
  async *noting<Entry extends LogEntry>(
    entries: AsyncIterable<Entry>,
  ): AsyncGenerator<Entry, void, undefined> {
    for await (const entry of entries) {
      this.note(entry);
      yield entry;
    }
  }

  /** Whether a message is in the log: as accepted, or only as sent, if its server was killed in between. */
  has(uuid: string): boolean {
    return this.#outcomes.has(uuid);
  }

  /** Every message, and how it ended, if the log says so. */
  get outcomes(): Map<string, OutcomeView | undefined> {
    return new Map(this.#outcomes);
  }

  /** The messages that have not settled. */
  get unsettled(): readonly QueuedEvent[] {
    return [...this.#view.messages.values()].flatMap(({ accepted }) => accepted ?? []);
  }

  /** Those of them that the next CLI gets. */
  get unsent(): readonly QueuedEvent[] {
    return this.unsettled.filter(({ uuid }) => ['send', 'again'].includes(this.fateOf(uuid)));
  }

  /** What becomes of a message that has not settled, if its owner is gone. */
  fateOf(uuid: string): MessageFate {
    const unknown: LoggedMessage = { sent: false, began: [] };
    const { handed, sent, began } = this.#view.messages.get(uuid) ?? unknown;
    const { as = uuid, resend = true } = handed ?? {};
    const { ids, isWhole } = this.#transcript;
    return fateOf({
      handed: handed !== undefined || sent,
      started: began.includes(as),
      // CLIs that do not report on messages write them down late.
      inTranscript: ids.has(as) || (isWhole && this.#view.reports ? false : undefined),
      resend,
      isCut: this.#isCut,
    });
  }

  #noteEnds(event: LogEvent): void {
    const id = event.kind === 'queued' ? event.uuid : sentId(event);
    if (id !== undefined && !this.#outcomes.has(id)) this.#outcomes.set(id, undefined);
    if (event.kind !== 'settled' && event.kind !== 'unqueued') return;
    const { uuid } = event;
    this.#over.add(uuid);
    if (event.kind === 'settled' && this.#outcomes.has(uuid)) this.#outcomes.set(uuid, event.outcome);
  }
}

/** What some entries of a log say. */
export function loggedMessages(entries: readonly LogEntry[]): LoggedMessages {
  const messages = new LoggedMessages();
  for (const entry of entries) messages.note(entry);
  return messages;
}
