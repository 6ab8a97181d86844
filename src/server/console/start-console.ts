import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import type { OpenParams } from '../../entry/remote/contract.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { CommandRunner } from './commands/command-runner.js';
import { Folders, findRoots } from './commands/folders.js';
import { History } from './commands/history.js';
import { Access, chooseToken, chooseWatchToken, inUrl } from './http/access.js';
import { makeApp } from './http/app.js';
import { makeUpgrade } from './http/upgrade.js';
import type { LogLimits } from './log/event-log.js';
import { MemoryWatch } from './sessions/memory-watch.js';
import { SessionRegistry } from './sessions/session-registry.js';
import { Hub } from './socket/hub.js';
import type { OutletLimits } from './socket/outlet.js';
import { readVersion } from './version.js';

/** What a console server can be told. */
export interface ConsoleOptions {
  /** The port to listen on; any free one unless given. */
  readonly port?: number | undefined;
  /** The address to listen on: this machine alone unless given. Another one needs a `token` of your own. */
  readonly host?: string | undefined;
  /** What opens the door; a random one unless given. */
  readonly token?: string | undefined;
  /** Another token, whose holders may look and nothing else: a random one for true. None unless given. */
  readonly watchToken?: string | boolean | undefined;
  /** Further names by which the server may be called, such as that of a proxy before it. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The folders below which sessions may work; the current one unless given. */
  readonly roots?: readonly string[] | undefined;
  /** Lets clients switch all permission checks off; they may not unless this is true. */
  readonly allowBypass?: boolean | undefined;
  /** Where sessions are kept; `coxswain/console` in the state folder of the user unless given. */
  readonly stateFolder?: string | undefined;
  /** Options for each CLI that is started, such as `cli` and `env`; what a client asks for comes before them. */
  readonly session?: SessionOptions | ((opened: OpenParams) => SessionOptions) | undefined;
  /** The CLI's own folder, where earlier conversations are looked for. */
  readonly configDir?: string | undefined;
  /** Says that CLIs are emulated, and what a person could say to them. */
  readonly demo?: { readonly suggestions: readonly string[] } | undefined;
  /** How much may be asked of the server. */
  readonly limits?: ConsoleLimits | undefined;
  readonly clock?: Clock | undefined;
}

/** How much may be asked of a server. */
export interface ConsoleLimits {
  /** Sessions with a CLI at once; 100 unless given. */
  readonly sessions?: number | undefined;
  /** Ended sessions that are kept; 200 unless given. */
  readonly ended?: number | undefined;
  /** Clients at once; 500 unless given. */
  readonly clients?: number | undefined;
  /** Bytes of one message of a client; 32 MiB unless given. */
  readonly message?: number | undefined;
  /** How far one client may be behind. */
  readonly outlet?: OutletLimits | undefined;
  /** How much of each session's events is kept. */
  readonly log?: LogLimits | undefined;
  /** From how much memory on a CLI with its processes is shown as too large, in bytes; 2 GiB unless given. */
  readonly memory?: number | undefined;
  /** How long a program may be gone before its hooks are answered for, in milliseconds; 5 s unless given. */
  readonly ownerGraceMs?: number | undefined;
}

/** A console server that runs. */
export interface Console extends AsyncDisposable {
  /** The address to open in a browser, with the token behind `#`. */
  readonly url: string;
  /** The address for programs. */
  readonly origin: string;
  readonly token: string;
  /** The address for those who may look and nothing else, and its token; undefined where there is none. */
  readonly watchUrl: string | undefined;
  readonly watchToken: string | undefined;
  readonly port: number;
  /** Ends all sessions and the server; resolves when nothing is left running. May be called twice. */
  close(): Promise<void>;
}

