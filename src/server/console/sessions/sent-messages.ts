import type { ClientName, OutcomeView, QueuedEvent } from '../../../entry/remote/contract.js';
import { viewOutcome } from '../../../entry/remote/outcome-view.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import { LoggedMessages } from '../../conversation/logged-messages.js';
import type { LogEntry } from '../log/entry.js';
import type { FoldedLog } from '../log/folded-log.js';
import type { SentOptions } from './session-cli.js';

/** How messages end that no CLI turn has picked up. */
const UNSENT: ReadonlySet<TurnOutcome['kind']> = new Set([
  'cancelled',
  'closed',
  'cli-ended',
  'unknown',
  'error',
  'budget',
]);

/** How many settled messages to remember, to recognize those that are sent again. */
const SETTLED_KEPT = 1_000;

const LOST = 'The server was stopped before this message was answered.';
const UNRECORDED =
  'A CLI has received this message already, but how its turn ended is not recorded. Read the conversation.';

/** What happens outside of {@link SentMessages}. */
export interface SentMessagesParts {
  readonly events: FoldedLog;
  readonly onChange: () => void;
  /** Whether a message is left for the next server. */
  readonly isLeft: (uuid: string) => boolean;
  /** The messages in the transcript: the log of a killed server may lack the last ones, and a long one the first. */
  readonly readTranscript: () => Promise<readonly WireObject[]>;
}

/** A session's unfinished user messages, and unrequested turns. */
export class SentMessages {
  readonly #events: FoldedLog;
  readonly #onChange: () => void;
  readonly #isLeft: (uuid: string) => boolean;
  readonly #readTranscript: () => Promise<readonly WireObject[]>;
  readonly #turns = new Map<string, Turn>();
  /** How the latest messages ended. */
  readonly #settled = new RecentMap<string, OutcomeView>(SETTLED_KEPT);
  /** The last event of earlier servers. */
  readonly #lastBefore: number;
  /** The messages of earlier servers and how they ended, if that is known; read when a message may be one of them. */
  #earlier: Promise<Map<string, OutcomeView | undefined>> | undefined;
  #unasked = 0;

  constructor({ events, onChange, isLeft, readTranscript }: SentMessagesParts) {
    this.#events = events;
    this.#lastBefore = events.log.last;
    this.#onChange = onChange;
    this.#isLeft = isLeft;
    this.#readTranscript = readTranscript;
  }

  /** Whether anything is running or waiting. */
  get busy(): boolean {
    return this.#turns.size + this.#unasked > 0;
  }

  /** A message was accepted. */
  add(turn: Turn, input: UserInput, { options, by }: { options: SentOptions; by: ClientName }): void {
    const { uuid } = options;
    this.#events.add({ kind: 'queued', uuid, content: contentOf(input), by, ...resendFacts(input, options) });
    this.#take(uuid, turn);
    this.#onChange();
  }

