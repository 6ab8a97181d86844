import type { HttpBindings } from '@hono/node-server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Clock } from '../../../wire/util/clock.js';
import { readText } from '../api/request-parts.js';
import type { Visitors } from '../api/visitors.js';
import type { Visitor } from '../http/access.js';
import type { ConversationsFor } from '../service/conversations.js';
import { makeMcpServer } from './mcp-server.js';

/** The dependencies of an {@link McpEndpoint}. */
export interface McpEndpointParts {
  readonly conversationsFor: ConversationsFor;
  readonly clock: Clock;
  readonly version: string;
  readonly maxBody: number;
}

/** MCP over streamable HTTP, for holders of a key. Nothing is kept between requests: all state is the console's. */
export class McpEndpoint {
  readonly #parts: McpEndpointParts;
  readonly #visitors: Visitors;
  #handler: Promise<McpHttpHandler> | undefined;

  constructor(parts: McpEndpointParts, visitors: Visitors) {
    this.#parts = parts;
    this.#visitors = visitors;
  }

  async serve({ incoming, outgoing }: HttpBindings, request: Request): Promise<Response> {
    const visitor = await this.#visitors.comeIn(incoming);
    const body = request.method === 'POST' ? await readText(incoming, this.#parts.maxBody) : undefined;
    // The request runs until its answer, which may be a stream, is complete or its client is gone.
    outgoing.once('close', this.#visitors.enter(visitor));
    this.#handler ??= this.#load();
    const authInfo = { token: '', clientId: visitor.key, scopes: [visitor.role], extra: { visitor } };
    const { fetch } = await this.#handler;
    const { url, method, headers, signal } = request;
    return fetch(new Request(url, { method, headers, signal, body: body ?? null }), { authInfo });
  }

  async #load(): Promise<McpHttpHandler> {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { conversationsFor, clock, version, maxBody } = this.#parts;
    return createMcpHandler(
      ({ authInfo }) =>
        makeMcpServer({
          conversations: conversationsFor(authInfo?.extra?.visitor as Visitor, 'MCP'),
          clock,
          version,
        }),
      { maxRequestBodySize: maxBody },
    );
  }
}
