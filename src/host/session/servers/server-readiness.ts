import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { describeRow, rowsOf } from './wait-for-servers.js';

/** Knows which MCP servers did not complete their setup, for the error of a failed open. */
export class McpReadiness {
  #pending = new Set<string>();

  /** A CLI is about to start its handshake. */
  restart(names: readonly string[]): void {
    this.#pending = new Set(names);
  }

  get pending(): readonly string[] {
    return [...this.#pending];
  }

  /** Watches the handshake of in-process servers; a host does not see that of other servers. */
  note({ subtype, message, server_name: name }: RequestBody): void {
    if (subtype !== 'mcp_message' || !isObject(message)) return;
    if (message.method === 'notifications/initialized') this.#pending.delete(String(name));
  }
}

/** Watches the start of turns and reports servers that the model cannot use in them, once per state. */
export class UnreadyServers {
  readonly #told = new Set<string>();

  /** Checks a `system/init`, which lists the servers as the model sees them. */
  look(init: WireObject, wanted: readonly string[]): Diagnostic | undefined {
    const rows = rowsOf(init);
    const unready = wanted.filter((name) => rows.get(name)?.status !== 'connected');
    const news = unready.filter((name) => !this.#told.has(describeRow(name, rows.get(name))));
    for (const name of news) this.#told.add(describeRow(name, rows.get(name)));
    if (news.length === 0) return undefined;
    const which = news.map((name) => describeRow(name, rows.get(name))).join(', ');
    const message = `A turn starts without these MCP servers: ${which}. Use "waitForServers" to wait for them.`;
    return { code: 'MCP_NOT_READY', message, servers: news };
  }
}
