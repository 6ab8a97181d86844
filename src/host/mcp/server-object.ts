import type { WireObject } from '../../wire/protocol/frames.js';

/** The transport of an MCP server: the part of the MCP libraries' transport interface that servers need. */
export interface McpTransport {
  /** Starts delivering messages. */
  start(): Promise<void>;
  /** Sends a message to the client. */
  send(message: WireObject): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
  /** Called when it has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors. */
  onerror?: ((error: Error) => void) | undefined;
  /** Called with each message of the client. */
  onmessage?: ((message: WireObject) => void) | undefined;
}

/** Any MCP server object: made by `mcpServer`, by the MCP SDK (v1 or v2), or by hand. */
export interface McpServerObject {
  /** Connects the server to a client. */
  connect(transport: McpTransport): unknown;
}

/**
 * An MCP server that runs in this process. Most server objects serve one connection at a time; pass a function to
 * create a new one for every session and every reopen.
 */
export type InProcessServer = McpServerObject | (() => McpServerObject | Promise<McpServerObject>);

/** Finds the in-process server in an option: the server itself, a function, or `{ type: 'sdk', instance }`. */
export function findInProcess(value: unknown): InProcessServer | undefined {
  if (isServerObject(value)) return value;
  if (isMaker(value)) return value;
  if (typeof value !== 'object' || value === null || !('instance' in value)) return undefined;
  return isServerObject(value.instance) ? value.instance : undefined;
}

/** Whether a value can be connected as an MCP server. */
export function isServerObject(value: unknown): value is McpServerObject {
  return (
    typeof value === 'object' && value !== null && 'connect' in value && typeof value.connect === 'function'
  );
}

function isMaker(value: unknown): value is () => McpServerObject | Promise<McpServerObject> {
  return typeof value === 'function';
}
