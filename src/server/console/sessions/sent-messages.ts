import type { ClientName } from '../../../entry/remote/contract.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { EventLog } from '../log/event-log.js';

/** How messages end that no turn of the CLI has taken up. */
const UNSENT: ReadonlySet<TurnOutcome['kind']> = new Set([
  'cancelled',
  'closed',
  'cli-ended',
  'error',
  'budget',
]);

/** The user messages of a session that are not done, and the turns that nobody asked for. */
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

  /** Whether anything runs or waits. */
  get busy(): boolean {
    return this.#turns.size + this.#unasked > 0;
  }

  /** Messages that were taken and have not begun, by `uuid`. */
  get queued(): readonly string[] {
    const waits = ({ receipt }: Turn) => receipt === 'held' || receipt === 'queued';
    return [...this.#turns].flatMap(([uuid, turn]) => (waits(turn) ? [uuid] : []));
  }

  /** A message was taken. */
  add(
    uuid: string,
    turn: Turn,
    { content, by }: { content: string | readonly WireObject[]; by: ClientName },
  ): void {
    this.#log.add({ kind: 'queued', uuid, content, by });
    this.#take(uuid, turn);
    this.#onChange();
  }

  /** A message that a server before has left. One that was under way then is not sent twice, and told as lost. */
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

  /** The CLI began a turn by itself. */
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
    const { kind } = await turn.outcome;
    this.#turns.delete(uuid);
    const begun = receipt === 'started' || receipt === 'merged';
    if (!begun && UNSENT.has(kind) && !this.#isLeft(uuid)) this.#log.add({ kind: 'unqueued', uuid });
    this.#onChange();
  }
}

/** What a message says, whatever form it has. */
export function contentOf(input: UserInput): string | readonly WireObject[] {
  if (typeof input === 'string' || Array.isArray(input)) return input;
  const { message } = input as { readonly message?: { readonly content?: string | readonly WireObject[] } };
  return message?.content ?? '';
}
