import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** An MCP server that requires a sign-in, with its authorization server. */
export interface OauthServer {
  /** Its address. */
  readonly url: string;
  /** Its requests, in order: `GET /authorize`. */
  readonly asked: readonly string[];
}

const CODE = 'the-code';
const TOKEN = 'the-token';

/** Starts one on this machine; it ends with the test. */
export async function startOauthServer(): Promise<OauthServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://a').pathname;
    asked.push(`${request.method} ${path}`);
    const origin = `http://${request.headers.host}`;
    void answer({ request, response, path, origin });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly origin: string;
}

async function answer({ request, response, path, origin }: Exchange): Promise<void> {
  const body = await text(request);
  const json = (value: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (path.startsWith('/.well-known/oauth-protected-resource'))
    json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
  else if (path.startsWith('/.well-known/oauth-authorization-server')) json(metadata(origin));
  else if (path === '/register') json({ ...JSON.parse(body), client_id: 'a-client' }, 201);
  else if (path === '/authorize') authorize(request, response);
  else if (path === '/token') json({ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 });
  else if (path !== '/mcp') json({}, 404);
  else if (request.headers.authorization !== `Bearer ${TOKEN}`) refuse(response, origin);
  else if (request.method === 'GET') json({}, 405);
  else serve(body, response);
}

function metadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

/** Approves at once, as a person would who is already signed in. */
function authorize(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://a');
  const back = new URL(searchParams.get('redirect_uri') ?? 'http://a');
  back.searchParams.set('code', CODE);
  back.searchParams.set('state', searchParams.get('state') ?? '');
  response.writeHead(302, { location: back.href });
  response.end();
}

function refuse(response: ServerResponse, origin: string): void {
  const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
  response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${where}"` });
  response.end();
}

function serve(body: string, response: ServerResponse): void {
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) {
    response.writeHead(202);
    response.end();
    return;
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1.0.0' },
    },
    'tools/list': { tools: [{ name: 'secret', description: 'Tells it.', inputSchema: { type: 'object' } }] },
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
