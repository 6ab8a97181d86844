import type { WireObject } from '../../protocol/frames.js';
import { isObject } from '../../protocol/frames.js';

/** How a server is reached, as the wire has it. */
export type ServerConfig = WireObject;

/** The servers that were set by `mcp_set_servers` on the CLI at hand, and those of them that are switched off. */
export class DynamicServers {
  #on = new Map<string, ServerConfig>();
  #off = new Map<string, ServerConfig>();
  #tail: Promise<unknown> = Promise.resolve();

  /** A new CLI knows none of them. */
  reset(): void {
    this.#on = new Map();
    this.#off = new Map();
  }

  /** A CLI has taken this set. One that the host sets anew is no longer switched off. */
  note(servers: unknown): void {
    if (!isObject(servers)) return;
    const entries = Object.entries(servers).flatMap(([name, config]) =>
      isObject(config) ? [[name, config] as const] : [],
    );
    for (const [name] of entries) this.#off.delete(name);
    this.#on = new Map(entries);
  }

  /** Whether it was set here; a server that is switched off counts. */
  has(name: string): boolean {
    return this.#on.has(name) || this.#off.has(name);
  }

  /** Whether it is switched off. */
  isOff(name: string): boolean {
    return this.#off.has(name);
  }

  /** The set without one server. */
  without(name: string): Record<string, ServerConfig> {
    const { [name]: _left, ...others } = Object.fromEntries(this.#on);
    return others;
  }

  /** The set with one server, in the place of what there was of it. */
  with(name: string): Record<string, ServerConfig> {
    const config = this.#on.get(name) ?? this.#off.get(name);
    return { ...this.without(name), ...(config === undefined ? {} : { [name]: config }) };
  }

  /** Keeps how a server is reached while it is taken out of the set. */
  switchOff(name: string, config: ServerConfig): void {
    this.#off.set(name, config);
  }

  configOf(name: string): ServerConfig | undefined {
    return this.#on.get(name) ?? this.#off.get(name);
  }

  /** Runs one change after another: each replaces the whole set. */
  inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const next = this.#tail.then(change, change);
    this.#tail = next.catch(() => {});
    return next;
  }
}
