import type { McpServerObject, McpTransport } from '../../src/host/mcp/server-object.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';

/** A hand-written MCP server: it records its messages and answers when a test says so. */
export class RpcServer implements McpServerObject {
  readonly received: WireObject[] = [];
  transport: McpTransport | undefined;
  closed = false;
  /** Automatic answers, by method. */
  readonly #results: Readonly<Record<string, WireObject>>;

  constructor(results: Readonly<Record<string, WireObject>> = HANDSHAKE) {
    this.#results = results;
  }

  async connect(transport: McpTransport): Promise<void> {
    this.transport = transport;
    transport.onmessage = (message) => this.#take(message);
    transport.onclose = () => {
      this.closed = true;
    };
    await transport.start();
  }

  /** The requests of one method, in order. */
  requests(method: string): readonly WireObject[] {
    return this.received.filter((message) => message.method === method);
  }

  async answer(request: WireObject | undefined, result: unknown): Promise<void> {
    await this.transport?.send({ jsonrpc: '2.0', id: request?.id, result });
  }

  async send(message: WireObject): Promise<void> {
    await this.transport?.send({ jsonrpc: '2.0', ...message });
  }

  #take(message: WireObject): void {
    this.received.push(message);
    const result = this.#results[String(message.method)];
    if (message.id !== undefined && isObject(result)) void this.answer(message, result);
  }
}

/** The answers of a server with one tool, `now`, whose calls the test answers. */
export const HANDSHAKE: Readonly<Record<string, WireObject>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'by hand', version: '1.0.0' },
  },
  'tools/list': { tools: [{ name: 'now', inputSchema: { type: 'object' } }] },
};
