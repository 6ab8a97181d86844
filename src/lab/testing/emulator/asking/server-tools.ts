import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Scene } from '../cli.js';
import type { ToolOutcome } from '../turns/tool-result.js';
import { callMcpServer } from './emulated-servers.js';

/** A call to a server's tool. */
export interface ServerToolCall {
  readonly server: string;
  readonly tool: string;
  readonly input: WireObject;
  readonly toolUseId: string;
  /** Receives the result, or the answer if it has none. */
  readonly onAnswer?: (answer: unknown) => void;
}

/** Calls an MCP server's tool, and returns what the model is told. */
export async function callServerTool({ cli, turn }: Scene, call: ServerToolCall): Promise<ToolOutcome> {
  const id = cli.state.nextRpcId++;
  const progress = cli.traits.detailed ? { progressToken: id } : {};
  const meta = { 'claudecode/toolUseId': call.toolUseId, ...progress };
  const params = { name: call.tool, arguments: call.input, _meta: meta };
  const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
  const answer = await callMcpServer(cli, call.server, message, turn.signal);
  const result = isObject(answer) && isObject(answer.result) ? answer.result : undefined;
  call.onAnswer?.(result ?? answer);
  if (result !== undefined) {
    return { content: result.content ?? '', isError: result.isError === true ? true : undefined };
  }
  const error = isObject(answer) && isObject(answer.error) ? answer.error.message : answer;
  return { content: String(error), isError: true };
}
