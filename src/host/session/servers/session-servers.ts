import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { RequestHandler } from '../../../wire/peer/received-requests.js';
import { isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Capabilities } from '../../cli/capabilities.js';
import type { LaunchedCli } from '../../core/connection/launch.js';
import { DEFAULT_SETUP_MS, McpBridge } from '../../mcp/bridge.js';
import type { ToolSession } from '../../mcp/link-transport.js';
import { findInProcess } from '../../mcp/server-object.js';
import type { McpServerMap } from '../../mcp/server-option.js';
import type { McpServers } from './dynamic-servers.js';
import { type McpTool, toTool } from './mcp-tools.js';
import { ServerList } from './server-list.js';
import { UnreadyServers } from './server-readiness.js';
import { isTimeout, notReady, type WaitForServers, waitToOpen } from './wait-for-servers.js';

/** The session options about MCP servers. */
export interface ServerOptions {
  readonly mcpServers?: McpServerMap | undefined;
  readonly waitForServers?: WaitForServers | undefined;
  readonly handshakeMs?: number | undefined;
  /** How long an in-process server may take to connect, and for every answer except that of a tool. */
  readonly mcpSetupMs?: number | undefined;
}

/** The dependencies of {@link SessionServers}, besides the options. */
export interface SessionServersParts {
  readonly session: ToolSession;
  readonly clock: Clock;
  readonly onDiagnostic: OnDiagnostic;
}

/** What is known about the CLI whose servers are being set up. */
type StartedServers = Pick<
  LaunchedCli,
  'commandLine' | 'stderrTail' | 'debugLog' | 'serversToSet' | 'otherHost'
>;

/** Sends a control request to the current CLI. */
export type Ask = (subtype: string, params: WireObject, options?: RequestOptions) => Promise<WireObject>;

/** The MCP servers of a session: the wanted ones, and those that run in this process. */
export class SessionServers {
  /** The servers that the session wants. */
  readonly list: ServerList;
  readonly #options: ServerOptions;
  readonly #parts: SessionServersParts;
  #ask: Ask = noCli;
  #bridge: McpBridge;
  #unready = new UnreadyServers();
  #listed = new ListedTools();
  /** The given servers that the current CLI was not started with. */
  #overWire: ReadonlySet<string> = new Set();

  constructor(options: ServerOptions, parts: SessionServersParts) {
    this.#options = options;
    this.#parts = parts;
    this.list = new ServerList(options.mcpServers);
    this.#bridge = this.#makeBridge();
  }

  /** Answers `mcp_message`; the caller's own handler answers for servers that do not run here. */
  handlerBeside(own: RequestHandler | undefined): RequestHandler {
    return async (body, context) => {
      if (own !== undefined && !this.bridge.names.includes(String(body.server_name)))
        return own(body, context);
      const answer = await this.bridge.handle(body, context.withdrawal);
      this.#listed.note(body, answer.mcp_response);
      return answer;
    };
  }

  /** The names of the given servers that the host serves, for `initialize`. */
  get inProcessNames(): readonly string[] {
    return Object.keys(this.list.inProcess);
  }

  /** Serves the in-process servers of the current CLI. */
  get bridge(): McpBridge {
    return this.#bridge;
  }

  /** A new CLI has started: every in-process server gets a new connection. */
  attach(ask: Ask): void {
    this.detach();
    this.#ask = ask;
    this.#unready = new UnreadyServers();
    this.#listed = new ListedTools();
    this.#overWire = new Set();
    this.#bridge = this.#makeBridge();
    for (const [name, option] of Object.entries(this.list.all)) {
      const server = findInProcess(option);
      if (server !== undefined) this.#bridge.add(name, server);
    }
  }

  /** The CLI is gone: calls that run for it are aborted. */
  detach(): void {
    void this.#bridge.close();
  }

