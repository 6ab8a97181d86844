import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { HostRequestParams } from '../../../wire/protocol/catalog/types.js';
import type { McpServerMap } from '../../mcp/server-option.js';
import type { GetFacts } from '../endpoints/cli-facts.js';
import { type McpServerView, withoutSupport, withSupport } from '../endpoints/support.js';
import type { McpServers } from '../servers/dynamic-servers.js';
import {
  checkServer,
  type McpServerAnswer,
  refusedRow,
  statusOf,
  withUnlisted,
} from '../servers/mcp-answer.js';
import { changeServer } from '../servers/mcp-switch.js';
import { listTools, type McpToolsAnswer } from '../servers/mcp-tools.js';
import {
  addServers,
  type ChangeJob,
  type McpServersChange,
  removeServer,
  setServers,
} from '../servers/server-changes.js';
import type { Call, ControlAnswer } from './call.js';

/** Options for calling a server's tool without the model. */
export interface McpCallOptions extends RequestOptions {
  /** How long the tool may run, in milliseconds. Default: two minutes. */
  readonly timeoutMs?: number | undefined;
  /** The time after which the call is no longer useful. */
  readonly expiresAt?: string | number | undefined;
  /** Applies the tool rules first. */
  readonly checkPermissions?: boolean | undefined;
  /** Keeps the result out of the conversation. */
  readonly resultNotForModel?: boolean | undefined;
  /** Keys as on the wire. */
  readonly inputFiles?: HostRequestParams<'mcp_call'>['input_files'];
  /** Keys as on the wire. */
  readonly outputFiles?: HostRequestParams<'mcp_call'>['output_files'];
}

/** Options of a sign-in to an MCP server. */
export interface McpAuthenticateOptions extends RequestOptions {
  /** The address the browser is redirected to afterwards. */
  readonly redirectUri?: string | undefined;
  /** Accepts no other address. */
  readonly redirectUriOnly?: boolean | undefined;
}

/** How much longer than the tool itself a call may take. */
const CALL_MARGIN_MS = 10_000;

/** Control methods about MCP servers. */
export class McpControls {
  readonly #call: Call;
  readonly #facts: GetFacts;

  constructor(call: Call, facts: GetFacts) {
    this.#call = call;
    this.#facts = facts;
  }

  /** Lists the MCP servers with their state, including servers that are disabled by leaving them out and in-process servers that the CLI has not initialised yet. */
  async status(options?: RequestOptions): Promise<ControlAnswer<'mcp_status'>> {
    const answer = await this.#listed(options);
    return (await this.#facts()).otherHost === undefined ? answer : withoutSupport(answer);
  }

  async #listed(options: RequestOptions | undefined): Promise<ControlAnswer<'mcp_status'>> {
    const facts = await this.#facts();
    const answer =
      facts.otherHost === undefined
        ? await this.#call('mcp_status', {}, options)
        : await statusOf(facts.otherHost, options);
    return withUnlisted(answer, {
      off: facts.dynamic.off.keys(),
      inProcess: facts.servers.inProcessNames,
    });
  }