  /** A message from an earlier server. If it was in flight, it is not sent twice, but reported as lost. */
  adopt(turn: Turn): void {
    const uuid = String(turn.userMessageId);
    if (this.#turns.has(uuid)) return;
    this.#take(uuid, turn);
    void turn.outcome.then((outcome) => {
      if (outcome.kind !== 'cli-ended' && outcome.kind !== 'unknown') return;
      const text = outcome.kind === 'unknown' ? outcome.message : outcome.error.message;
      this.#events.add({ kind: 'note', level: 'warning', code: 'MESSAGE_LOST', text });
    });
  }

  /**
   * Whether a message is already here. A CLI would ignore the second one, and nothing would settle it: if the first one
   * is over, clients learn again how it ended.
   */
  async repeats(uuid: string): Promise<boolean> {
    if (this.#turns.has(uuid)) return true;
    const outcome = this.#settled.get(uuid) ?? (await this.#earlierOutcome(uuid));
    if (outcome !== undefined) this.#events.add({ kind: 'settled', uuid, outcome });
    return outcome !== undefined;
  }

  /** How a message of an earlier server ended; undefined if there was none with this id. */
  async #earlierOutcome(uuid: string): Promise<OutcomeView | undefined> {
    if (this.#lastBefore === 0) return undefined;
    this.#earlier ??= this.#readEarlier();
    const earlier = await this.#earlier;
    return earlier.has(uuid) ? (earlier.get(uuid) ?? { kind: 'cli-ended', error: LOST }) : undefined;
  }

  /** What earlier servers have sent, and how it ended. */
  async #readEarlier(): Promise<Map<string, OutcomeView | undefined>> {
    const messages = new LoggedMessages();
    for await (const entry of this.#events.log.all())
      if (entry.n <= this.#lastBefore || isEnd(entry)) messages.note(entry);
    const { outcomes } = messages;
    for (const { type, uuid } of await this.#readTranscript())
      if (type === 'user' && typeof uuid === 'string' && !outcomes.has(uuid))
        outcomes.set(uuid, { kind: 'cli-ended', error: UNRECORDED });
    return outcomes;
  }

  /** Cancels a message that has not started. */
  async takeBack(uuid: string): Promise<boolean> {
    return (await this.#turns.get(uuid)?.cancel()) ?? false;
  }

  /** The CLI started a turn on its own. */
  async followUnasked(turn: Turn): Promise<void> {
    this.#unasked += 1;
    this.#onChange();
    await turn.outcome;
    this.#unasked -= 1;
    this.#onChange();
  }

  #take(uuid: string, turn: Turn): void {
    this.#turns.set(uuid, turn);
    void this.#follow(uuid, turn);
  }

  async #follow(uuid: string, turn: Turn): Promise<void> {
    const receipt = await turn.began;
    const begun = receipt === 'started' || receipt === 'merged';
    if (begun) this.#events.add({ kind: 'begun', uuid });
    this.#onChange();
    const outcome = await turn.outcome;
    this.#turns.delete(uuid);
    if (!this.#isLeft(uuid)) {
      if (!begun && UNSENT.has(outcome.kind)) this.#events.add({ kind: 'unqueued', uuid });
      const view = viewOutcome(outcome);
      this.#settled.set(uuid, view);
      this.#events.add({ kind: 'settled', uuid, outcome: view });
      // A failed read is reported to those who asked for it.
      this.#earlier?.then((earlier) => earlier.has(uuid) && earlier.set(uuid, view)).catch(() => {});
    }
    this.#onChange();
  }
}

/** Restoring a session settles what its server left open. */
function isEnd({ rest }: LogEntry): boolean {
  return rest.startsWith('"kind":"settled"');
}

/** What another owner needs to send a message in the same way, besides its content. */
function resendFacts(
  input: UserInput,
  { priority, parentUuid, resend, onLimit }: SentOptions,
): Partial<QueuedEvent> {
  return {
    ...(typeof input === 'string' || Array.isArray(input) ? {} : { message: input as WireObject }),
    ...(priority === undefined ? {} : { priority }),
    ...(parentUuid === undefined ? {} : { parentUuid }),
    ...(resend === false ? { resend } : {}),
    ...(onLimit === undefined ? {} : { onLimit }),
  };
}

/** A message that an earlier owner accepted, in the form in which it was sent, and how to send it. */
export function messageIn({ uuid, content, message, ...event }: QueuedEvent): {
  readonly input: UserInput;
  readonly options: SentOptions;
} {
  const { priority, parentUuid, resend, onLimit } = event;
  const input = (message ?? content) as UserInput;
  // In their order: nothing runs that one of them could join.
  return { input, options: { uuid, whileBusy: 'enqueue', priority, parentUuid, resend, onLimit } };
}

/** A message's text, in whatever form. */
export function contentOf(input: UserInput): string | readonly WireObject[] {
  if (typeof input === 'string' || Array.isArray(input)) return input;
  const { message } = input as { readonly message?: { readonly content?: string | readonly WireObject[] } };
  return message?.content ?? '';
}

/** The first line of a user message, for a title. */
export function titleFrom(content: string | readonly WireObject[]): string | undefined {
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (typeof block.text === 'string' ? block.text : '')).join(' ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line;
}

const TITLE = 80;
