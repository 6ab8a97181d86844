import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { createAdaptorServer } from '@hono/node-server';
import { builtFile, packageVersion } from '../../wire/package/built-file.js';
import { systemClock } from '../../wire/util/clock.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { API_PATH } from './api/problems.js';
import type { ApiParts, makeApi } from './api/router.js';
import type { RunCommand } from './commands/command.js';
import { CommandRunner } from './commands/command-runner.js';
import { deviceCommands, isDeviceCommand } from './commands/device-commands.js';
import { isPushCommand, pushCommands } from './commands/push-commands.js';
import type { Console, ConsoleOptions } from './console-options.js';
import { Access, type Visitor } from './http/access.js';
import { makeApp } from './http/app.js';
import { ConnectionLimits, REQUEST_TIMES, type RemoteEnd } from './http/connection-limits.js';
import { Names, toldHost } from './http/names.js';
import { OtherSockets } from './http/other-sockets.js';
import { makeUpgrade } from './http/upgrade.js';
import { AuditLog } from './keys/audit-log.js';
import { Devices } from './keys/devices.js';
import type { Key } from './keys/key.js';
import { KeyFile } from './keys/key-file.js';
import { LastUses, USES_FILE } from './keys/last-uses.js';
import { LOGINS_FILE, Logins } from './keys/logins.js';
import { chooseTokens, startKeys } from './keys/start-tokens.js';
import { Pushes } from './push/pushes.js';
import { tellRunning } from './running-file.js';
import { type ConversationsFor, ownConversations } from './service/conversations.js';
import { ownSessions } from './sessions/own-sessions.js';
import type { ServedSessions } from './sessions/served-session.js';
import type { SessionListener, SessionSource } from './sessions/session-source.js';
import { Hub } from './socket/hub.js';
import { stateFolder } from './state-folder.js';
import { Webhooks } from './webhooks/webhooks.js';

export type { Console, ConsoleLimits, ConsoleOptions } from './console-options.js';

