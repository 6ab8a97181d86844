import type { ClientName } from '../../../entry/remote/contract.js';
import { viewOutcome } from '../../../entry/remote/outcome-view.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { EventLog } from '../log/event-log.js';

/** How messages end that no CLI turn has picked up. */
const UNSENT: ReadonlySet<TurnOutcome['kind']> = new Set([
  'cancelled',
  'closed',
  'cli-ended',
  'error',
  'budget',
]);

/** A session's unfinished user messages, and unrequested turns. */
export class SentMessages {
  readonly #log: EventLog;
  readonly #onChange: () => void;
  /** Whether a message is left for the next server. */
  readonly #isLeft: (uuid: string) => boolean;
  readonly #turns = new Map<string, Turn>();
  #unasked = 0;

  constructor(log: EventLog, onChange: () => void, isLeft: (uuid: string) => boolean) {
    this.#log = log;
    this.#onChange = onChange;
    this.#isLeft = isLeft;
  }

  /** Whether anything is running or waiting. */
  get busy(): boolean {
    return this.#turns.size + this.#unasked > 0;
  }

  /** Accepted messages that have not started, by `uuid`. */
  get queued(): readonly string[] {
    const waits = ({ receipt }: Turn) => receipt === 'held' || receipt === 'queued';
    return [...this.#turns].flatMap(([uuid, turn]) => (waits(turn) ? [uuid] : []));
  }

  /** A message was accepted. */
  add(
    uuid: string,
    turn: Turn,
    { content, by }: { content: string | readonly WireObject[]; by: ClientName },
  ): void {
    this.#log.add({ kind: 'queued', uuid, content, by });
    this.#take(uuid, turn);
    this.#onChange();
  }

  /** A message from an earlier server. If it was in flight, it is not sent twice, but reported as lost. */
  adopt(turn: Turn): void {
    this.#take(String(turn.userMessageId), turn);
    void turn.outcome.then((outcome) => {
      if (outcome.kind !== 'cli-ended') return;
      const text = outcome.error.message;
      this.#log.add({ kind: 'note', level: 'warning', code: 'MESSAGE_LOST', text });
    });
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
    this.#onChange();
    const outcome = await turn.outcome;
    this.#turns.delete(uuid);
    const begun = receipt === 'started' || receipt === 'merged';
    if (!this.#isLeft(uuid)) {
      if (!begun && UNSENT.has(outcome.kind)) this.#log.add({ kind: 'unqueued', uuid });
      this.#log.add({ kind: 'settled', uuid, outcome: viewOutcome(outcome) });
    }
    this.#onChange();
  }
}

/** A message's text, in whatever form. */
export function contentOf(input: UserInput): string | readonly WireObject[] {
  if (typeof input === 'string' || Array.isArray(input)) return input;
  const { message } = input as { readonly message?: { readonly content?: string | readonly WireObject[] } };
  return message?.content ?? '';
}
