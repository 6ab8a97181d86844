import { isInProcess, type McpServerMap, wireConfig } from '../../mcp/server-option.js';
import type { McpServers } from './dynamic-servers.js';

type Server = McpServerMap[string];

/** Which MCP servers a session wants, over all of its CLIs: those given when it was opened, and those set since. */
export class ServerList {
  readonly #given: Map<string, Server>;
  #added = new Map<string, Server>();

  constructor(given: McpServerMap = {}) {
    this.#given = new Map(Object.entries(given));
  }

  /** All servers; one that was added hides a given one of the same name. */
  get all(): McpServerMap {
    return Object.fromEntries([...this.#given, ...this.#added]);
  }

  /** The servers that were set at run time. */
  get added(): McpServerMap {
    return Object.fromEntries(this.#added);
  }

  /** Given servers as a CLI is started with them. */
  get launched(): McpServers {
    return wire([...this.#given]);
  }

  /** The servers that were set at run time, as `mcp_set_servers` takes them. */
  get wireAdded(): McpServers {
    return wire([...this.#added]);
  }

  /** Given servers that the host serves. */
  get inProcess(): McpServers {
    return wire([...this.#given].filter(([, server]) => isInProcess(server)));
  }

  /** Those given servers that are named here. */
  givenAmong(names: ReadonlySet<string>): McpServers {
    return wire([...this.#given].filter(([name]) => names.has(name)));
  }

  find(name: string): Server | undefined {
    return this.#added.get(name) ?? this.#given.get(name);
  }

  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** Another set is wanted at run time. */
  replaceAdded(servers: McpServerMap): void {
    this.#added = new Map(Object.entries(servers));
    // What was taken over is not given any more: a CLI that is started later must not have it twice.
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
