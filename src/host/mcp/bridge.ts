import { Cancellation } from '../../wire/peer/cancellation.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';
import type { OnDiagnostic } from '../../wire/util/diagnostics.js';
import { quiet } from '../../wire/util/listeners.js';
import { serverFailure } from './connect-server.js';
import { type LinkOptions, McpLink } from './link.js';
import type { ToolSession } from './link-transport.js';
import type { InProcessServer } from './server-object.js';

/** The options of a bridge. */
export interface McpBridgeOptions {
  /** Sends the `mcp_message` request for a message that a server starts; resolves when the CLI has it. */
  readonly send: (server: string, message: WireObject) => Promise<unknown>;
  /** How long a server may take to connect and to answer anything except tool calls. Default: 20 s. */
  readonly setupMs?: number | undefined;
  /** The session that tools see. */
  readonly session?: ToolSession | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
  /** Receives diagnostics about failing servers and tools. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** Less than the 30 seconds after which the newest CLI gives up on a server, so that our own error comes first. */
export const DEFAULT_SETUP_MS = 20_000;

/** The in-process MCP servers of one CLI run: carries `mcp_message` in both directions. */
export class McpBridge {
  readonly #send: McpBridgeOptions['send'];
  readonly #shared: Omit<LinkOptions, 'name' | 'server' | 'send'>;
  readonly #links = new Map<string, McpLink>();

  /** Creates a bridge for one CLI. @public */
  constructor(options: McpBridgeOptions) {
    this.#send = options.send;
    this.#shared = {
      setupMs: options.setupMs ?? DEFAULT_SETUP_MS,
      session: options.session ?? { id: undefined },
      clock: options.clock ?? systemClock,
      onDiagnostic: quiet(options.onDiagnostic),
    };
  }

  /** The names of the servers, in order of arrival. */
  get names(): readonly string[] {
    return [...this.#links.keys()];
  }

  /** Starts serving a server; an existing one with the same name is closed first. */
  add(name: string, server: InProcessServer): void {
    void this.remove(name);
    const send = (message: WireObject) => this.#send(name, message);
    this.#links.set(name, new McpLink({ ...this.#shared, name, server, send }));
  }

  /** Closes a server; resolves to whether there was one. */
  async remove(name: string): Promise<boolean> {
    const link = this.#links.get(name);
    this.#links.delete(name);
    await link?.close();
    return link !== undefined;
  }

  /** Resolves when the CLI has completed the handshake with a server; rejects if it could not. */
  async ready(name: string): Promise<void> {
    const link = this.#links.get(name);
    if (link === undefined) throw serverFailure(name, 'is not in this session');
    await link.ready;
  }

  /**
   * Answers one `mcp_message` of the CLI: JSON-RPC requests with the server's response, everything else with an empty
   * object. An unknown server gets an error answer.
   */
  async handle(
    body: WireObject,
    withdrawal: Cancellation = new Cancellation(),
  ): Promise<{ readonly mcp_response: WireObject }> {
    const name = String(body.server_name);
    const link = this.#links.get(name);
    if (link === undefined) throw serverFailure(name, 'is not in this session');
    return { mcp_response: await link.receive(body.message, withdrawal) };
  }

  /** Closes all servers. May be called twice. */
  async close(): Promise<void> {
    const links = [...this.#links.values()];
    this.#links.clear();
    await Promise.all(links.map((link) => link.close()));
  }
}