/** Starts a server that owns sessions for browsers and programs. */
export async function startConsole(options: ConsoleOptions = {}): Promise<Console> {
  const { host = '127.0.0.1', port = 0, limits = {}, publicUrl, apiOrigins } = options;
  checkTls(options.tls);
  const tokens = chooseTokens(host, options);
  const [owner, watcher] = startKeys(tokens, Date.now());
  const folder = options.stateFolder ?? stateFolder(process.env);
  const audit = new AuditLog(join(folder, 'audit.jsonl'), Date.now);
  const stored = storedIn(folder, watcher === undefined ? [owner] : [owner, watcher], options);
  const pages = { origin: '', code: '' };
  const addressWith = (token: string) => `${pages.origin}/#token=${token}`;
  const access = new Access({
    ...stored,
    onCodeUsed: () => {
      pages.code = access.makeCode(owner);
      options.onPageUrlUsed?.(addressWith(pages.code));
    },
  });
  const origin = () => publicUrl ?? pages.origin;
  const names = new Names(host, allHosts(options));
  const answerUrl = (key: string) => `${origin()}${API_PATH}/answers/${key}`;
  const parts = await makeParts({ options, folder, access, audit, stored, answerUrl, origin });
  const { hub, problems, webhooks, others } = parts;
  const maxMessage = limits.message ?? 32 * 1024 * 1024;
  const cameIn = (end: RemoteEnd) => connections.cameIn(end);
  const api = lazyApi({ ...parts, ...apiOptions(options), access, audit, maxBody: maxMessage, cameIn });
  const publicFolder = builtFile('pages/console');
  const onLoggedOut = () => hub.dropRevoked();
  const app = makeApp({ access, names, audit, api, apiOrigins, publicFolder, origin, onLoggedOut });
  const server = makeServer(app.fetch, options.tls);
  const connections = new ConnectionLimits(server);
  server.on('upgrade', makeUpgrade({ access, audit, names, connections, hub, others, maxMessage }));
  let closing: Promise<void> | undefined;
  let untell = () => {};
  const close = () => {
    untell();
    closing ??= others
      .close()
      .then(() => closeAll(server, parts))
      .finally(() => {
        stored.uses.close();
        audit.close();
      });
    return closing;
  };
  try {
    const bound = await listen(server, port, host);
    pages.origin = `${options.tls === undefined ? 'http' : 'https'}://${toldHost(host)}:${bound}`;
    pages.code = access.makeCode(owner);
    untell = tellRunning(folder, pages.origin);
    webhooks.resume();
    return {
      url: addressWith(tokens.token),
      get pageUrl() {
        return addressWith(pages.code);
      },
      origin: pages.origin,
      token: tokens.token,
      watchUrl: tokens.watchToken && addressWith(tokens.watchToken),
      watchToken: tokens.watchToken,
      port: bound,
      problems,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Who has access: the keys of this start, and what is in the state folder. */
function storedIn(folder: string, keys: readonly Key[], { clock }: ConsoleOptions) {
  const file = new KeyFile(folder);
  const logins = new Logins(join(folder, LOGINS_FILE));
  return { keys, file, logins, uses: new LastUses(join(folder, USES_FILE)), now: Date.now, clock };
}

/** Explicitly allowed names, and the server's public name. */
function allHosts({ allowedHosts = [], publicUrl }: ConsoleOptions): readonly string[] {
  if (publicUrl === undefined) return allowedHosts;
  if (URL.canParse(publicUrl)) return [...allowedHosts, new URL(publicUrl).hostname];
  throw new CoxswainError('CONSOLE_NOT_STARTED', `${publicUrl} is not the address of a server.`);
}

/** Before anything is started that would have to be stopped again. */
function checkTls(tls: ConsoleOptions['tls']): void {
  try {
    if (tls !== undefined) createSecureContext(tls);
  } catch (error) {
    const message = `The TLS certificate and its key cannot be used: ${errorText(error)}. Check --tls-cert and --tls-key; they may be swapped.`;
    throw new CoxswainError('CONSOLE_NOT_STARTED', message, { cause: error });
  }
}

function apiOptions({ limits = {}, apiOrigins, allowBypass = false, clock = systemClock }: ConsoleOptions) {
  const { requests: rateLimits, outlet: outletLimits } = limits;
  return { clock, rateLimits, outletLimits, origins: apiOrigins, version: packageVersion(), allowBypass };
}

function makeServer(
  fetch: Parameters<typeof createAdaptorServer>[0]['fetch'],
  tls: ConsoleOptions['tls'],
): Server {
  return createAdaptorServer({
    fetch,
    // It would replace the global Request and Response.
    overrideGlobalObjects: false,
    ...(tls === undefined
      ? { serverOptions: REQUEST_TIMES }
      : { createServer: createTlsServer, serverOptions: { ...REQUEST_TIMES, ...tls } }),
  }) as Server;
}

const MAX_CLIENTS = 500;

interface Basis {
  readonly options: ConsoleOptions;
  /** Where sessions, keys and the audit log are kept. */
  readonly folder: string;
  readonly access: Access;
  readonly audit: AuditLog;
  readonly stored: ReturnType<typeof storedIn>;
  /** The URL that answers a prompt, with a key. */
  readonly answerUrl: (key: string) => string;
  /** The public address of this server. */
  readonly origin: () => string;
}

interface Parts {
  readonly registry: ServedSessions;
  readonly hub: Hub;
  readonly conversationsFor: ConversationsFor;
  readonly source: SessionSource;
  readonly webhooks: Webhooks;
  readonly pushes: Pushes;
  readonly problems: readonly string[];
  readonly others: OtherSockets;
}

async function makeParts({
  options,
  folder,
  access,
  audit,
  answerUrl,
  origin,
  stored,
}: Basis): Promise<Parts> {
  const { allowBypass = false, demo, limits = {}, clock = systemClock, elsewhere } = options;
  const webhooks = new Webhooks({ folder, clock, now: Date.now, hosts: options.webhookHosts, answerUrl });
  const isKnown = (device: string) => devices.has(device);
  const pushes = new Pushes({ folder, clock, now: Date.now, hosts: options.webhookHosts, origin, isKnown });
  const listener: SessionListener = {
    webhooks,
    onChange: (changed) => {
      hub.changed(changed);
      webhooks.changed(changed);
      pushes.changed(changed);
    },
    onRemoved: (removed) => {
      hub.removed(removed);
      webhooks.removed(removed.id);
      pushes.removed(removed.id);
    },
  };
  const source = await (elsewhere?.(listener) ?? ownSessions({ ...listener, options, folder, audit }));
  const { sessions: registry } = source;
  const devices: Devices = new Devices({
    ...stored,
    connected: () => hub.visitors.flatMap(({ device }) => device ?? []),
    onRevoked: () => hub.dropRevoked(),
  });
  const run = runWith({ devices, pushes, source });
  const problems: string[] = [];
  const runner = new CommandRunner({ sessions: registry, audit, allowBypass, run });
  const isGood = (visitor: Visitor) => access.isGood(visitor);
  const hub: Hub = new Hub({
    registry,
    runner,
    isGood,
    clock,
    maxClients: limits.clients ?? MAX_CLIENTS,
    limits: limits.outlet,
    onWatched: (watched) => source.watched(watched),
    hello: {
      type: 'hello',
      protocol: 1,
      version: packageVersion(),
      server: randomUUID(),
      get roots() {
        return source.roots;
      },
      get workers() {
        return source.workers;
      },
      allowBypass,
      sandbox: typeof options.session === 'object' ? options.session.spawner?.name : undefined,
      demo: demo !== undefined,
      suggestions: demo?.suggestions ?? [],
      problems,
    },
  });
  const conversationsFor = ownConversations({ registry, runner, hub });
  const others = new OtherSockets(options.sockets ?? {}, conversationsFor, hub);
  for (const each of [stored.file, stored.logins, stored.uses, webhooks, pushes])
    problems.push(...each.problems);
  problems.push(...(await source.open()));
  return {
    registry,
    hub,
    conversationsFor,
    others,
    source,
    webhooks,
    pushes,
    problems,
  };
}

/** Devices and their subscriptions are this server's, wherever its sessions are. */
function runWith({
  source,
  ...own
}: Pick<Parts, 'pushes' | 'source'> & { readonly devices: Devices }): RunCommand {
  return ({ name, params, ...command }, asked) => {
    const context = { ...own, registry: source.sessions, by: asked.by };
    if (isDeviceCommand(name)) return deviceCommands[name].run(params as never, context);
    if (isPushCommand(name)) return pushCommands[name].run(params as never, context);
    return source.run({ name, params, ...command }, asked);
  };
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

async function closeAll(server: Server, { hub, registry, webhooks, pushes }: Parts): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Clients should see how their sessions end.
  await registry.close();
  await hub.close();
  server.closeAllConnections();
  await closed;
  await Promise.all([webhooks.close(), pushes.close()]);
}

/** The API, loaded on first use: its schemas cost nothing on a server that is not used over HTTP. */
function lazyApi(parts: ApiParts): () => ReturnType<typeof makeApi> {
  let made: ReturnType<typeof makeApi> | undefined;
  return () => {
    made ??= import('./api/router.js').then((router) => router.makeApi(parts));
    return made;
  };
}
