import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { describeRow, rowsOf } from './wait-for-servers.js';

/** Watches how turns begin, and tells of servers that the model cannot use in them; each state once. */
export class UnreadyServers {
  readonly #told = new Set<string>();

  /** Looks at a `system/init`, which lists the servers as the model sees them. */
  look(init: WireObject, wanted: readonly string[]): Diagnostic | undefined {
    const rows = rowsOf(init);
    const unready = wanted.filter((name) => rows.get(name)?.status !== 'connected');
    const news = unready.filter((name) => !this.#told.has(describeRow(name, rows.get(name))));
    for (const name of news) this.#told.add(describeRow(name, rows.get(name)));
    if (news.length === 0) return undefined;
    const which = news.map((name) => describeRow(name, rows.get(name))).join(', ');
    const message = `A turn begins without these MCP servers: ${which}. Use "waitForServers" to wait for them.`;
    return { code: 'MCP_NOT_READY', message, servers: news };
  }
}
