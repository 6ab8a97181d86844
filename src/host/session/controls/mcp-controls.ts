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
import { changeServer, type ServerChange } from '../servers/mcp-switch.js';
import { listTools, type McpToolsAnswer } from '../servers/mcp-tools.js';
import {
  addServers,
  type ChangeJob,
  type McpServersChange,
  removeServer,
  setServers,
} from '../servers/server-changes.js';
import type { Call, ControlAnswer } from './call.js';
import type { OneCall } from './one-call.js';

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
  readonly #oneCall: OneCall;

  constructor(call: Call, facts: GetFacts, oneCall: OneCall) {
    this.#call = call;
    this.#facts = facts;
    this.#oneCall = oneCall;
  }

  /** Lists the MCP servers with their state, including servers that are disabled by leaving them out and in-process servers that the CLI has not initialised yet. */
  status(options?: RequestOptions): Promise<ControlAnswer<'mcp_status'>> {
    return this.#oneCall('mcp.status', options, async (inTime) => {
      const answer = await this.#listed(inTime);
      return (await this.#facts()).otherHost === undefined ? answer : withoutSupport(answer);
    });
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
  servers(options?: RequestOptions): Promise<readonly McpServerView[]> {
    return this.#oneCall('mcp.servers', options, async (inTime) => {
      const { mcpServers } = await this.#listed(inTime);
      return withSupport(Array.isArray(mcpServers) ? mcpServers : [], await this.#facts());
    });
  }

  /** Replaces the servers that were added at run time; those that the session was opened with stay. */
  set(servers: McpServerMap, options?: RequestOptions): Promise<McpServersChange> {
    return this.#change('mcp.set', options, (job) => setServers(servers, job));
  }

  /** Adds servers, or replaces those with the same names. Resolves when they are connected or have failed. */
  add(servers: McpServerMap, options?: RequestOptions): Promise<McpServersChange> {
    return this.#change('mcp.add', options, (job) => addServers(servers, job));
  }

  /** Removes a server. A server that the session was opened with can be removed only if the CLI supports it. */
  remove(serverName: string, options?: RequestOptions): Promise<McpServersChange> {
    return this.#change('mcp.remove', options, (job) => removeServer(serverName, job));
  }

  /** Reconnects a server. */
  reconnect(serverName: string, options?: RequestOptions): Promise<McpServerAnswer> {
    return this.#switch('mcp_reconnect', serverName, options);
  }

  /** Enables a server again; newer CLIs remember it for the folder. */
  enable(serverName: string, options?: RequestOptions): Promise<McpServerAnswer> {
    return this.#switch('mcp_enable', serverName, options);
  }

  /** Disables a server; newer CLIs remember it for the folder, even after the session (`remembered`). */
  disable(serverName: string, options?: RequestOptions): Promise<McpServerAnswer> {
    return this.#switch('mcp_disable', serverName, options);
  }

  /** Lists the tools of one server or of all; details that the CLI does not report are absent. */
  tools(serverName?: string, options?: RequestOptions): Promise<McpToolsAnswer> {
    return this.#oneCall('mcp.tools', options, (inTime) => listTools(serverName, this.#with(inTime)));
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
    return this.#about(serverName, options, (inTime) =>
      this.#call('mcp_read_resource', { serverName, uri }, inTime),
    );
  }

  /** Sets a stricter permission mode for one server; null removes it. */
  setPermissionMode(
    serverName: string,
    mode: 'default' | 'auto' | null,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'set_mcp_permission_mode_override'>> {
    return this.#oneCall('mcp.setPermissionMode', options, async (inTime) => {
      const answer = await this.#call('set_mcp_permission_mode_override', { serverName, mode }, inTime);
      // CLIs accept it for an unknown server, with a warning.
      if (answer.warning !== undefined)
        await checkServer({
          server: serverName,
          call: this.#call,
          facts: await this.#facts(),
          options: inTime,
        });
      return answer;
    });
  }

  /** Lets a connected server push messages into the conversation. */
  enableChannel(serverName: string, options?: RequestOptions): Promise<ControlAnswer<'channel_enable'>> {
    return this.#about(serverName, options, (inTime) => this.#call('channel_enable', { serverName }, inTime));
  }

  /** Starts a sign-in to a server that requires it. */
  authenticate(
    serverName: string,
    { redirectUri, redirectUriOnly, ...options }: McpAuthenticateOptions = {},
  ): Promise<ControlAnswer<'mcp_authenticate'>> {
    return this.#about(serverName, options, (inTime) =>
      this.#call('mcp_authenticate', { serverName, redirectUri, redirectUriOnly }, inTime),
    );
  }

  /** Passes the callback address of a server sign-in. */
  submitCallbackUrl(
    serverName: string,
    callbackUrl: string,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'mcp_oauth_callback_url'>> {
    return this.#about(serverName, options, (inTime) =>
      this.#call('mcp_oauth_callback_url', { serverName, callbackUrl }, inTime),
    );
  }

  /** Deletes the stored sign-in of a server. */
  clearAuth(serverName: string, options?: RequestOptions): Promise<ControlAnswer<'mcp_clear_auth'>> {
    return this.#about(serverName, options, (inTime) => this.#call('mcp_clear_auth', { serverName }, inTime));
  }

  /** Maps the different refusals of an unknown server to one error. */
  #about<Answer>(
    server: string,
    options: RequestOptions | undefined,
    ask: (options: RequestOptions | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    return this.#oneCall(`The call about MCP server "${server}"`, options, async (inTime) => {
      try {
        return await ask(inTime);
      } catch (error) {
        await refusedRow(error, { server, call: this.#call, facts: await this.#facts(), options: inTime });
        throw error;
      }
    });
  }

  #switch(
    change: ServerChange,
    server: string,
    options: RequestOptions | undefined,
  ): Promise<McpServerAnswer> {
    return this.#oneCall(change, options, (inTime) => changeServer(change, server, this.#with(inTime)));
  }

  #change(
    name: string,
    options: RequestOptions | undefined,
    change: (job: ChangeJob) => Promise<McpServersChange>,
  ): Promise<McpServersChange> {
    return this.#oneCall(name, options, async (inTime) => {
      const facts = await this.#facts();
      const send = (servers: McpServers) => this.#call('mcp_set_servers', { servers }, inTime);
      const dropPatched = (server: string) =>
        this.#call('mcp_disable', { server_name: server, remove: true }, inTime);
      return change({ facts, servers: facts.servers, send, options: inTime, dropPatched });
    });
  }

  #with(options: RequestOptions | undefined) {
    return { call: this.#call, facts: this.#facts, options };
  }
}
