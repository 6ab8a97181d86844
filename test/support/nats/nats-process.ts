import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Keeper } from '../../../src/wire/transport/process/keeper.js';
import { chainMarks, MARK_VARIABLE } from '../../../src/wire/transport/process/process-mark.js';
import { natsProgram, noNats } from './with-nats.js';

// Not this host's: a worker's deadline must not end servers.
const keeper = new Keeper();

/** A running server with JetStream. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Where its streams are kept. */
  readonly storeDir: string;
  readonly pid: number;
  /** Its output so far. */
  log(): string;
  /** Sends a signal: SIGKILL, SIGSTOP, SIGCONT. */
  signal(name: NodeJS.Signals): void;
  /** Ends it at once, as a crash does; `start()` starts it again. */
  kill(): Promise<void>;
  /** Ends it in an orderly way. */
  stop(): Promise<void>;
  /** Starts it again, with the same port and streams. */
  start(): Promise<void>;
  /** The answer of its monitoring port. */
  monitor(path: string): Promise<Record<string, unknown>>;
}

/** How a server differs from a plain one. */
export interface NatsServerOptions {
  /** More lines of its configuration. */
  readonly config?: string;
  /** More lines of its JetStream configuration. */
  readonly jetstream?: string;
  readonly port?: number;
  /** Where it listens. Default: 127.0.0.1. */
  readonly host?: string;
  /** Kept afterwards if it is given. */
  readonly storeDir?: string;
  /** Fills the folder of its streams before it starts. */
  readonly prepare?: (storeDir: string) => Promise<void>;
  /** Another program, such as an old server. */
  readonly program?: string;
  /** Part of a cluster: it is ready when the others are. */
  readonly waitsForOthers?: boolean;
  /** Cleans up after the test. Default: true; otherwise the caller must call `stop()`. */
  readonly tidies?: boolean;
}

/** Starts a server with its own port and folder; both are released after the test. */
export async function startNats(options: NatsServerOptions = {}): Promise<NatsServer> {
  const { program = natsProgram, host = '127.0.0.1' } = options;
  if (program === undefined) throw new Error(noNats);
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-nats-'));
  const storeDir = options.storeDir ?? join(folder, 'store');
  mkdirSync(storeDir, { recursive: true });
  await options.prepare?.(storeDir);
  const [monitorPort = 0, port = 0] =
    options.port === undefined ? await freePorts(2) : [...(await freePorts(1)), options.port];
  const file = join(folder, 'server.conf');
  writeFileSync(
    file,
    `listen: "${host}:${port}"\nhttp: "${host}:${monitorPort}"\njetstream { store_dir: ${JSON.stringify(storeDir)}\n${options.jetstream ?? ''} }\n${options.config ?? ''}\n`,
  );
  const server = new ServerProcess({ program, file, host, port, monitorPort, storeDir });
  const tidy = async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  if (options.tidies ?? true) onTestFinished(tidy);
  try {
    await server.begin();
    if (options.waitsForOthers !== true) await server.ready();
  } catch (error) {
    await tidy();
    throw error;
  }
  return server;
}

/** How long a server may take to say how it is; one that is cut off says nothing. */
const MONITOR_MS = 5_000;

interface ServerParts {
  readonly program: string;
  readonly file: string;
  readonly host: string;
  readonly port: number;
  readonly monitorPort: number;
  readonly storeDir: string;
}

class ServerProcess implements NatsServer {
  readonly port: number;
  readonly storeDir: string;
  readonly #parts: ServerParts;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.port = parts.port;
    this.storeDir = parts.storeDir;
  }

  get url(): string {
    return `nats://${this.#parts.host}:${this.port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  log(): string {
    return this.#log;
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async start(): Promise<void> {
    await this.begin();
    await this.ready();
  }

  async monitor(path: string): Promise<Record<string, unknown>> {
    const { host, monitorPort } = this.#parts;
    const response = await fetch(`http://${host}:${monitorPort}/${path}`, {
      signal: AbortSignal.timeout(MONITOR_MS),
    });
    const body: unknown = await response.json();
    return { ...(typeof body === 'object' ? body : {}), httpStatus: response.status };
  }

  /** Starts the process; the keeper ends it if this host is killed. */
  async begin(): Promise<void> {
    const watch = keeper.watch();
    const env = { ...process.env, [MARK_VARIABLE]: chainMarks(process.env[MARK_VARIABLE], watch.mark) };
    const child = spawn(this.#parts.program, ['-c', this.#parts.file], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.once('exit', () => watch.release());
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#log = `${this.#log}${text}`.slice(-200_000);
      });
    }
    await once(child, 'spawn');
    watch.cover(child.pid ?? 0);
  }

  /** Waits until JetStream can be used; if the server has exited, reports why. */
  async ready(): Promise<void> {
    for (let look = 0; look < 600; look += 1) {
      const child = this.#child;
      if (child === undefined || child.exitCode !== null) throw new Error(`nats-server left: ${this.#log}`);
      const health = await this.monitor('healthz').catch(() => undefined);
      if (health?.httpStatus === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`nats-server is not ready after 30 s: ${this.#log}`);
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

const PORTS = { from: 12_000, to: 32_000, perWorker: 2_000 };
let taken = randomInt(PORTS.perWorker);

/**
 * Free ports of this machine. Those for outgoing connections are left out: one of them may be taken while a server is
 * down. Test files that run side by side take theirs from different parts, and none gets the same port again soon: a server
 * that is about to start has only its number.
 */
export async function freePorts(count: number): Promise<number[]> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0);
  const first = PORTS.from + ((worker * PORTS.perWorker) % (PORTS.to - PORTS.from));
  const ports: number[] = [];
  while (ports.length < count) {
    taken = (taken + 1) % PORTS.perWorker;
    const port = first + taken;
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
