/** An MCP server that is a program: the CLI starts it and talks to it over stdin and stdout. */
export interface StdioServerConfig {
  /** Optional. */
  readonly type?: 'stdio' | undefined;
  /** The program to start. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Variables for its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How long the CLI waits for one of its tools, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Keeps its tools visible to the model if the CLI would otherwise load them on demand. */
  readonly alwaysLoad?: boolean | undefined;
}

/** An MCP server with an address. */
export interface HttpServerConfig {
  /** The transport: streamable HTTP, or the older server-sent events. */
  readonly type: 'http' | 'sse';
  /** Its address. */
  readonly url: string;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Permissions of single tools; newer CLIs only. */
  readonly tools?: readonly McpToolPolicy[] | undefined;
  /** How long the CLI waits for one of its tools, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Keeps its tools visible to the model if the CLI would otherwise load them on demand. */
  readonly alwaysLoad?: boolean | undefined;
}

/** The permission of one tool of a server. */
export interface McpToolPolicy {
  /** The tool's name. */
  readonly name: string;
  /** Whether it runs, prompts or is refused. */
  readonly permission_policy?: 'always_allow' | 'always_ask' | 'always_deny' | undefined;
  /** The maximum that the organisation allows. */
  readonly org_max_permission?: 'allow' | 'ask' | 'blocked' | undefined;
}

/** An MCP server that this program serves: with `instance`, or with its own handler of `mcp_message`. */
export interface SdkServerConfig {
  /** `sdk`. */
  readonly type: 'sdk';
  /** The server's name; the CLI gets the key in `mcpServers`. */
  readonly name?: string | undefined;
  /** The server object. */
  readonly instance?: object | undefined;
  /** Permissions of single tools; newer CLIs only. */
  readonly tools?: readonly McpToolPolicy[] | undefined;
  /** How long the CLI waits for one of its tools, in milliseconds. */
  readonly timeout?: number | undefined;
}

/** How to reach an MCP server, as in an `.mcp.json` file: `{ command, args }`, `{ type: 'http', url }` … */
export type McpServerConfig = StdioServerConfig | HttpServerConfig | SdkServerConfig;
