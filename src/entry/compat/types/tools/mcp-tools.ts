// Tools that reach MCP servers and the web.
/** The input of a tool of an MCP server. */
export type McpInput = Record<string, unknown>;

/** The output of a tool of an MCP server. */
export type McpOutput =
  | string
  | {
      type: string;
      [key: string]: unknown;
    }[]
  | Record<string, unknown>;

/** The input of the tool ListMcpResourcesTool. */
export type ListMcpResourcesInput = {
  server?: string;
};

/** The output of the tool ListMcpResourcesTool. */
export type ListMcpResourcesOutput = {
  uri: string;
  name: string;
  mimeType?: string;
  description?: string;
  server: string;
}[];

/** The input of the tool ReadMcpResourceTool. */
export type ReadMcpResourceInput = {
  server: string;
  uri: string;
};

/** The output of the tool ReadMcpResourceTool. */
export type ReadMcpResourceOutput = {
  contents: {
    uri: string;
    mimeType?: string;
    text?: string;
    blobSavedTo?: string;
  }[];
  error?: string;
};

/** The input of the tool ReadMcpResourceDirTool. */
export type ReadMcpResourceDirInput = {
  server: string;
  uri: string;
};

/** The output of the tool ReadMcpResourceDirTool. */
export type ReadMcpResourceDirOutput = {
  resources: {
    uri: string;
    name: string;
    mimeType?: string;
  }[];
  error?: string;
};

/** The input of the tool RefreshMcpTools. */
export type RefreshMcpToolsInput = {
  server?: string;
};

/** The output of the tool RefreshMcpTools. */
export type RefreshMcpToolsOutput = {
  server: string;
  status: 'refreshed' | 'error' | 'not_connected';
  toolCount?: number;
  added?: string[];
  removed?: string[];
  error?: string;
}[];

/** The input of the tool WebFetch. */
export type WebFetchInput = {
  url: string;
  prompt: string;
  offset?: number;
};

/** The output of the tool WebFetch. */
export type WebFetchOutput = {
  bytes: number;
  code: number;
  codeText: string;
  result: string;
  durationMs: number;
  url: string;
  artifactRead?: {
    slug: string;
    ver?: string;
    seeded?: false;
  };
};

/** The input of the tool WebSearch. */
export type WebSearchInput = {
  query: string;
  allowed_domains?: string[];
  blocked_domains?: string[];
};

/** The output of the tool WebSearch. */
export type WebSearchOutput = {
  query: string;
  results: (
    | string
    | {
        tool_use_id: string;
        content: {
          title: string;
          url: string;
          snippet?: string;
        }[];
      }
  )[];
  durationSeconds: number;
  searchCount?: number;
};

/** The input of any of these tools. */
export type AnyOutsideInput =
  | McpInput
  | ListMcpResourcesInput
  | ReadMcpResourceInput
  | ReadMcpResourceDirInput
  | RefreshMcpToolsInput
  | WebFetchInput
  | WebSearchInput;

/** The output of any of these tools. */
export type AnyOutsideOutput =
  | McpOutput
  | ListMcpResourcesOutput
  | ReadMcpResourceOutput
  | ReadMcpResourceDirOutput
  | RefreshMcpToolsOutput
  | WebFetchOutput
  | WebSearchOutput;
