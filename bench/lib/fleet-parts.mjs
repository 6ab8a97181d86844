// The parts of a fleet as processes, in a folder that goes with them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { ensureNatsServer } from '../../scripts/lib/nats-server.mjs';

export class FleetParts {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-bench-fleet-'));
  #program;
  #children = [];

  /** @throws if there is no nats-server. */
  static async prepare() {
    const { path, reason } = await ensureNatsServer();
    if (path === undefined) throw new Error(reason);
    const parts = new FleetParts();
    parts.#program = path;
    return parts;
  }

  /** `sync` is when it writes to disk: `always`, or by its default, every two minutes. */
  async startNats(sync) {
    const port = await freePort();
    const file = join(this.folder, 'nats.conf');
    const store = JSON.stringify(join(this.folder, 'nats'));
    writeFileSync(
      file,
      `listen: 127.0.0.1:${port}\njetstream { store_dir: ${store}${sync === 'always' ? ', sync_interval: always' : ''} }\n`,
    );
    const child = spawn(this.#program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#children.push(child);
    await new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('nats-server left')));
      child.stderr.on('data', (text) => String(text).includes('Server is ready') && resolve());
    });
    return { url: `nats://127.0.0.1:${port}`, pid: child.pid };
  }

  /** Starts a program of the fleet tests; gives what it says first. */
  async start(name, options) {
    const args = ['--expose-gc', `test/fixtures/fleet/${name}.mjs`, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#children.push(child);
    const lines = createInterface(child.stdout);
    const said = await new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error(`a ${name} left`)));
      lines.once('line', resolve);
    });
    /** The megabytes that a gateway holds after a garbage collection. */
    const heap = async () => {
      child.stdin.write('heap\n');
      const [line] = await once(lines, 'line');
      return JSON.parse(line).heap;
    };
    return { pid: child.pid, said: JSON.parse(said), heap };
  }

  /** Kills a part; resolves when it is gone. */
  async kill(pid) {
    const child = this.#children.find((each) => each.pid === pid);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Kills all parts; others may start then. */
  async endAll() {
    await Promise.all(
      this.#children
        .filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)
        .map(({ pid }) => this.kill(pid)),
    );
    this.#children = [];
    rmSync(join(this.folder, 'nats'), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Which worker has each conversation. */
  async owners(nats) {
    const connection = await connect({ servers: nats });
    const records = await new Kvm(connection).open('coxswain_sessions');
    const owners = new Map();
    for await (const key of await records.keys()) owners.set(key, (await records.get(key))?.json().worker);
    await connection.close();
    return owners;
  }

  /** How long a part has run on a core. Linux counts in hundredths. */
  cpuSeconds(pid) {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  }

  megabytes(pid) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }

  /** Ends all of them at once. */
  end() {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
