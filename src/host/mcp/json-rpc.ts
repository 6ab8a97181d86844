import { isObject, type WireObject } from '../../wire/protocol/frames.js';

/** The id of a JSON-RPC request. */
export type RpcId = string | number;

/** A JSON-RPC message, classified by its keys. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly raw: WireObject }
  | { readonly kind: 'notification'; readonly method: string; readonly raw: WireObject }
  | { readonly kind: 'response'; readonly id: RpcId; readonly raw: WireObject };

/** The JSON-RPC and MCP error codes that are used here. */
export const rpcCodes = {
  internal: -32603,
  /** The code that MCP libraries use for a request that timed out. */
  timeout: -32001,
  cancelled: -32800,
} as const;

/**
 * Classifies a JSON-RPC message; undefined if it is not one. A message with a method is a request even if its id is in
 * use.
 */
export function readRpc(value: unknown): RpcMessage | undefined {
  if (!isObject(value)) return undefined;
  const { method } = value;
  const id = readId(value.id);
  if (typeof method === 'string') {
    return id === undefined
      ? { kind: 'notification', method, raw: value }
      : { kind: 'request', id, method, raw: value };
  }
  const answers = 'result' in value || 'error' in value;
  return answers && id !== undefined ? { kind: 'response', id, raw: value } : undefined;
}

/** The request that a `notifications/cancelled` refers to. */
export function cancelledId({ params }: WireObject): RpcId | undefined {
  return isObject(params) ? readId(params.requestId) : undefined;
}

/** A JSON-RPC error response. */
export function rpcError(id: RpcId, code: number, message: string): WireObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** A `notifications/cancelled` for a request. */
export function cancelledNotification(requestId: RpcId, reason: string): WireObject {
  return { jsonrpc: '2.0', method: CANCELLED, params: { requestId, reason } };
}

/** The method with which either side withdraws a request. */
export const CANCELLED = 'notifications/cancelled';

// Ids are compared strictly: 1 and "1" are different, and 0 is valid.
function readId(value: unknown): RpcId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
