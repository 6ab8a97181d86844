import { Cancellation } from '../../wire/peer/cancellation.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { errorText } from '../../wire/util/error-text.js';
import { PassingMap } from '../../wire/util/maps.js';
import { CANCELLED, cancelledId, type RpcId } from './json-rpc.js';
import type { LinkTransport } from './link-transport.js';
import type { SchemaIssue } from './schema-standard.js';
import type { Tool, ToolProgress } from './tool.js';
import { runTool } from './tool-call.js';
import { progressNotification, toolUseIdIn } from './tool-progress.js';
import { errorResult, soundResult } from './tool-result.js';
import type { ToolSet } from './tool-set.js';

/** A parsed tool call. */
interface Call {
  readonly id: RpcId;
  readonly tool: Tool;
  readonly input: unknown;
  readonly meta: WireObject;
}

/**
 * Runs calls of tools whose schema validates its own input without the MCP package, which costs several times as much
 * as the rest of a call. Everything else of the protocol, and tools with a plain JSON Schema, use the package.
 */
export class DirectCalls {
  readonly #set: ToolSet;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #transport: LinkTransport;
  readonly #running = new PassingMap<RpcId, Cancellation>();

  constructor(set: ToolSet, transport: LinkTransport) {
    this.#set = set;
    this.#tools = new Map(set.tools.map((tool) => [tool.name, tool]));
    this.#transport = transport;
  }

  /** Intercepts the messages of the server that is connected to the transport. */
  stepBefore(): void {
    const { onmessage, onclose } = this.#transport;
    this.#transport.onmessage = (message) => {
      if (!this.#take(message)) onmessage?.(message);
    };
    this.#transport.onclose = () => {
      for (const id of this.#running.keys()) this.#cancel(id);
      onclose?.();
    };
  }

  /** Handles a message if it is a tool call; returns whether it did. */
  #take(message: WireObject): boolean {
    if (message.method === 'tools/call') {
      const call = this.#read(message);
      if (call !== undefined) void this.#run(call);
      return call !== undefined;
    }
    return message.method === CANCELLED && this.#cancel(cancelledId(message));
  }

  #read({ id, params }: WireObject): Call | undefined {
    if (!isObject(params) || (typeof id !== 'number' && typeof id !== 'string')) return undefined;
    const tool = this.#tools.get(String(params.name));
    if (tool?.validate === undefined) return undefined;
    const meta = isObject(params._meta) ? params._meta : {};
    return { id, tool, input: params.arguments ?? {}, meta };
  }

  async #run(call: Call): Promise<void> {
    const cancellation = new Cancellation();
    this.#running.set(call.id, cancellation);
    let result: WireObject;
    try {
      result = await this.#result(call, cancellation);
    } catch (error) {
      result = errorResult(errorText(error));
    }
    // A cancelled call has already been answered.
    if (this.#running.delete(call.id)) this.#send({ jsonrpc: '2.0', id: call.id, result });
  }

  async #result({ id, tool, input, meta }: Call, cancellation: Cancellation): Promise<WireObject> {
    const { facts } = this.#transport;
    const checking = tool.validate?.(input);
    const checked = checking !== undefined && 'then' in checking ? await checking : checking;
    if (checked?.issues !== undefined) return errorResult(invalidText(tool.name, checked.issues));
    const context = {
      session: facts.session,
      toolUseId: toolUseIdIn(meta),
      requestId: id,
      meta,
      progress: (done: number, more?: ToolProgress) => this.#notify(progressNotification(meta, done, more)),
    };
    return soundResult(
      await runTool(this.#set, { tool, input: checked?.value, cancellation, context, facts }),
    );
  }

  /** It does not matter whether it still arrives. */
  #send(message: WireObject): void {
    this.#transport.send(message).catch(() => {});
  }

  #notify(notification: WireObject | undefined): void {
    if (notification !== undefined) this.#send({ jsonrpc: '2.0', ...notification });
  }

  #cancel(id: RpcId | undefined): boolean {
    const cancellation = id === undefined ? undefined : this.#running.get(id);
    if (id === undefined || cancellation === undefined) return false;
    this.#running.delete(id);
    cancellation.cancel();
    return true;
  }
}

/** The answer for the model, in the form that MCP servers use. */
function invalidText(tool: string, issues: readonly SchemaIssue[]): string {
  return `Invalid arguments for tool ${tool}: ${issues.map(issueText).join('; ')}`;
}

function issueText({ path = [], message }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}
