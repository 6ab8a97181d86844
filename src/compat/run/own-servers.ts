import { McpBridge } from '../../mcp/bridge.js';
import type { InProcessServer } from '../../mcp/server-object.js';
import type { RequestHandler } from '../../peer/received-requests.js';
import type { WireObject } from '../../protocol/frames.js';
import { wireConfig } from '../../session/mcp/server-option.js';
import { serverObjects } from '../options/servers.js';
import type { McpServerConfig, McpSetServersResult } from '../types/mcp.js';

type Servers = Record<string, McpServerConfig>;

/** Sends a control request. */
type Ask = (subtype: string, params: WireObject) => Promise<WireObject>;

/** The MCP servers of a query that run in this process; another set of servers replaces them, as in the original. */
export class OwnServers {
  readonly #ask: Ask;
  readonly #bridge: McpBridge;
  readonly #serving = new Map<string, InProcessServer>();

  constructor(servers: Servers | undefined, ask: Ask) {
    this.#ask = ask;
    this.#bridge = new McpBridge({
      send: (server, message) => ask('mcp_message', { server_name: server, message }),
    });
    this.#serve(serverObjects(servers));
  }

  /** Answers `mcp_message`. */
  readonly handler: RequestHandler = (body, { withdrawal }) => this.#bridge.handle(body, withdrawal);

  async set(servers: Servers): Promise<McpSetServersResult> {
    const wanted = serverObjects(servers);
    for (const name of [...this.#serving.keys()]) if (wanted[name] === undefined) this.#drop(name);
    this.#serve(wanted);
    const wire = Object.entries(servers).map(([name, server]) => [name, wireConfig(name, server)]);
    const { added, removed, errors } = await this.#ask('mcp_set_servers', {
      servers: Object.fromEntries(wire),
    });
    // Old CLIs leave out what is empty.
    return { added: added ?? [], removed: removed ?? [], errors: errors ?? {} } as McpSetServersResult;
  }

  close(): void {
    void this.#bridge.close();
  }

  #serve(wanted: Readonly<Record<string, InProcessServer>>): void {
    for (const [name, server] of Object.entries(wanted)) {
      if (this.#serving.get(name) === server) continue;
      this.#serving.set(name, server);
      this.#bridge.add(name, server);
    }
  }

  #drop(name: string): void {
    this.#serving.delete(name);
    void this.#bridge.remove(name);
  }
}
