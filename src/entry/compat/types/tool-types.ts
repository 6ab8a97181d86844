import type * as z from 'zod';
import type * as z3 from 'zod/v3';
import type { ToolAnnotations } from '../../../host/mcp/tool.js';
import type { McpMeta } from './mcp-types.js';

/** Zod schemas by name. */
export type AnyZodRawShape = z.core.$ZodShape | z3.ZodRawShape;

/** The argument type of a handler for a record of schemas. */
export type InferShape<Shape extends AnyZodRawShape> = {
  [Key in keyof Shape]: Shape[Key] extends z.core.$ZodType
    ? z.core.output<Shape[Key]>
    : Shape[Key] extends z3.ZodTypeAny
      ? z3.infer<Shape[Key]>
      : never;
} & {};

/** The result of a tool, in MCP format. */
export interface CallToolResult {
  /** The result of the tool, as MCP content. */
  // biome-ignore lint/suspicious/noExplicitAny: MCP knows many kinds of content and keeps adding some.
  content: any[];
  /** Whether the tool failed. */
  isError?: boolean;
  /** The same as a value. */
  structuredContent?: { [key: string]: unknown };
  /** Additional data. */
  _meta?: McpMeta;
  /** Other fields. */
  [key: string]: unknown;
}

/** An in-process tool. */
export interface SdkMcpToolDefinition<Schema extends AnyZodRawShape = AnyZodRawShape> {
  /** Its name. */
  name: string;
  /** The description for the model. */
  description: string;
  /** Its input schema. */
  inputSchema: Schema;
  /** Hints for clients. */
  annotations?: ToolAnnotations;
  /** Sent to the client as `_meta`. */
  _meta?: Record<string, unknown>;
  /** Runs the tool. */
  handler: (args: InferShape<Schema>, extra: unknown) => Promise<CallToolResult>;
}
