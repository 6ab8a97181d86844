import type { McpServerObject, McpTransport } from '../../../host/mcp/server-object.js';
import type { Tool, ToolContext } from '../../../host/mcp/tool.js';
import { connectTools } from '../../../host/mcp/tool-instance.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { systemClock } from '../../../wire/util/clock.js';
import type { McpSdkServerConfigWithInstance } from '../types/mcp-types.js';
import type { SdkMcpToolDefinition } from '../types/tool-types.js';
import { manifestOf } from './manifests.js';
import { ALWAYS_LOAD } from './official-tool.js';

/** The options of `createSdkMcpServer`. */
export interface CreateSdkMcpServerOptions {
  /** The name of the server. */
  name: string;
  /** Its version. */
  version?: string;
  /** Instructions for the model. */
  instructions?: string;
  /** Its tools. */
  // biome-ignore lint/suspicious/noExplicitAny: a list of tools with inputs of their own; the original says the same.
  tools?: SdkMcpToolDefinition<any>[];
  /** Whether the model always sees its tools. Default: no. */
  alwaysLoad?: boolean;
  /** How long the CLI waits for a tool, in milliseconds. */
  timeout?: number;
}

/** Creates an in-process MCP server; it may serve several queries. */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  const { name, timeout } = options;
  return {
    type: 'sdk',
    name,
    instance: new ToolInstance(options),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/** Connects the tools again for each query. */
export class ToolInstance implements McpServerObject {
  /** What the server offers. It is determined immediately, so that the start of a CLI need not wait for it. */
  readonly manifest: Promise<WireObject | undefined>;
  readonly #options: CreateSdkMcpServerOptions;

  constructor(options: CreateSdkMcpServerOptions) {
    this.#options = options;
    // The caller that connects it gets the error.
    this.manifest = manifestOf(this).catch(() => undefined);
  }

  async connect(transport: McpTransport): Promise<void> {
    const { name, version, instructions, tools = [], alwaysLoad = false } = this.#options;
    const made = await Promise.all(tools.map((each) => ownTool(each, alwaysLoad)));
    await connectTools(
      { name, tools: made, options: { version, instructions }, clock: systemClock },
      transport,
    );
  }
}

async function ownTool(definition: SdkMcpToolDefinition, alwaysLoad: boolean): Promise<Tool> {
  const { readShape } = await import('./raw-shape.schemas.js');
  const { name, description, inputSchema, annotations, _meta, handler } = definition;
  const meta = { ..._meta, ...(alwaysLoad ? ALWAYS_LOAD : {}) };
  return {
    name,
    description,
    ...(await readShape(name, inputSchema)),
    // The schema has validated the arguments by the time this is called.
    run: async (input, context) =>
      withContent(await handler(input as Parameters<typeof handler>[0], extraOf(context))),
    annotations,
    timeoutMs: undefined,
    meta: Object.keys(meta).length === 0 ? undefined : meta,
  };
}

/** A result without content, such as a structured one, is still a result. */
function withContent(result: unknown): unknown {
  return isObject(result) && result.content === undefined ? { ...result, content: [] } : result;
}

/** The second argument of handlers, with the names of the MCP library that the original uses. */
function extraOf(context: ToolContext): object {
  return {
    get signal() {
      return context.signal;
    },
    _meta: context.meta ?? {},
    requestId: context.requestId,
    sessionId: context.session?.id,
    sendNotification: async ({ method, params }: { method?: unknown; params?: unknown } = {}) => {
      if (method !== 'notifications/progress' || !isObject(params)) return;
      const { progress, total, message } = params;
      context.progress(Number(progress), {
        ...(typeof total === 'number' ? { total } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      });
    },
  };
}
