/** An MCP server that is a program: the CLI starts it and speaks with it over stdin and stdout. */
export interface StdioServerConfig {
  /** May be left out. */
  readonly type?: 'stdio' | undefined;
  /** The program to start. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Variables for its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How long the CLI waits for a tool of it, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Keeps its tools in the model's sight, where the CLI would load them on demand. */
  readonly alwaysLoad?: boolean | undefined;
}

/** An MCP server that is reached by an address. */
export interface HttpServerConfig {
  /** How it is spoken with: streamable HTTP, or the older server-sent events. */
  readonly type: 'http' | 'sse';
  /** Its address. */
  readonly url: string;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What is allowed for single tools of it; newer CLIs only. */
  readonly tools?: readonly McpToolPolicy[] | undefined;
  /** How long the CLI waits for a tool of it, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Keeps its tools in the model's sight, where the CLI would load them on demand. */
  readonly alwaysLoad?: boolean | undefined;
}

/** What is allowed for one tool of a server. */
export interface McpToolPolicy {
  /** The tool's name. */
  readonly name: string;
  /** Whether it runs, asks or is refused. */
  readonly permission_policy?: 'always_allow' | 'always_ask' | 'always_deny' | undefined;
  /** The most that the organisation allows. */
  readonly org_max_permission?: 'allow' | 'ask' | 'blocked' | undefined;
}

/** An MCP server that is served by this program: by `instance`, or by its own handler of `mcp_message`. */
export interface SdkServerConfig {
  /** `sdk`. */
  readonly type: 'sdk';
  /** The server's name; the CLI is told the key in `mcpServers`. */
  readonly name?: string | undefined;
  /** The server object. */
  readonly instance?: object | undefined;
  /** What is allowed for single tools of it; newer CLIs only. */
  readonly tools?: readonly McpToolPolicy[] | undefined;
  /** How long the CLI waits for a tool of it, in milliseconds. */
  readonly timeout?: number | undefined;
}

/** How an MCP server is reached, as in an `.mcp.json` file: `{ command, args }`, `{ type: 'http', url }` … */
export type McpServerConfig = StdioServerConfig | HttpServerConfig | SdkServerConfig;
