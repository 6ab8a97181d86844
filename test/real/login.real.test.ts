import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loginOf } from '../../src/host/cli/login/login.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { text } from '../../src/lab/testing/model/replies.js';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import { realSystem } from '../../src/wire/transport/process/system.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

/** CLIs of four eras. Their logins are made up, and the way to the login server ends in this process. */
const clis = knownRealClis().filter(({ version }) =>
  /^(2\.0\.73|2\.1\.17|2\.1\.112|2\.1\.326)$/.test(version),
);

const LOGIN_SERVER = /^(?:platform\.claude|console\.anthropic)\.com/;

/** A proxy that takes nobody anywhere: connections to the login server stay open until they are refused, others are at once. */
interface DeadEnd {
  readonly url: string;
  /** How often a CLI wanted to reach the login server. */
  readonly asked: () => number;
  refuse(): void;
}

async function deadEnd(): Promise<DeadEnd> {
  let asked = 0;
  let isRefused = false;
  const held: Socket[] = [];
  const end = (socket: Socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  const server: Server = createServer((_request, response) => void response.writeHead(502).end());
  server.on('connect', ({ url = '' }, socket: Socket) => {
    socket.on('error', () => {});
    const isLogin = LOGIN_SERVER.test(url);
    if (isLogin) asked += 1;
    if (isLogin && !isRefused) held.push(socket);
    else end(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of held) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    refuse: () => {
      isRefused = true;
      held.forEach(end);
    },
  };
}

/** Writes a made-up login into a config folder. */
function logIn(folder: string, { endsInMs, name = 'first' }: { endsInMs: number; name?: string }): void {
  mkdirSync(folder, { recursive: true });
  const claudeAiOauth = {
    accessToken: `sk-ant-oat01-made-up-${name}`,
    refreshToken: `sk-ant-ort01-made-up-${name}`,
    expiresAt: Date.now() + endsInMs,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  };
  writeFileSync(join(folder, '.credentials.json'), JSON.stringify({ claudeAiOauth }), { mode: 0o600 });
}

/** Options for a CLI that has only the login. */
function withLogin(proxy: DeadEnd, own: SessionOptions = {}): SessionOptions {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  const proxies = Object.fromEntries(names.map((name) => [name, proxy.url]));
  return { ...own, env: { ...proxies, ANTHROPIC_API_KEY: undefined, ...own.env } };
}

const loginIn = (folder: string) => {
  const login = loginOf({ CLAUDE_CONFIG_DIR: folder }, realSystem());
  if (login === undefined) throw new Error('There is no login.');
  return login;
};
const MINUTE = 60_000;

describeInstalledClis(
  'a CLI with a login',
  (cli) => {
    test('renews one that ends within five minutes as soon as it starts, under a lock that it touches', async () => {
      await using place = await realPlace(cli);
      const proxy = await deadEnd();
      const folder = join(place.folders.home, '.claude');
      logIn(folder, { endsInMs: 4.8 * MINUTE });
      const login = loginIn(folder);
      // 2.0.73 answers only once the login server has.
      const opening = place.open(withLogin(proxy));
      await place.until(() => proxy.asked() > 0);
      expect(login.isBeingRenewed()).toBe(true);
      const [lock] = login.locks;
      await place.until(() => (login.locks[0]?.touchedAt ?? 0) > (lock?.touchedAt ?? 0));
      proxy.refuse();
      await (await opening).close();
    });

    test('takes over a lock that nobody touches', async () => {
      await using place = await realPlace(cli);
      const proxy = await deadEnd();
      const folder = join(place.folders.home, '.claude');
      logIn(folder, { endsInMs: -MINUTE });
      const login = loginIn(folder);
      for (const lock of [`${folder}.lock`, join(folder, '.oauth_refresh.lock')]) {
        mkdirSync(lock);
        utimesSync(lock, 1_000_000, 1_000_000);
      }
      expect(login.isBeingRenewed()).toBe(false);
      const opening = place.open(withLogin(proxy));
      await place.until(() => proxy.asked() > 0);
      expect(login.isBeingRenewed()).toBe(true);
      proxy.refuse();
      await (await opening).close();
    });

    test('leaves a longer one alone; many start at once then, and near its end one after the other', async () => {
      await using place = await realPlace(cli);
      const proxy = await deadEnd();
      const folder = join(place.folders.home, '.claude');
      logIn(folder, { endsInMs: 6 * MINUTE });
      const diagnostics: Diagnostic[] = [];
      const options = withLogin(proxy, { onDiagnostic: (each) => diagnostics.push(each) });
      const early = await Promise.all([place.open(options), place.open(options)]);
      expect(proxy.asked()).toBe(0);
      expect(diagnostics.filter(({ code }) => code === 'LOGIN_AWAITED')).toEqual([]);
      for (const session of early) await session.close();

      logIn(folder, { endsInMs: MINUTE });
      const late = [place.open(options), place.open(options)];
      await place.until(() => proxy.asked() > 0);
      expect(diagnostics.filter(({ code }) => code === 'LOGIN_AWAITED')).toHaveLength(1);
      // As the CLI does once the login server has answered.
      logIn(folder, { endsInMs: 480 * MINUTE, name: 'second' });
      const awaited = await Promise.race(late);
      expect(proxy.asked()).toBe(1);
      await awaited.close();
      proxy.refuse();
      for (const session of await Promise.all(late)) await session.close();
    });

    test('of 2.1.144 and newer uses it with another config folder; an older one finds none, which is reported', async () => {
      await using place = await realPlace(cli);
      const proxy = await deadEnd();
      const { home } = place.folders;
      const shared = join(home, '.claude');
      logIn(shared, { endsInMs: 4 * MINUTE });
      const configDir = join(home, 'conversation');
      const diagnostics: Diagnostic[] = [];
      const onDiagnostic = (each: Diagnostic) => void diagnostics.push(each);
      const session = await place.open(withLogin(proxy, { configDir, onDiagnostic }));
      place.model.play([text('Hello.')]);
      const missing = diagnostics.filter(({ code }) => code === 'LOGIN_NOT_FOUND');
      if (cli.version === '2.1.326') {
        // The lock is beside the shared login, so CLIs with other config folders see it.
        await place.until(() => loginIn(shared).isBeingRenewed());
        expect(missing).toEqual([]);
        proxy.refuse();
        expect(await session.send('Hi').text()).toBe('Hello.');
      } else {
        expect(missing).toMatchObject([{ message: expect.stringContaining(configDir) }]);
        expect((await session.send('Hi').outcome).kind).toBe('auth');
      }
      await session.close();
      expect(existsSync(join(configDir, '.claude.json'))).toBe(true);
      expect(existsSync(join(configDir, '.credentials.json'))).toBe(false);
      expect(readFileSync(join(shared, '.credentials.json'), 'utf8')).toContain('made-up-first');
    });
  },
  { clis },
);
