import type * as z from 'zod';
import type * as z3 from 'zod/v3';
import type { ToolAnnotations } from '../../../host/mcp/tool.js';

export type AnyZodRawShape = z.core.$ZodShape | z3.ZodRawShape;

/** What a handler is given for a record of schemas. */
export type InferShape<Shape extends AnyZodRawShape> = {
  [Key in keyof Shape]: Shape[Key] extends z.core.$ZodType
    ? z.core.output<Shape[Key]>
    : Shape[Key] extends z3.ZodTypeAny
      ? z3.infer<Shape[Key]>
      : never;
} & {};

/** The result of a tool, as MCP has it. */
export interface CallToolResult {
  // biome-ignore lint/suspicious/noExplicitAny: MCP knows many kinds of content and keeps adding some.
  content: any[];
  isError?: boolean;
  structuredContent?: { [key: string]: unknown };
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}

/** A tool of this process. */
export interface SdkMcpToolDefinition<Schema extends AnyZodRawShape = AnyZodRawShape> {
  name: string;
  description: string;
  inputSchema: Schema;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
  handler: (args: InferShape<Schema>, extra: unknown) => Promise<CallToolResult>;
}
