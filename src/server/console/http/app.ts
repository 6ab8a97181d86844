import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { secureHeaders } from 'hono/secure-headers';
import { isRole, type JoinAnswer, type LoginAnswer } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { API_PATH, HttpProblem, MCP_PATH, problemResponse } from '../api/problems.js';
import type { AuditLog } from '../keys/audit-log.js';
import { JOIN_MS } from '../keys/join-codes.js';
import { type Access, afterGuess } from './access.js';
import type { Names } from './names.js';

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** The dependencies of the HTTP app. */
export interface AppOptions {
  readonly access: Access;
  readonly names: Names;
  readonly audit: AuditLog;
  /** The HTTP API, created on first use. */
  readonly api: () => Promise<{ fetch: Fetch }>;
  /** Pages of other origins that may use the API. */
  readonly apiOrigins?: readonly string[] | undefined;
  /** The folder of the built page. */
  readonly publicFolder: string;
  /** The server's public address. */
  readonly origin: () => string;
}

/** The maximum body size: only a token comes this way. */
const MAX_BODY = 4_096;

/** The HTTP side of the server: the page's files, the exchange of a token for a secret, and the API. */
export function makeApp({
  access,
  names,
  audit,
  api,
  apiOrigins = [],
  publicFolder,
  origin,
}: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(securityHeaders());
  app.use(async (context, next) => {
    const { host, origin: page } = context.env.incoming.headers;
    const isForApi = context.req.path.startsWith(`${API_PATH}/`) || context.req.path === MCP_PATH;
    const isNamed = isForApi && page !== undefined && apiOrigins.includes(page);
    if (!names.isOurs(isNamed ? { host } : { host, origin: page }))
      return isForApi ? problemResponse(foreignPage()) : context.text('Forbidden', 403);
    context.header('Cache-Control', 'no-store');
    return next();
  });
  app.post('/api/login', shortBody, async (context) => {
    const login = access.logIn(await fieldOf(context, 'token'));
    const from = context.env.incoming.socket?.remoteAddress;
    if (login === undefined) {
      audit.add({ what: 'login refused', ok: false, from });
      await afterGuess();
      return context.text('Unauthorized', 401);
    }
    const { secret, key } = login;
    audit.add({ what: 'login', ok: true, key: key.name, role: key.role, from });
    return context.json({ secret } satisfies LoginAnswer);
  });
  app.post('/api/join', shortBody, async (context) => {
    const who = access.whoIs(context.env.incoming.headers);
    if (who === undefined) {
      await afterGuess();
      return context.text('Unauthorized', 401);
    }
    const role = await fieldOf(context, 'role');
    const code = isRole(role) ? access.join(who, role) : undefined;
    const about = isRole(role) ? `another device as ${role}` : undefined;
    audit.add({ what: 'join', ok: code !== undefined, key: who.key, role: who.role, about });
    if (code === undefined) return context.text('Forbidden', 403);
    return context.json({ code, goodForMs: JOIN_MS, origin: origin() } satisfies JoinAnswer);
  });
  app.get('/api/me', async (context) => {
    const who = access.whoIs(context.env.incoming.headers);
    if (who === undefined) {
      await afterGuess();
      return context.text('Unauthorized', 401);
    }
    return context.json({ kind: who.kind, role: who.role, key: who.key });
  });
  // For health checks: says only that the server answers.
  app.get('/healthz', (context) => context.text('ok'));
  const serveApi = async ({ req, env }: Context<{ Bindings: HttpBindings }>) =>
    (await api()).fetch(req.raw, env);
  app.all(`${API_PATH}/*`, serveApi);
  app.all(MCP_PATH, serveApi);
  app.all('/api/*', (context) => context.text('Not found', 404));
  if (!existsSync(join(publicFolder, 'index.html')))
    return app.get('/', (context) => context.text(NOT_BUILT, 503));
  return app.get('*', compress(), serveStatic({ root: publicFolder }));
}

/** Node reads no more of a body than its declared length. */
const shortBody: MiddlewareHandler = async (context, next) => {
  const length = context.req.header('content-length');
  if (length === undefined) return context.text('Length Required', 411);
  if (Number(length) > MAX_BODY) return context.text('Payload Too Large', 413);
  return next();
};

/** One field of a request body; undefined if missing. */
async function fieldOf({ req }: Context, name: string): Promise<unknown> {
  const body: unknown = await req.json().catch(() => undefined);
  return isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}

function foreignPage(): HttpProblem {
  const detail =
    'The server does not use this host name, or pages of this origin may not use it (--api-origin).';
  return new HttpProblem(403, 'ORIGIN_REFUSED', { detail });
}

/** Shown if the package was built without its page. */
const NOT_BUILT =
  'The page of the console is not built. Run `npm run build` in the folder of the package; programs can connect without it.\n';

/** Only the page's own files, no inline scripts, no requests elsewhere, no framing. */
function securityHeaders() {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    // The server itself speaks plain HTTP; an HTTPS proxy may add this.
    strictTransportSecurity: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], usb: [] },
  });
}