/** Starts a server that owns sessions for browsers and programs. */
export async function startConsole(options: ConsoleOptions = {}): Promise<Console> {
  const { host = '127.0.0.1', port = 0, allowedHosts, clock = systemClock, limits = {} } = options;
  const token = chooseToken(host, options.token);
  const watchToken = chooseWatchToken(token, options.watchToken);
  const access = new Access({ host, token, watchToken, allowedHosts });
  const { registry, hub } = await makeParts(options, clock);
  const app = makeApp({ access, publicFolder: PUBLIC });
  // It would put its own Request and Response in the place of the global ones.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  // Pages take a few connections each while they load.
  server.maxConnections = (limits.clients ?? MAX_CLIENTS) * 2 + 100;
  server.on('upgrade', makeUpgrade({ access, hub, maxMessage: limits.message ?? 32 * 1024 * 1024 }));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll(server, hub, registry);
    return closing;
  };
  try {
    const bound = await listen(server, port, host);
    access.listensOn(bound);
    const origin = `http://${inUrl(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)}:${bound}`;
    return {
      url: `${origin}/#token=${token}`,
      origin,
      token,
      watchUrl: watchToken && `${origin}/#token=${watchToken}`,
      watchToken,
      port: bound,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const MAX_CLIENTS = 500;
const MEMORY_LIMIT = 2 * 1024 ** 3;

/** Where the build puts the page; the same from the sources and from what is built of them. */
const PUBLIC = fileURLToPath(new URL('../../../dist/server/console/public/', import.meta.url));

async function makeParts(
  options: ConsoleOptions,
  clock: Clock,
): Promise<{ registry: SessionRegistry; hub: Hub }> {
  const { session = {}, allowBypass = false, configDir, demo, limits = {} } = options;
  const folders = new Folders(await findRoots(options.roots ?? [process.cwd()]));
  const history = new History({ folders, configDir });
  const registry = new SessionRegistry({
    folder: join(options.stateFolder ?? stateFolder(process.env), 'sessions'),
    base: (opened) => ({
      ...bypassOptions(allowBypass),
      ...(typeof session === 'function' ? session(opened) : session),
    }),
    check: (opened) => folders.checkOpen(opened),
    clock,
    now: Date.now,
    logLimits: limits.log,
    graceMs: limits.ownerGraceMs,
    maxOpen: limits.sessions ?? 100,
    maxEnded: limits.ended ?? 200,
    readMessages: (conversation, cwd) => history.messages(conversation, cwd),
    onChange: (changed) => hub.changed(changed),
    onRemoved: (removed) => hub.removed(removed),
  });
  const memory = new MemoryWatch({
    sessions: () => registry.all,
    clock,
    limit: limits.memory ?? MEMORY_LIMIT,
    onChange: (changed) => hub.changed(changed),
  });
  const hub: Hub = new Hub({
    registry,
    runner: new CommandRunner({ registry, folders, history, allowBypass }),
    clock,
    maxClients: limits.clients ?? MAX_CLIENTS,
    limits: limits.outlet,
    onWatched: (watched) => {
      memory.watched = watched;
    },
    hello: {
      type: 'hello',
      protocol: 1,
      version: readVersion(),
      server: randomUUID(),
      roots: folders.roots,
      allowBypass,
      demo: demo !== undefined,
      suggestions: demo?.suggestions ?? [],
    },
  });
  await registry.restore();
  return { registry, hub };
}

/** A CLI lets itself be switched to bypassPermissions only if it was started for that, which it never is for root. */
function bypassOptions(allowBypass: boolean): SessionOptions {
  return allowBypass && process.getuid?.() !== 0 ? { allowDangerouslySkipPermissions: true } : {};
}

/** Where programs keep what should survive a restart, by the convention of the XDG. */
function stateFolder({ XDG_STATE_HOME: given }: NodeJS.ProcessEnv): string {
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(base, 'coxswain', 'console');
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: unknown) => {
      const message = `The console cannot listen on ${host}, port ${port}: ${errorText(error)}.`;
      reject(new CoxswainError('CONSOLE_NOT_STARTED', message, { cause: error }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function closeAll(server: Server, hub: Hub, registry: SessionRegistry): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Clients should see how their sessions end.
  await registry.close();
  await hub.close();
  server.closeAllConnections();
  await closed;
}
