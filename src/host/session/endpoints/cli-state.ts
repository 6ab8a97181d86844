import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { DynamicServers } from '../servers/dynamic-servers.js';
import type { SessionServers } from '../servers/session-servers.js';
import type { CliFacts } from './cli-facts.js';
import { TaskList } from './task-list.js';

/** What stays the same over all CLIs of a session. */
export interface CliStateParts {
  readonly launched: readonly string[];
  readonly servers: SessionServers;
  readonly clock: Clock;
}

/** What the endpoints remember of the CLI at hand: the servers it was given, the tasks it told of. */
export class CliState {
  readonly #parts: CliStateParts;
  readonly #dynamic = new DynamicServers();
  readonly #tasks = new TaskList();

  constructor(parts: CliStateParts) {
    this.#parts = parts;
  }

  /** A new CLI knows nothing of what the one before was told. */
  reset(): void {
    this.#dynamic.reset();
    this.#tasks.reset();
  }

  /** Sees every request that was answered with success. */
  noteAnswered(subtype: string, params: WireObject): void {
    if (subtype === 'mcp_set_servers') this.#dynamic.note(params.servers);
  }

  /** Sees every message. */
  noteMessage(message: WireObject): void {
    this.#tasks.note(message);
    if (message.type !== 'system' || message.subtype !== 'init') return;
    this.#parts.servers.noteInit(message, (server) => this.#dynamic.isOff(server));
  }

  facts({ version, patched }: Pick<CliFacts, 'version' | 'patched'>): CliFacts {
    const { launched, clock, servers } = this.#parts;
    const ownTools = (server: string) => servers.tools(server);
    const own = { dynamic: this.#dynamic, tasks: this.#tasks };
    return { version, patched, launched: new Set(launched), ...own, clock, servers, ownTools };
  }
}
