import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { CoxswainError } from '../../wire/util/errors.js';
import type { SpawnRequest } from '../cli/spawner.js';

/** A way out of a sandbox without a network, which leads to the model and to nothing else. */
export interface WayToModel {
  /** The folder with the socket that the sandbox must see. */
  readonly folder: string;
  /** What runs inside in place of a program: it starts the program and relays its connections. */
  wrap(words: readonly string[]): readonly string[];
  close(): Promise<void>;
}

/** Opens one: a socket in a private folder, whose connections all go to the model's address. */
export async function wayToModel(env: SpawnRequest['env'], privateFolder: string): Promise<WayToModel> {
  const { protocol, hostname, port, pathname } = modelAddress(env);
  const isPlain = protocol === 'http:';
  const folder = join(privateFolder, 'model');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, 'socket');
  const server = createServer((inner) => {
    const outer = connect(Number(port || (isPlain ? 80 : 443)), hostname);
    inner.pipe(outer).pipe(inner);
    inner.on('error', () => outer.destroy()).on('close', () => outer.destroy());
    outer.on('error', () => inner.destroy()).on('close', () => inner.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  // The CLI keeps this process busy, not its way to the model.
  server.unref();
  return {
    folder,
    wrap: (words) => [process.execPath, '-e', RELAY, socket, protocol, pathname.replace(/\/$/, ''), ...words],
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function modelAddress({ ANTHROPIC_BASE_URL = 'https://api.anthropic.com' }: SpawnRequest['env']): URL {
  try {
    return new URL(ANTHROPIC_BASE_URL);
  } catch {
    throw new CoxswainError('SPAWN_FAILED', `ANTHROPIC_BASE_URL is not an address: ${ANTHROPIC_BASE_URL}`);
  }
}

/**
 * Listens on the sandbox's own loopback. A model over HTTP has this address inside; one over HTTPS is reached through
 * it as a proxy, so that the CLI checks the model's certificate itself. Whatever address is asked for, it is the model's.
 */
const RELAY = `
const { connect } = require('node:net'), [, socket, protocol, path, file, ...args] = process.argv;
const pass = (from) => {
  const to = connect(socket);
  from.on('error', () => to.destroy()).on('close', () => to.destroy());
  to.on('error', () => from.destroy()).on('close', () => from.destroy());
  return to.on('connect', () => from.pipe(to).pipe(from));
};
const isPlain = protocol === 'http:';
const server = isPlain ? require('node:net').createServer(pass) : require('node:http').createServer();
server.on('connect', (asked, from, head) => {
  const to = pass(from).on('connect', () => from.write('HTTP/1.1 200 OK\\r\\n\\r\\n'));
  if (head.length > 0) to.write(head);
});
server.listen(0, '127.0.0.1', () => {
  const here = 'http://127.0.0.1:' + server.address().port;
  const env = isPlain ? { ANTHROPIC_BASE_URL: here + path } : { HTTPS_PROXY: here, https_proxy: here, NO_PROXY: '', no_proxy: '' };
  const child = require('node:child_process').spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => process.exit(127)).on('exit', (code) => process.exit(code ?? 137));
});
`;