  /** Lists the same servers with the possible actions for each, and why others are not possible. */
  async servers(options?: RequestOptions): Promise<readonly McpServerView[]> {
    const { mcpServers } = await this.#listed(options);
    return withSupport(Array.isArray(mcpServers) ? mcpServers : [], await this.#facts());
  }

  /** Replaces the servers that were added at run time; those that the session was opened with stay. */
  async set(servers: McpServerMap, options?: RequestOptions): Promise<McpServersChange> {
    const job = this.#change(options);
    return setServers(servers, await job);
  }

  /** Adds servers, or replaces those with the same names. Resolves when they are connected or have failed. */
  async add(servers: McpServerMap, options?: RequestOptions): Promise<McpServersChange> {
    const job = this.#change(options);
    return addServers(servers, await job);
  }

  /** Removes a server. A server that the session was opened with can be removed only if the CLI supports it. */
  async remove(serverName: string, options?: RequestOptions): Promise<McpServersChange> {
    const job = this.#change(options);
    return removeServer(serverName, await job);
  }

  /** Reconnects a server. */
  reconnect(serverName: string, options?: RequestOptions): Promise<McpServerAnswer> {
    return changeServer('mcp_reconnect', serverName, this.#with(options));
  }

  /** Enables a server again; newer CLIs remember it for the folder. */
  enable(serverName: string, options?: RequestOptions): Promise<McpServerAnswer> {
    return changeServer('mcp_enable', serverName, this.#with(options));
  }

  /** Disables a server; newer CLIs remember it for the folder, even after the session (`remembered`). */
  disable(serverName: string, options?: RequestOptions): Promise<McpServerAnswer> {
    return changeServer('mcp_disable', serverName, this.#with(options));
  }

  /** Lists the tools of one server or of all; details that the CLI does not report are absent. */
  tools(serverName?: string, options?: RequestOptions): Promise<McpToolsAnswer> {
    return listTools(serverName, this.#with(options));
  }

  /** Calls a tool of a connected server without the model; `tool` is its full name, `mcp__clock__now`. */
  call(
    tool: string,
    input?: Record<string, unknown>,
    callOptions: McpCallOptions = {},
  ): Promise<ControlAnswer<'mcp_call'>> {
    const { timeoutMs, expiresAt, checkPermissions, resultNotForModel, inputFiles, outputFiles, ...options } =
      callOptions;
    const params = {
      tool,
      arguments: input,
      timeout_ms: timeoutMs,
      expires_at: expiresAt,
      check_permissions: checkPermissions,
      result_not_for_model: resultNotForModel,
      input_files: inputFiles,
      output_files: outputFiles,
    };
    // Our deadline must not come before the CLI's own.
    const patientMs = timeoutMs === undefined ? undefined : timeoutMs + CALL_MARGIN_MS;
    return this.#call('mcp_call', params, { ...options, deadlineMs: options.deadlineMs ?? patientMs });
  }

  /** Reads a user-interface resource (`ui://`) of a connected server. */
  readResource(
    serverName: string,
    uri: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'mcp_read_resource'>> {
    return this.#about(serverName, this.#call('mcp_read_resource', { serverName, uri }, options), options);
  }

  /** Sets a stricter permission mode for one server; null removes it. */
  async setPermissionMode(
    serverName: string,
    mode: 'default' | 'auto' | null,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'set_mcp_permission_mode_override'>> {
    const answer = await this.#call('set_mcp_permission_mode_override', { serverName, mode }, options);
    // CLIs accept it for an unknown server, with a warning.
    if (answer.warning !== undefined)
      await checkServer({ server: serverName, call: this.#call, facts: await this.#facts(), options });
    return answer;
  }

  /** Lets a connected server push messages into the conversation. */
  enableChannel(serverName: string, options?: RequestOptions): Promise<ControlAnswer<'channel_enable'>> {
    return this.#about(serverName, this.#call('channel_enable', { serverName }, options), options);
  }

  /** Starts a sign-in to a server that requires it. */
  authenticate(
    serverName: string,
    { redirectUri, redirectUriOnly, ...options }: McpAuthenticateOptions = {},
  ): Promise<ControlAnswer<'mcp_authenticate'>> {
    return this.#about(
      serverName,
      this.#call('mcp_authenticate', { serverName, redirectUri, redirectUriOnly }, options),
      options,
    );
  }

  /** Passes the callback address of a server sign-in. */
  submitCallbackUrl(
    serverName: string,
    callbackUrl: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'mcp_oauth_callback_url'>> {
    return this.#about(
      serverName,
      this.#call('mcp_oauth_callback_url', { serverName, callbackUrl }, options),
      options,
    );
  }

  /** Deletes the stored sign-in of a server. */
  clearAuth(serverName: string, options?: RequestOptions): Promise<ControlAnswer<'mcp_clear_auth'>> {
    return this.#about(serverName, this.#call('mcp_clear_auth', { serverName }, options), options);
  }

  /** Maps the different refusals of an unknown server to one error. */
  async #about<Answer>(
    server: string,
    asked: Promise<Answer>,
    options: RequestOptions | undefined,
  ): Promise<Answer> {
    try {
      return await asked;
    } catch (error) {
      await refusedRow(error, { server, call: this.#call, facts: await this.#facts(), options });
      throw error;
    }
  }

  async #change(options: RequestOptions | undefined): Promise<ChangeJob> {
    const facts = await this.#facts();
    const send = (servers: McpServers) => this.#call('mcp_set_servers', { servers }, options);
    const dropPatched = (server: string) =>
      this.#call('mcp_disable', { server_name: server, remove: true }, options);
    return { facts, servers: facts.servers, send, options, dropPatched };
  }

  #with(options: RequestOptions | undefined) {
    return { call: this.#call, facts: this.#facts, options };
  }
}
