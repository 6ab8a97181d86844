import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { Authenticator, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Engine } from '../engine/engine.js';
import type { EngineOptions } from '../engine/engine-options.js';
import { loadClients, type NatsClients } from './clients.js';
import { Names } from './names.js';
import { natsEngine } from './nats-engine.js';
import { probe } from './probe.js';
import { isElecting, isPlacing, isStarting, onceSettled } from './settling.js';
import { withoutLeaks } from './socket-leaks.js';
import { makeStreams } from './streams.js';

/** A connection to the NATS servers of a fleet, and what it stores there. */
export interface NatsParts extends Pick<Engine, 'isConnected' | 'connections'> {
  readonly clients: NatsClients;
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly names: Names;
  readonly workers: KV;
  readonly sessions: KV;
  readonly blobs: Engine['blobs'];
  readonly transcripts: Engine['transcripts'];
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** An engine that is NATS. */
export type NatsEngine = NatsParts & Engine;

/** How long a server may be silent while a connection is made. */
const CONNECT_MS = 5_000;
/** How long a server that is started together with us may take. */
const START_MS = 20_000;
/** A connection whose server misses three of these in a row is left: another is found before a lease is lost. */
const PING_MS = 1_500;

/**
 * Connects to NATS, checks that it supports what a fleet needs, and creates what is missing. Waits for servers that are
 * just starting.
 * @throws CoxswainError `FLEET_NOT_STARTED`, `FLEET_ENGINE_UNFIT`.
 */
export async function openEngine(options: EngineOptions, name = 'coxswain'): Promise<NatsEngine> {
  const names = new Names(options.namespace);
  const clients = await loadClients();
  const connection = await connect(clients, options, name);
  try {
    const js = clients.jetstream.jetstream(connection);
    const { onDiagnostic } = options;
    const jsm = await onceSettled(() => js.jetstreamManager(), { passes: isElecting, onDiagnostic });
    const parts = { clients, connection, js, jsm, names, onDiagnostic, ...watchConnection(connection) };
    const made = await onceSettled(() => makeStreams(parts, options), { passes: isPlacing, onDiagnostic });
    const engine = { ...parts, ...made };
    await onceSettled(() => probe(engine), { passes: isPlacing, onDiagnostic });
    return natsEngine(engine);
  } catch (error) {
    await connection.close();
    throw error instanceof CoxswainError ? error : notStarted(options, error);
  }
}

async function connect(clients: NatsClients, options: EngineOptions, name: string): Promise<NatsConnection> {
  const { onDiagnostic, startMs: forMs = START_MS } = options;
  const dial = async () => {
    const given = await connectionOptions(clients, options, name);
    return withoutLeaks(() => clients.core.connect(given));
  };
  try {
    return await onceSettled(dial, { passes: isStarting, forMs, onDiagnostic });
  } catch (error) {
    throw notStarted(options, error);
  }
}

function watchConnection(connection: NatsConnection): Pick<Engine, 'isConnected' | 'connections'> {
  let [isConnected, connections] = [true, 1];
  const watch = async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') isConnected = false;
      if (type !== 'reconnect') continue;
      isConnected = true;
      connections += 1;
    }
  };
  void watch();
  return { isConnected: () => isConnected, connections: () => connections };
}

function notStarted({ nats }: EngineOptions, cause: unknown): CoxswainError {
  const servers = [nats].flat().map(withoutSecrets).join(', ');
  const message = `Cannot use the NATS server at ${servers}: ${errorText(cause)}.`;
  return new CoxswainError('FLEET_NOT_STARTED', message, { cause });
}

/** Addresses may contain a password. */
function withoutSecrets(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//');
}

async function connectionOptions(
  { core }: NatsClients,
  { nats, user, pass, token, tls, ...files }: EngineOptions,
  name: string,
): Promise<NodeConnectionOptions> {
  const authenticator: Authenticator[] = [];
  const { creds, nkey } = files;
  if (creds !== undefined) authenticator.push(await fromFile(creds, core.credsAuthenticator));
  if (nkey !== undefined)
    authenticator.push(await fromFile(nkey, (seed) => core.nkeyAuthenticator(trimmed(seed))));
  const addresses = [nats].flat();
  const given = { ...secretsIn(addresses), ...defined({ user, pass, token }) };
  return {
    servers: addresses.map(withoutSecrets),
    name,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    // Who replaces credentials does not do it everywhere at the same moment.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    pingInterval: PING_MS,
    maxPingOut: 2,
    ...(authenticator.length === 0 ? {} : { authenticator }),
    ...given,
    ...(tls === undefined ? {} : { tls: tlsFiles(tls) }),
  };
}

/** Credentials from a file that may be replaced: it is read again for each connection. */
async function fromFile(path: string, read: (bytes: Uint8Array) => Authenticator): Promise<Authenticator> {
  let known = read(await readFile(path));
  return (nonce) => {
    try {
      const fresh = read(readFileSync(path));
      const answer = fresh(nonce);
      known = fresh;
      return answer;
    } catch {
      // It is just being written: the next attempt may succeed.
      return known(nonce);
    }
  };
}

function trimmed(bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(bytes).trim());
}

function tlsFiles({ ca, cert, key }: NonNullable<EngineOptions['tls']>): Record<string, string> {
  return defined({ caFile: ca, certFile: cert, keyFile: key });
}

/** Reads `user:password@` or `token@` from addresses as NATS tools do; the NATS client does not. */
function secretsIn(addresses: readonly string[]): Record<string, string> {
  const found = addresses
    .map((address) => /\/\/([^@/]*)@/.exec(address)?.[1])
    .find((each) => each !== undefined);
  if (found === undefined) return {};
  const [name = '', pass] = found.split(':').map(decodeURIComponent);
  return pass === undefined ? { token: name } : { user: name, pass };
}

function defined(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter((each): each is [string, string] => each[1] !== undefined),
  );
}
