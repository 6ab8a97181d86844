import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Position } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { Visitor } from '../http/access.js';
import { McpEndpoint } from '../mcp/endpoint.js';
import type { ConversationsFor } from '../service/conversations.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { SessionSource } from '../sessions/session-source.js';
import type { Hub } from '../socket/hub.js';
import type { OutletLimits } from '../socket/outlet.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { EventStream, positionIn } from './event-stream.js';
import { FRONT_ENDS } from './front-end-events.js';
import { API_PATH, HttpProblem, MCP_PATH, problemResponse } from './problems.js';
import { readBody, readQuery } from './request-parts.js';
import { acts, type Route, type RouteInput, type RouteParts, runRoute } from './route.js';
import { type VisitorParts, Visitors } from './visitors.js';

/** The dependencies of the API. */
export interface ApiParts extends VisitorParts {
  readonly registry: ServedSessions;
  readonly conversationsFor: ConversationsFor;
  readonly hub: Hub;
  /** Where its sessions are. */
  readonly source: Pick<SessionSource, 'roots'>;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
  readonly version: string;
  readonly allowBypass: boolean;
  readonly maxBody: number;
  readonly outletLimits?: OutletLimits | undefined;
  /** Pages of other origins that may use it. */
  readonly origins?: readonly string[] | undefined;
}

type Bindings = { Bindings: HttpBindings };
type Asked = Context<Bindings>;

/** Serves the routes in the table. Loads the schemas, which a server without HTTP requests does not need. */
export async function makeApi(parts: ApiParts): Promise<Hono<Bindings>> {
  const { routes } = await import('./routes.schemas.js');
  const { openApiDocument } = await import('./openapi.schemas.js');
  const root = new Hono<Bindings>();
  const api = root.basePath(API_PATH);
  const visitors = new Visitors(parts);
  const requests = new Requests(parts, visitors);
  root.onError((error) =>
    problemResponse(error, () =>
      parts.audit.add({ what: 'request failed', ok: false, error: errorText(error) }),
    ),
  );
  const { origins = [] } = parts;
  if (origins.length > 0)
    api.use(cors({ origin: [...origins], exposeHeaders: ['Retry-After'], maxAge: 600 }));
  const document = JSON.stringify(openApiDocument(routes, parts.version));
  api.get('/openapi.json', (context) => context.body(document, 200, { 'content-type': 'application/json' }));
  for (const route of routes)
    api.on(route.method, honoPath(route.path), (context) => requests.serve(route, context));
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    api.all(honoPath(path), () =>
      problemResponse(
        new HttpProblem(405, 'METHOD_NOT_ALLOWED', {
          detail: `This takes ${allow.join(', ')}.`,
          headers: { allow: allow.join(', ') },
        }),
      ),
    );
  }
  api.all('*', () =>
    problemResponse(
      new HttpProblem(404, 'NOT_FOUND', { detail: `There is no such route; see ${API_PATH}/openapi.json.` }),
    ),
  );
  const mcp = new McpEndpoint(parts, visitors);
  root.all(MCP_PATH, (context) => mcp.serve(context.env, context.req.raw));
  return root;
}

/** `{name}` in the router's syntax. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Someone who answers through a webhook's URL: with an operator's rights, once. */
const WITHOUT_KEY: Visitor = { kind: 'program', role: 'operator', key: 'webhook', keyHash: '' };
/** The longest body of one. */
const LONGEST_ANSWER = 100_000;

/** Answers requests: who asks, whether they may, what they want, and the result. */
class Requests {
  readonly #parts: ApiParts;
  readonly #visitors: Visitors;
  readonly #idempotency = new Idempotency();

  constructor(parts: ApiParts, visitors: Visitors) {
    this.#parts = parts;
    this.#visitors = visitors;
  }

