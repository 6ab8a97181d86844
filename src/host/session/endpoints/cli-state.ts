import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { KeyedQueue } from '../../../wire/util/keyed-queue.js';
import type { LaunchedCli } from '../../core/connection/launch.js';
import type { MessageDispatcher } from '../../core/messages/message-dispatcher.js';
import { DynamicServers, type McpServers } from '../servers/dynamic-servers.js';
import type { SessionServers } from '../servers/session-servers.js';
import type { CliFacts } from './cli-facts.js';
import { TaskList } from './task-list.js';

/** The parts that stay the same for all CLIs of a session. */
export interface CliStateParts {
  readonly launched: readonly string[];
  readonly servers: SessionServers;
  readonly clock: Clock;
  readonly messages: MessageDispatcher;
}

/** Where a CLI runs. */
type CliPlace = Pick<LaunchedCli, 'otherHost' | 'home'>;

/** What the endpoints remember about the current CLI: its servers, and the tasks it reported. */
export class CliState {
  readonly #parts: CliStateParts;
  readonly #dynamic = new DynamicServers();
  readonly #serverQueue = new KeyedQueue();
  readonly #tasks: TaskList;
  #place: CliPlace = {};

  constructor(parts: CliStateParts) {
    const { messages, servers } = parts;
    this.#parts = parts;
    this.#tasks = new TaskList(messages);
    messages.on('system/init', (init) => servers.noteInit(init, (server) => this.#dynamic.isOff(server)));
  }

  /** A new CLI knows nothing about the changes made to the previous one. */
  reset(): void {
    this.#dynamic.reset();
    this.#tasks.reset();
  }

  /** Sets the servers of a new CLI, without those that the session has disabled. */
  async giveServers(
    { otherHost, home }: CliPlace,
    give: (isOff: (server: string) => boolean) => Promise<McpServers>,
  ): Promise<void> {
    this.#place = { otherHost, home };
    const { off } = this.#dynamic;
    this.#dynamic.noteStart(await give((server) => off.has(server)), off);
  }

  /** Records every successful request. */
  noteAnswered(subtype: string, params: WireObject): void {
    if (subtype === 'mcp_set_servers') this.#dynamic.note(params.servers);
  }

  facts({ capabilities }: Pick<CliFacts, 'capabilities'>): CliFacts {
    const { launched, clock, servers } = this.#parts;
    const ownTools = (server: string) => servers.tools(server);
    const own = { dynamic: this.#dynamic, serverQueue: this.#serverQueue, tasks: this.#tasks };
    const known = { capabilities, ...this.#place, launched: new Set(launched) };
    return { ...known, ...own, clock, servers, ownTools };
  }
}
