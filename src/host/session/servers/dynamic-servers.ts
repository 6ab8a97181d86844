import type { HostRequestParams } from '../../../wire/protocol/catalog/types.js';
import { isObject } from '../../../wire/protocol/frames.js';

/** The MCP servers that a session can be given, by name. */
export type McpServers = HostRequestParams<'mcp_set_servers'>['servers'];

type ServerConfig = McpServers[string];

/** The servers that were set by `mcp_set_servers` on the current CLI, and those of them that are disabled. */
export class DynamicServers {
  #on = new Map<string, ServerConfig>();
  #off = new Map<string, ServerConfig>();
  #tail: Promise<unknown> = Promise.resolve();

  /** A new CLI knows none of them. Servers that the session disabled stay off. */
  reset(): void {
    this.#on = new Map();
  }

  /** A new CLI got these servers, without those that were disabled. */
  noteStart(servers: McpServers, off: ReadonlyMap<string, ServerConfig>): void {
    this.#on = new Map(Object.entries(servers));
    this.#off = new Map(off);
  }

  /** A CLI accepted this set from the host: earlier sets no longer count, including servers that were disabled. */
  note(servers: unknown): void {
    if (!isObject(servers)) return;
    // The CLI has accepted them, so they are valid servers.
    this.#on = new Map(Object.entries(servers as McpServers));
    this.#off = new Map();
  }

  /** Whether it was set here; a server that is disabled counts. */
  has(name: string): boolean {
    return this.#on.has(name) || this.#off.has(name);
  }

  /** Whether it is disabled. */
  isOff(name: string): boolean {
    return this.#off.has(name);
  }

  /** The configuration of a server, including one that is disabled. */
  configOf(name: string): ServerConfig | undefined {
    return this.#on.get(name) ?? this.#off.get(name);
  }

  /** The servers that are on. */
  get current(): McpServers {
    return Object.fromEntries(this.#on);
  }

  /** The servers that are disabled. */
  get off(): ReadonlyMap<string, ServerConfig> {
    return this.#off;
  }

  /** The servers that are on, without one of them. */
  without(name: string): McpServers {
    const { [name]: _left, ...others } = Object.fromEntries(this.#on);
    return others;
  }

  /** Sends another set; of the previous one, only servers that should stay disabled still count. */
  async replace<Answer>(
    servers: McpServers,
    send: (servers: McpServers) => Promise<Answer>,
    stayOff: readonly string[] = [],
  ): Promise<Answer> {
    const off = [...this.#off].filter(([name]) => stayOff.includes(name));
    const answer = await send(servers);
    this.note(servers);
    this.#off = new Map(off);
    return answer;
  }

  /** A server should not be enabled again. */
  forget(name: string): void {
    this.#off.delete(name);
  }

  /** Sends another set and keeps what is disabled, adding `off`. */
  async swap<Answer>(
    servers: McpServers,
    send: (servers: McpServers) => Promise<Answer>,
    off?: readonly [string, ServerConfig],
  ): Promise<Answer> {
    const before = new Map([...this.#off, ...(off === undefined ? [] : [off])]);
    const answer = await send(servers);
    this.note(servers);
    this.#off = new Map([...before].filter(([name]) => !Object.hasOwn(servers, name)));
    return answer;
  }

  /** Runs one change after another: each replaces the whole set. */
  inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const next = this.#tail.then(change, change);
    this.#tail = next.catch(() => {});
    return next;
  }
}