  async serve(route: Route, context: Asked): Promise<Response> {
    const from = context.env.incoming.socket?.remoteAddress;
    const visitor =
      route.isOpen === true ? { ...WITHOUT_KEY, from } : await this.#visitors.comeIn(context.env.incoming);
    const query = route.query === undefined ? {} : readQuery(route.query, context.req.query());
    if (route.streams !== undefined) return this.#stream(route.streams, context, { visitor, query });
    const { maxBody } = this.#parts;
    const longest = route.isOpen === true ? Math.min(LONGEST_ANSWER, maxBody) : maxBody;
    const { text, body } = await readBody(route, context.env.incoming, longest);
    const input = { path: context.req.param(), query, body } as unknown as RouteInput;
    const id = this.#idempotency.idOf({
      key: acts(route) ? context.req.header('idempotency-key') : undefined,
      keyHash: visitor.keyHash,
      method: context.req.method,
      path: context.req.path,
      body: text,
    });
    const release = this.#visitors.enter(visitor);
    try {
      const value = await runRoute(route, input, this.#routeParts(visitor, id));
      return route.answer === undefined
        ? new Response(null, { status: 204 })
        : context.json(value as object, route.status ?? 200);
    } finally {
      release();
    }
  }

  #routeParts(visitor: Visitor, id: string): RouteParts {
    const { conversationsFor, webhooks, access, version, source, allowBypass } = this.#parts;
    const conversations = conversationsFor(visitor, 'HTTP');
    return {
      conversations,
      webhooks,
      visitor,
      afterGuess: () => access.afterGuess(),
      server: { version, roots: source.roots, allowBypass },
      command: (name, params, session) => conversations.command(name, params, { session, id }),
    };
  }

  async #stream(
    what: 'conversation' | 'server',
    context: Asked,
    { visitor, query }: { readonly visitor: Visitor; readonly query: Readonly<Record<string, unknown>> },
  ): Promise<Response> {
    const { hub, registry, clock, outletLimits: limits } = this.#parts;
    if (!hub.hasRoomFor(visitor)) {
      const detail = 'The server has reached its limit of clients.';
      throw new HttpProblem(503, 'TOO_MANY_CLIENTS', { detail, headers: { 'retry-after': '5' } });
    }
    const session =
      what === 'conversation' ? await registry.find(context.req.param('conversation')) : undefined;
    const position = lastEventId(context) ?? { after: Number(query.after ?? 0) };
    const { outgoing } = context.env;
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
    copyHeaders(context.res.headers, outgoing as ServerResponse);
    const frontEnd = FRONT_ENDS.find((name) => name === query.format);
    const stream = new EventStream(outgoing as ServerResponse, { visitor, clock, limits, frontEnd });
    stream.onGone(hub.join(stream));
    if (session === undefined) {
      for (const { summary } of registry.all)
        stream.send(JSON.stringify({ type: 'session', session: summary }));
    } else
      await stream.follow(session, {
        ...position,
        partial: query.partial !== 'false',
        untilSettled: query.until === 'settled',
      });
    return RESPONSE_ALREADY_SENT;
  }
}

/** Set earlier by middleware: security headers, and the rights of other origins. */
function copyHeaders(headers: Headers, response: ServerResponse): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}

/** Sent by a browser or client that continues after an event. @throws HttpProblem if it is not the id of an event. */
function lastEventId(context: Asked): Position | undefined {
  const sent = context.req.header('last-event-id');
  if (sent === undefined || sent === '') return undefined;
  const position = positionIn(sent);
  if (position !== undefined) return position;
  throw new HttpProblem(400, 'COMMAND_INVALID', { detail: 'Last-Event-ID must be the id of an event.' });
}

/** What an `Idempotency-Key` came with. */
interface KeyedRequest {
  /** The header; undefined if there was none. */
  readonly key: string | undefined;
  /** The hash of the bearer key, which keeps the keys of different callers apart. */
  readonly keyHash: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** How many are remembered; the same number as command answers. */
const KEPT = 10_000;
const LONGEST = 255;

/**
 * Derives a command's id from an `Idempotency-Key`; the commands' own memory of ids does the rest. The same key
 * always gives the same id, even after a restart, so the CLI accepts a message once even if it is sent again.
 */
class Idempotency {
  readonly #seen = new RecentMap<string, string>(KEPT);

  /** The id of the command. @throws HttpProblem where the key was used for something else. */
  idOf({ key, keyHash, method, path, body }: KeyedRequest): string {
    if (key === undefined) return randomUUID();
    if (key === '' || key.length > LONGEST) {
      const detail = `An Idempotency-Key must have 1 to ${LONGEST} characters.`;
      throw new HttpProblem(400, 'COMMAND_INVALID', { detail });
    }
    const id = uuidOf(JSON.stringify([keyHash, key]));
    const print = hash(JSON.stringify([method, path, body])).toString('base64url');
    const before = this.#seen.get(id);
    if (before !== undefined && before !== print) {
      const detail = 'This Idempotency-Key was used for another request.';
      throw new HttpProblem(422, 'COMMAND_INVALID', { detail });
    }
    this.#seen.set(id, print);
    return id;
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A version 8 UUID, derived from a hash. */
function uuidOf(text: string): string {
  const bytes = hash(text).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
