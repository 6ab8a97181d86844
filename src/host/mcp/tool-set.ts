import type { Clock } from '../../wire/util/clock.js';
import type { Tool } from './tool.js';

/** The options of an MCP server. */
export interface McpServerOptions {
  /** The version that it reports to clients. Default: 1.0.0. */
  readonly version?: string | undefined;
  /** Tells the model how to use the server as a whole. */
  readonly instructions?: string | undefined;
  /** The time limit of tools without their own, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Tools with their common settings. */
export interface ToolSet {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly options: McpServerOptions;
  readonly clock: Clock;
}
