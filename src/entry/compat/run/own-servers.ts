import { McpBridge } from '../../../host/mcp/bridge.js';
import type { InProcessServer } from '../../../host/mcp/server-object.js';
import { wireConfig } from '../../../host/mcp/server-option.js';
import { Cancellation } from '../../../wire/peer/cancellation.js';
import type { RequestHandler } from '../../../wire/peer/received-requests.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { askManifest, captureManifests, type LateManifest, type ServerTalk } from '../mcp/manifests.js';
import { ToolInstance } from '../mcp/official-server.js';
import { serverObjects } from '../options/official-servers.js';
import type { McpServerConfig, McpSetServersResult } from '../types/mcp-types.js';

type Servers = Record<string, McpServerConfig>;

/** Sends a control request. */
type Ask = (subtype: string, params: WireObject) => Promise<WireObject>;

/** Servers of `createSdkMcpServer` only wait for code to load. */
const LOADING_MS = 10_000;
/** Other servers may wait for anything; the CLI itself asks a slow one. */
const ANSWERING_MS = 250;

/** The in-process MCP servers of a query; another set of servers replaces them, as in the original. */
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

  /** The capabilities of the servers, requested while the CLI starts. */
  manifests(): Promise<WireObject | undefined> {
    const asked = [...this.#serving].map(([name, server]): readonly [string, LateManifest] =>
      server instanceof ToolInstance
        ? [name, { manifest: server.manifest, withinMs: LOADING_MS }]
        : [name, { manifest: askManifest(this.#talk(name)), withinMs: ANSWERING_MS }],
    );
    return captureManifests(Object.fromEntries(asked));
  }

  async set(servers: Servers): Promise<McpSetServersResult> {
    const wanted = serverObjects(servers);
    for (const name of [...this.#serving.keys()]) if (wanted[name] === undefined) this.#drop(name);
    this.#serve(wanted);
    const wire = Object.entries(servers).map(([name, server]) => [name, wireConfig(name, server)]);
    const { added, removed, errors } = await this.#ask('mcp_set_servers', {
      servers: Object.fromEntries(wire),
    });
    // Old CLIs leave out empty lists.
    return { added: added ?? [], removed: removed ?? [], errors: errors ?? {} } as McpSetServersResult;
  }

  close(): void {
    void this.#bridge.close();
  }

  /** Talks to a server over the connection that the CLI will use, because most servers accept only one. */
  #talk(name: string): ServerTalk {
    const say = (message: WireObject) =>
      this.#bridge.handle({ server_name: name, message: { jsonrpc: '2.0', ...message } }, new Cancellation());
    return {
      ask: async (method, params) =>
        (await say({ id: `manifest-${method}`, method, params })).mcp_response.result,
      tell: (method) => void say({ method }).catch(() => {}),
    };
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
