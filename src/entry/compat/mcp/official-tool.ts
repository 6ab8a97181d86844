import type { ToolAnnotations } from '../../../host/mcp/tool.js';
import type {
  AnyZodRawShape,
  CallToolResult,
  InferShape,
  SdkMcpToolDefinition,
} from '../types/tool-types.js';

/** Additional options of a tool. */
export interface ToolExtras {
  /** Hints for clients about what it does. */
  annotations?: ToolAnnotations;
  /** Words by which the model finds it. */
  searchHint?: string;
  /** Whether the model always sees it. Default: no. */
  alwaysLoad?: boolean;
}

/** Creates an in-process tool; `inputSchema` is a record of zod schemas, version 3 or 4. */
export function tool<Schema extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferShape<Schema>, extra: unknown) => Promise<CallToolResult>,
  extras?: ToolExtras,
): SdkMcpToolDefinition<Schema> {
  const { annotations, searchHint, alwaysLoad } = extras ?? {};
  const meta = {
    ...(searchHint === undefined ? {} : { 'anthropic/searchHint': searchHint }),
    ...(alwaysLoad === true ? ALWAYS_LOAD : {}),
  };
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(annotations === undefined ? {} : { annotations }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/** Tells the CLI to show a tool to the model from the start. */
export const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true } as const;