  /**
   * The given servers that `mcp_set_servers` would replace like those it set itself: every set must include them, or they
   * are removed. They include in-process servers, unless the CLI keeps those and would refuse them.
   */
  keptOn(capabilities: Capabilities): McpServers {
    const inProcess = capabilities.has('replacesInProcessServers') ? this.list.inProcess : {};
    return { ...inProcess, ...this.list.givenAmong(this.#overWire) };
  }

  /**
   * Sets the servers that a CLI was not started with, or those of the previous CLI, and waits for servers if requested.
   * Resolves to the servers that later sets start from.
   * @throws OpenError `MCP_NOT_READY` naming the servers that did not connect.
   */
  async prepare(
    capabilities: Capabilities,
    cli: StartedServers,
    isOff: (server: string) => boolean = () => false,
  ): Promise<McpServers> {
    this.#overWire = new Set(cli.serversToSet?.(capabilities));
    const wanted = { ...this.keptOn(capabilities), ...this.list.wireAdded };
    const servers = Object.fromEntries(Object.entries(wanted).filter(([name]) => !isOff(name)));
    await this.#setAll(servers, cli);
    const { waitForServers } = this.#options;
    const askStatus = (deadlineMs: number) => this.#ask('mcp_status', {}, { deadlineMs });
    const parts = { askStatus, clock: this.#parts.clock };
    if (waitForServers !== undefined) await waitToOpen(waitForServers, parts, cli);
    return servers;
  }

  /** Checks the start of a turn, and reports servers that are missing in it. */
  noteInit(init: WireObject, isOff: (server: string) => boolean): void {
    const wanted = Object.keys(this.list.all).filter((server) => !isOff(server));
    const unready = this.#unready.look(init, wanted);
    if (unready !== undefined) this.#parts.onDiagnostic(unready);
  }

  /** Waits until the CLI has completed the handshake with an in-process server; resolves to the reason if it failed. */
  async whyNotReady(name: string): Promise<string | undefined> {
    const setupMs = this.#setupMs;
    const why = `the CLI did not complete its handshake within ${setupMs} ms`;
    let stopTimer = () => {};
    const late = new Promise<string>((resolve) => {
      stopTimer = this.#parts.clock.after(setupMs, () => resolve(why));
    });
    try {
      return await Promise.race([this.bridge.ready(name).then(() => undefined), late]);
    } catch (error) {
      return errorText(error);
    } finally {
      stopTimer();
    }
  }

  /**
   * The tools of an in-process server that the CLI knows: tools added later cannot be
   * called. A CLI that has not asked yet will get the server's current list. Undefined for any other server.
   */
  tools(serverName: string): Promise<readonly McpTool[]> | undefined {
    if (!this.bridge.names.includes(serverName)) return undefined;
    const listed = this.#listed.of(serverName);
    return listed === undefined ? this.#listTools(serverName) : Promise.resolve(listed);
  }

  get #setupMs(): number {
    return this.#options.mcpSetupMs ?? DEFAULT_SETUP_MS;
  }

  /** Sends the set unless the CLI already has all of it, from its command line and from the handshake. */
  async #setAll(servers: McpServers, cli: StartedServers): Promise<void> {
    const names = [...this.#overWire, ...Object.keys(this.list.added)];
    if (names.length === 0) return;
    const options = { deadlineMs: this.#options.handshakeMs };
    const setting =
      cli.otherHost?.ask('mcp.add', { servers: this.list.wireAdded }, options) ??
      this.#ask('mcp_set_servers', { servers }, options);
    const { errors } = await setting.catch((error: unknown) => {
      throw isTimeout(error) ? notReady('The CLI did not set MCP servers in time.', names, cli) : error;
    });
    for (const [server, error] of Object.entries(isObject(errors) ? errors : {})) {
      const message = `MCP server "${server}" could not be connected: ${error}`;
      this.#parts.onDiagnostic({ code: 'MCP_SERVER_FAILED', message, server });
    }
  }

  #makeBridge(): McpBridge {
    const { session, clock, onDiagnostic } = this.#parts;
    const ask = this.#ask;
    const send = (server: string, message: WireObject) =>
      ask('mcp_message', { server_name: server, message });
    return new McpBridge({ send, setupMs: this.#setupMs, session, clock, onDiagnostic });
  }

  async #listTools(serverName: string): Promise<readonly McpTool[]> {
    const tools: McpTool[] = [];
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const message = { jsonrpc: '2.0', id: `tools-${page}`, method: 'tools/list', params };
      const { mcp_response: answer } = await this.bridge.handle({ server_name: serverName, message });
      const result = isObject(answer.result) ? answer.result : {};
      tools.push(...objectsIn(result.tools).map((tool) => toTool(serverName, tool)));
      cursor = result.nextCursor;
      if (typeof cursor !== 'string') break;
    }
    return tools;
  }
}

/** The maximum number of tool pages to read: a server may return pages forever. */
const MOST_PAGES = 100;

async function noCli(): Promise<never> {
  throw new CoxswainError('SESSION_ENDED', 'No CLI is running.');
}

/**
 * The in-process tools that the current CLI knows, which its model can call. A CLI may greet a server twice and list
 * its tools once, before or after the second greeting, so a greeting changes nothing here.
 */
export class ListedTools {
  readonly #tools = new Map<string, readonly McpTool[]>();

  /** Watches what a server answers to the CLI. */
  note({ server_name: name, message }: WireObject, { result }: WireObject): void {
    if (!isObject(message) || message.method !== 'tools/list' || !isObject(result)) return;
    const server = String(name);
    const isFirstPage = !isObject(message.params) || message.params.cursor === undefined;
    const before = isFirstPage ? [] : (this.#tools.get(server) ?? []);
    this.#tools.set(server, [...before, ...objectsIn(result.tools).map((tool) => toTool(server, tool))]);
  }

  /** Undefined if the CLI has not asked. */
  of(server: string): readonly McpTool[] | undefined {
    return this.#tools.get(server);
  }
}
