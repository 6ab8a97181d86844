import type {
  CommandParams,
  CommandValue,
  HistoryEntry,
  SearchView,
  UsageView,
} from '../../../entry/remote/contract.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ReceivedCommand } from '../../console/commands/command.js';
import { HISTORY_LIMIT } from '../../console/commands/history.js';
import { diskOf } from '../placement/choose-worker.js';
import type { WorkerList } from '../placement/worker-list.js';
import type { FleetSessions } from './fleet-sessions.js';

/** The dependencies of {@link FleetHistory}. */
export interface FleetHistoryParts {
  readonly sessions: Pick<FleetSessions, 'byConversation'>;
  readonly workers: Pick<WorkerList, 'all'>;
  /** Asks a worker; undefined if it does not answer. */
  readonly ask: (worker: string, command: ReceivedCommand) => Promise<unknown>;
}

type HistoryCommand = 'history' | 'history.search' | 'history.usage';

/** Conversations on the disks of all workers. Workers that share a disk are asked once. */
export class FleetHistory {
  readonly #parts: FleetHistoryParts;

  constructor(parts: FleetHistoryParts) {
    this.#parts = parts;
  }

  /** Runs a command; undefined for other commands. */
  run(command: ReceivedCommand): Promise<CommandValue<HistoryCommand>> | undefined {
    switch (command.name) {
      case 'history':
        return this.#list(command);
      case 'history.search':
        return this.#search(command);
      case 'history.usage':
        return this.#usage(command);
      default:
        return undefined;
    }
  }

  /** The disk that has a conversation, if workers have several. */
  async diskOf(conversation: string, command: ReceivedCommand): Promise<string | undefined> {
    if (this.#disks.size < 2) return undefined;
    const params: CommandParams<'history.messages'> = { conversation, limit: 1 };
    const answers = await this.#askDisks(() => ({ ...command, name: 'history.messages', params }));
    return [...answers].find(([, value]) => hasMessages(value))?.[0];
  }

  async #list(command: ReceivedCommand): Promise<CommandValue<'history'>> {
    const { limit = HISTORY_LIMIT } = command.params as CommandParams<'history'>;
    const answers = await this.#askDisks(() => command);
    const all = [...answers.values()].flatMap(
      (value) => (value as unknown as CommandValue<'history'>).conversations,
    );
    return { conversations: this.#merged(all).slice(0, limit) };
  }

  async messages(command: ReceivedCommand): Promise<CommandValue<'history.messages'>> {
    const answers = await this.#askDisks(() => command);
    const found = [...answers.values()].find(hasMessages);
    return (found ?? { messages: [] }) as unknown as CommandValue<'history.messages'>;
  }

  async #search(command: ReceivedCommand): Promise<SearchView> {
    const { values, next } = await this.#askOn<SearchView>(command);
    return { found: this.#merged(values.flatMap(({ found }) => found)), next };
  }

  /** A conversation that has moved is counted on each disk. */
  async #usage(command: ReceivedCommand): Promise<UsageView> {
    const { values, next } = await this.#askOn<UsageView>(command);
    return { rows: values.flatMap(({ rows }) => rows), next };
  }

  /** The next part of an answer that comes in parts: each disk has its own position. */
  async #askOn<Value extends { readonly next: string | undefined }>(command: ReceivedCommand) {
    const { after, ...params } = command.params as { readonly after?: string };
    const positions = after === undefined ? undefined : positionsIn(after);
    const answers = await this.#askDisks((disk) => {
      if (positions === undefined) return command;
      const position = positions[disk];
      return position === undefined ? undefined : { ...command, params: { ...params, after: position } };
    });
    const values = [...answers] as unknown as readonly (readonly [string, Value])[];
    const next = values.flatMap(([disk, value]) => (value.next === undefined ? [] : [[disk, value.next]]));
    return {
      values: values.map(([, value]) => value),
      next: next.length === 0 ? undefined : JSON.stringify(Object.fromEntries(next)),
    };
  }

  /** The answer for each disk that has a question. @throws the error of a worker if all have failed. */
  async #askDisks(
    question: (disk: string) => ReceivedCommand | undefined,
  ): Promise<ReadonlyMap<string, WireObject>> {
    const answers = new Map<string, WireObject>();
    let failure: unknown = new CoxswainError('FLEET_NO_WORKER', 'No worker responds.');
    const askOne = async (disk: string, worker: string) => {
      const command = question(disk);
      if (command === undefined) return;
      try {
        const value = await this.#parts.ask(worker, command);
        if (isObject(value)) answers.set(disk, value);
      } catch (error) {
        failure = error;
      }
    };
    await Promise.all([...this.#disks].map(([disk, worker]) => askOne(disk, worker)));
    if (answers.size === 0) throw failure;
    return answers;
  }

  /** A worker for each disk. */
  get #disks(): ReadonlyMap<string, string> {
    return new Map(this.#parts.workers.all.map((each) => [diskOf(each), each.worker]));
  }

  /** The newest first, each conversation once, with its session in the fleet. */
  #merged<Entry extends HistoryEntry>(entries: readonly Entry[]): readonly Entry[] {
    const { byConversation } = this.#parts.sessions;
    const newest = new Map<string, Entry>();
    for (const entry of entries.toSorted((one, other) => other.changedAt - one.changedAt))
      if (!newest.has(entry.conversation)) newest.set(entry.conversation, entry);
    return [...newest.values()].map((entry) => ({
      ...entry,
      session: byConversation.get(entry.conversation)?.id,
    }));
  }
}

function hasMessages({ messages }: WireObject): boolean {
  return Array.isArray(messages) && messages.length > 0;
}

/** Where to continue on each disk. */
function positionsIn(after: string): Readonly<Record<string, unknown>> {
  try {
    const positions: unknown = JSON.parse(after);
    if (isObject(positions)) return positions;
  } catch {
    // The same error.
  }
  throw new CoxswainError('COMMAND_INVALID', 'The parameter "after" must be "next" of an earlier answer.');
}
