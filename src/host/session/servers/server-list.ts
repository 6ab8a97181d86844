import { isInProcess, type McpServerMap, wireConfig } from '../../mcp/server-option.js';
import type { McpServers } from './dynamic-servers.js';

type Server = McpServerMap[string];

/** The MCP servers that a session wants, over all of its CLIs: those given when it was opened, and those set since. */
export class ServerList {
  readonly #given: Map<string, Server>;
  #added = new Map<string, Server>();

  constructor(given: McpServerMap = {}) {
    this.#given = new Map(Object.entries(given));
  }

  /** All servers; an added one hides a given one with the same name. */
  get all(): McpServerMap {
    return Object.fromEntries([...this.#given, ...this.#added]);
  }

  /** The servers that were set at run time. */
  get added(): McpServerMap {
    return Object.fromEntries(this.#added);
  }

  /** The given servers that a CLI is started with. */
  get launched(): McpServers {
    return wire([...this.#given]);
  }

  /** The servers that were set at run time, in the format of `mcp_set_servers`. */
  get wireAdded(): McpServers {
    return wire([...this.#added]);
  }

  /** Given servers that the host serves. */
  get inProcess(): McpServers {
    return wire([...this.#given].filter(([, server]) => isInProcess(server)));
  }

  /** The given servers with these names. */
  givenAmong(names: ReadonlySet<string>): McpServers {
    return wire([...this.#given].filter(([name]) => names.has(name)));
  }

  find(name: string): Server | undefined {
    return this.#added.get(name) ?? this.#given.get(name);
  }

  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** Sets the servers wanted at run time. */
  replaceAdded(servers: McpServerMap): void {
    this.#added = new Map(Object.entries(servers));
    // A server that was taken over is no longer a given one: a later CLI must not get it twice.
    for (const name of this.#added.keys()) this.#given.delete(name);
  }

  /** A server is no longer wanted. */
  drop(name: string): void {
    this.#given.delete(name);
    this.#added.delete(name);
  }
}

function wire(entries: readonly (readonly [string, Server])[]): McpServers {
  return Object.fromEntries(entries.map(([name, server]) => [name, wireConfig(name, server)]));
}
