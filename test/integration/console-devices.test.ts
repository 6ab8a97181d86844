import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { JoinAnswer, LoginAnswer } from '../../src/entry/remote/contract.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { Console } from '../../src/server/console/start-console.js';
import { BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function post(server: Console, path: string, body: object, headers: Record<string, string> = {}) {
  const given = { 'content-type': 'application/json', 'user-agent': 'A phone' };
  const url = `${server.origin}/api/${path}`;
  return fetch(url, { method: 'POST', headers: { ...given, ...headers }, body: JSON.stringify(body) });
}

/** Lets a browser in through a code of another device; returns its secret. */
async function joinAs(server: Console, token: string, role: string): Promise<string> {
  const { code } = (await (await post(server, 'join', { role }, bearer(token))).json()) as JoinAnswer;
  return ((await (await post(server, 'login', { token: code })).json()) as LoginAnswer).secret;
}

/** The socket of a browser. */
async function page(server: Console, secret: string): Promise<BareClient> {
  const { origin } = server;
  const protocols = ['coxswain', `coxswain.key.${secret}`];
  const client = new BareClient(
    new WebSocket(`${origin.replace('http', 'ws')}/api/socket`, protocols, { headers: { origin } }),
  );
  await client.next(({ type }) => type === 'sessions');
  return client;
}

async function audit(stateFolder: string) {
  const lines = (await readFile(join(stateFolder, 'audit.jsonl'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('A joined device is listed and logged as what it is; signing it out ends its sockets at once', async () => {
  const { server, stateFolder, root } = await startEmulatedConsole([]);
  const owner = await BareClient.connect(server);
  const secret = await joinAs(server, server.token, 'operator');
  const phone = await page(server, secret);
  const { devices } = await owner.ask('devices', {});
  expect(devices).toMatchObject([
    { kind: 'key', key: 'owner', role: 'owner', own: true, connected: 1, lastUsedAt: expect.any(Number) },
    {
      kind: 'browser',
      key: 'owner',
      role: 'operator',
      joined: true,
      own: false,
      connected: 1,
      agent: 'A phone',
      from: expect.stringContaining('127.0.0.1'),
      lastUsedAt: expect.any(Number),
    },
  ]);
  expect(JSON.stringify(devices)).not.toContain(secret);
  const device = devices[1]?.id ?? '';
  expect(await phone.command('devices', {})).toMatchObject({ ok: false, error: { code: 'ROLE_REFUSED' } });
  await phone.ask('open', { cwd: root });
  // An invitation of a device that is signed out is worth nothing either.
  const { code } = (await (
    await post(server, 'join', { role: 'watcher' }, bearer(secret))
  ).json()) as JoinAnswer;
  await owner.ask('devices.revoke', { device });
  expect(await phone.closed).toBe(4401);
  expect((await fetch(`${server.origin}/api/me`, { headers: bearer(secret) })).status).toBe(401);
  expect((await post(server, 'login', { token: code })).status).toBe(401);
  expect((await owner.ask('devices', {})).devices).toHaveLength(1);
  const entries = await audit(stateFolder);
  const of = { key: 'owner', role: 'operator', device, from: expect.stringContaining('127.0.0.1') };
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'device joined', ...of, about: 'A phone' }),
      expect.objectContaining({ what: 'open', ok: true, ...of }),
      expect.objectContaining({ what: 'devices', ok: false, ...of, error: 'ROLE_REFUSED' }),
      expect.objectContaining({ what: 'devices.revoke', ok: true, role: 'owner', about: device }),
      expect.objectContaining({ what: 'key refused', ok: false, from: of.from }),
    ]),
  );
});

test('A revoked key ends its sockets and those of its browsers; a token of the start cannot be revoked', async () => {
  const stateFolder = await temporaryFolder();
  const token = new KeyFile(stateFolder).add('laptop', 'owner');
  const { server } = await startEmulatedConsole([], { stateFolder });
  const owner = await BareClient.connect(server);
  const laptop = await BareClient.connect(server, { token });
  const browser = await page(server, await joinAs(server, token, 'owner'));
  const list = async () => (await owner.ask('devices', {})).devices;
  const idOf = async (name: string) =>
    (await list()).find(({ key, kind }) => kind === 'key' && key === name)?.id ?? '';
  const own = await owner.command('devices.revoke', { device: await idOf('owner') });
  expect(own).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  expect(await owner.command('devices.revoke', { device: 'nobody' })).toMatchObject({ ok: false });
  const url = `${server.origin}/api/v1/devices`;
  const revoked = await fetch(`${url}/${await idOf('laptop')}`, {
    method: 'DELETE',
    headers: bearer(server.token),
  });
  expect(revoked.status).toBe(204);
  expect(await Promise.all([laptop.closed, browser.closed])).toEqual([4401, 4401]);
  const left = (await (await fetch(url, { headers: bearer(server.token) })).json()) as { items: unknown[] };
  expect(left.items).toMatchObject([{ kind: 'key', key: 'owner', own: true }]);
  expect((await fetch(url, { headers: bearer(token) })).status).toBe(401);
});

test.each(['watcher', 'operator', 'owner'])(
  'A browser of a %s signs itself out, and nobody else',
  async (role) => {
    const { server, stateFolder } = await startEmulatedConsole([]);
    const secret = await joinAs(server, server.token, role);
    const [phone, other] = [
      await page(server, secret),
      await page(server, await joinAs(server, server.token, role)),
    ];
    expect((await post(server, 'logout', {}, bearer(secret))).status).toBe(204);
    expect(await phone.closed).toBe(4401);
    expect((await post(server, 'logout', {}, bearer(secret))).status).toBe(401);
    expect((await post(server, 'logout', {}, bearer(server.token))).status).toBe(403);
    const owner = await BareClient.connect(server);
    expect((await owner.ask('devices', {})).devices.filter(({ kind }) => kind === 'browser')).toHaveLength(1);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    expect(await audit(stateFolder)).toContainEqual(
      expect.objectContaining({ what: 'logout', ok: true, role }),
    );
  },
);

test('The last use of keys and browsers survives a restart', async () => {
  const stateFolder = await temporaryFolder();
  const token = new KeyFile(stateFolder).add('laptop', 'owner');
  const first = await startEmulatedConsole([], { stateFolder });
  await joinAs(first.server, token, 'watcher');
  await first.server.close();
  const { server } = await startEmulatedConsole([], { stateFolder });
  const { devices } = await (await BareClient.connect(server)).ask('devices', {});
  const used = devices.filter(({ key }) => key === 'laptop');
  expect(used).toMatchObject([
    { kind: 'key', lastUsedAt: expect.any(Number) },
    { kind: 'browser', role: 'watcher', lastUsedAt: expect.any(Number) },
  ]);
});

test('Refused keys are logged with their address, not once per attempt', async () => {
  const { server, stateFolder } = await startEmulatedConsole([]);
  const url = `${server.origin}/api/v1/conversations`;
  const tries = Array.from({ length: 20 }, () => fetch(url, { headers: bearer('a guess') }));
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 401));
  // Nothing was tried here.
  expect((await fetch(url)).status).toBe(401);
  const refused = (await audit(stateFolder)).filter(({ what }) => what === 'key refused');
  expect(refused).toEqual([
    { at: expect.any(String), what: 'key refused', ok: false, from: expect.stringContaining('127.0.0.1') },
  ]);
});
