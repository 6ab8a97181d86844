import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { secureHeaders } from 'hono/secure-headers';
import { isRole, type JoinAnswer, type LoginAnswer } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { plainLine } from '../../../wire/util/plain.js';
import { API_PATH, HttpProblem, MCP_PATH, problemResponse } from '../api/problems.js';
import type { AuditLog } from '../keys/audit-log.js';
import { JOIN_MS } from '../keys/join-codes.js';
import { type Access, tokenIn } from './access.js';
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
  /** A browser has signed itself out. */
  readonly onLoggedOut: () => void;
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
  onLoggedOut,
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
  serveSignIn(app, { access, audit, origin, onLoggedOut });
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

/** Where browsers sign in and out, and let others in. */
function serveSignIn(
  app: Hono<{ Bindings: HttpBindings }>,
  { access, audit, origin, onLoggedOut }: Pick<AppOptions, 'access' | 'audit' | 'origin' | 'onLoggedOut'>,
): void {
  const comeIn = async (context: Context<{ Bindings: HttpBindings }>) => {
    const { headers } = context.env.incoming;
    const who = access.whoIs(headers, addressOf(context));
    if (who !== undefined) return who;
    if (tokenIn(headers) !== undefined) audit.refused('key refused', addressOf(context));
    await access.afterGuess();
    return undefined;
  };
  app.post('/api/login', shortBody, async (context) => {
    const from = addressOf(context);
    const agent = context.req.header('user-agent');
    const login = access.logIn(await fieldOf(context, 'token'), { from, agent });
    if (login === undefined) {
      audit.refused('login refused', from);
      await access.afterGuess();
      return context.text('Unauthorized', 401);
    }
    const { secret, joined, visitor } = login;
    const { key, role, device } = visitor;
    const about = agent === undefined ? undefined : plainLine(agent);
    audit.add({ what: joined ? 'device joined' : 'login', ok: true, key, role, device, from, about });
    return context.json({ secret } satisfies LoginAnswer);
  });
  app.post('/api/join', shortBody, async (context) => {
    const who = await comeIn(context);
    if (who === undefined) return context.text('Unauthorized', 401);
    const role = await fieldOf(context, 'role');
    const code = isRole(role) ? access.join(who, role) : undefined;
    const about = isRole(role) ? `another device as ${role}` : undefined;
    const { key, device, from } = who;
    audit.add({ what: 'join', ok: code !== undefined, key, role: who.role, device, from, about });
    if (code === undefined) return context.text('Forbidden', 403);
    return context.json({ code, goodForMs: JOIN_MS, origin: origin() } satisfies JoinAnswer);
  });
  app.post('/api/logout', async (context) => {
    const who = await comeIn(context);
    if (who === undefined) return context.text('Unauthorized', 401);
    const ok = access.logOut(who);
    const { key, role, device, from } = who;
    audit.add({ what: 'logout', ok, key, role, device, from });
    // A program has a key, which somebody may revoke.
    if (!ok) return context.text('Forbidden', 403);
    onLoggedOut();
    return context.body(null, 204);
  });
  app.get('/api/me', async (context) => {
    const who = await comeIn(context);
    if (who === undefined) return context.text('Unauthorized', 401);
    return context.json({ kind: who.kind, role: who.role, key: who.key });
  });
}

function addressOf(context: Context<{ Bindings: HttpBindings }>): string | undefined {
  return context.env.incoming.socket?.remoteAddress;
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
