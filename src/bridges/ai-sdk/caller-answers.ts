import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolApprovalRequest,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { mcpServer, type ToolServer } from '../../host/mcp/mcp-server.js';
import { type Tool, type ToolContext, tool } from '../../host/mcp/tool.js';
import type { PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
import type { PromptAnswer } from '../../host/session/prompts/prompt.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { type Deferred, deferred } from '../../wire/util/deferred.js';
import type { Approval, ReadPrompt } from './read-prompt.js';

/** The server that offers the caller's tools to the CLI. */
const SERVER = 'ai';
const PREFIX = `mcp__${SERVER}__`;

/** The caller's name of a tool; undefined for a tool of the CLI. */
export function callerName(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** The CLI's names of the caller's tools. */
export function cliNames(tools: readonly LanguageModelV4FunctionTool[]): readonly string[] {
  return tools.map(({ name }) => `${PREFIX}${name}`);
}

interface Call {
  readonly name: string;
  readonly input: string;
}

/** A call that the CLI waits for. Old CLIs do not identify it, so it is matched by its input. */
interface WaitingCall extends Call {
  readonly id: string | undefined;
  readonly result: Deferred<LanguageModelV4ToolResultOutput>;
}

interface WaitingApproval {
  readonly prompt: PermissionPrompt;
  readonly answer: Deferred<Approval>;
}

/**
 * What the CLI waits for while the caller decides: results of the caller's tools, and approvals. The AI SDK answers with
 * its next call, so the turn is paused until then.
 */
export class CallerAnswers {
  /** Called when the CLI starts to wait. */
  onWaiting: () => void = () => {};
  /** Calls that the caller knows, by id. */
  readonly #told = new Map<string, Call>();
  readonly #calls = new Set<WaitingCall>();
  readonly #approvals = new Map<string, WaitingApproval>();
  /** Results that arrived before the CLI requested them: it runs some tools one by one. */
  readonly #early = new Map<string, LanguageModelV4ToolResultOutput>();

  /** The caller's tools as an in-process server; undefined if there are none. */
  server(tools: readonly LanguageModelV4FunctionTool[]): Readonly<Record<string, ToolServer>> | undefined {
    if (tools.length === 0) return undefined;
    return {
      [SERVER]: mcpServer(
        SERVER,
        tools.map((each) => this.#tool(each)),
      ),
    };
  }

  /** A new turn begins: calls of the previous one are over. */
  reset(): void {
    this.#told.clear();
    this.#early.clear();
  }

  /** The caller has been told about a call. */
  tell(id: string, name: string, input: unknown): void {
    this.#told.set(id, { name, input: JSON.stringify(input) });
  }

  /** Asks the caller whether a tool may be used. */
  async approve(prompt: PermissionPrompt): Promise<PromptAnswer> {
    const answer = deferred<Approval>();
    this.#approvals.set(prompt.id, { prompt, answer });
    prompt.signal.addEventListener('abort', () => this.#approvals.delete(prompt.id), { once: true });
    this.onWaiting();
    const { approved, reason } = await answer.promise;
    return approved ? prompt.allow() : prompt.deny(reason ?? DENIED);
  }

  /** The approvals that the CLI waits for. */
  get requests(): readonly LanguageModelV4ToolApprovalRequest[] {
    return [...this.#approvals].map(([approvalId, { prompt }]) => ({
      type: 'tool-approval-request',
      approvalId,
      toolCallId: prompt.origin.toolUseId ?? approvalId,
    }));
  }

  /** Whether the CLI waits for an answer to something that the caller knows about. */
  get pauses(): boolean {
    const calls = [...this.#calls].some((call) => this.#idOf(call) !== undefined);
    return calls || this.requests.some(({ toolCallId }) => this.#told.has(toolCallId));
  }

  /** Whether a prompt of the AI SDK answers anything that waits here. */
  awaits({ results, approvals }: ReadPrompt): boolean {
    const waiting = [...this.#calls].map((call) => this.#idOf(call));
    return (
      waiting.some((id) => id !== undefined && results.has(id)) ||
      [...this.#approvals].some(
        ([id, { prompt }]) => approvals.has(id) || denialIn(results, prompt) !== undefined,
      )
    );
  }

  /** Passes on the caller's decisions. */
  give({ results, approvals }: ReadPrompt): void {
    for (const [id, result] of results) if (this.#told.has(id)) this.#early.set(id, result);
    for (const call of this.#calls) this.#settle(call);
    for (const [id, { prompt, answer }] of this.#approvals) {
      const approval = denialIn(results, prompt) ?? approvals.get(id);
      if (approval === undefined) continue;
      this.#approvals.delete(id);
      answer.resolve(approval);
    }
  }

  #tool({ name, description = name, inputSchema }: LanguageModelV4FunctionTool): Tool {
    const input = inputSchema as WireObject;
    return tool({ name, description, input, run: (args, context) => this.#call(name, args, context) });
  }

  async #call(name: string, input: unknown, { toolUseId: id, signal }: ToolContext): Promise<unknown> {
    const call = {
      id,
      name,
      input: JSON.stringify(input),
      result: deferred<LanguageModelV4ToolResultOutput>(),
    };
    this.#calls.add(call);
    signal.addEventListener('abort', () => call.result.reject(signal.reason), { once: true });
    this.#settle(call);
    this.onWaiting();
    try {
      return toolResult(await call.result.promise);
    } finally {
      this.#calls.delete(call);
    }
  }

  #settle(call: WaitingCall): void {
    const id = this.#idOf(call);
    const result = id === undefined ? undefined : this.#early.get(id);
    if (id === undefined || result === undefined) return;
    this.#early.delete(id);
    this.#told.delete(id);
    this.#calls.delete(call);
    call.result.resolve(result);
  }

  /** The id under which the caller knows a call; undefined until it does. */
  #idOf({ id, name, input }: WaitingCall): string | undefined {
    if (id !== undefined) return this.#told.has(id) ? id : undefined;
    return [...this.#told].find(([, told]) => told.name === name && told.input === input)?.[0];
  }
}

/** The AI SDK also reports a denial as a result of the call. */
function denialIn(results: ReadPrompt['results'], { origin }: PermissionPrompt): Approval | undefined {
  const result = origin.toolUseId === undefined ? undefined : results.get(origin.toolUseId);
  return result?.type === 'execution-denied' ? { approved: false, reason: result.reason } : undefined;
}

const DENIED = 'The user denied this.';

/** A tool result; errors are thrown, so that the model gets an error. */
function toolResult(output: LanguageModelV4ToolResultOutput): unknown {
  switch (output.type) {
    case 'text':
      return output.value;
    case 'json':
      return output.value;
    case 'content':
      return output.value.map((part) =>
        part.type === 'text' ? { type: 'text', text: part.text } : { type: 'text', text: `[${part.type}]` },
      );
    case 'execution-denied':
      throw new Error(output.reason ?? DENIED);
    case 'error-text':
      throw new Error(output.value);
    case 'error-json':
      throw new Error(JSON.stringify(output.value));
  }
}
