import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startGateway } from '../../server/fleet/gateway/start-gateway.js';
import { loadClients } from '../../server/fleet/nats/clients.js';
import { hostKeeper } from '../../wire/transport/process/keeper.js';
import { chainMarks, MARK_VARIABLE } from '../../wire/transport/process/process-mark.js';
import { within } from '../../wire/util/clock.js';
import { errorCode, errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.js';

/** The options of `coxswain fleet dev`. */
export interface FleetDevFlags {
  readonly natsServer?: string;
  readonly workers?: number;
  readonly lease?: number;
  readonly port?: number;
  readonly root?: readonly string[];
  readonly cli?: string;
  readonly demo?: boolean;
  readonly json?: boolean;
}

/** How long a process may take to exit when everything is stopped. */
const STOP_MS = 5_000;

/** Runs a fleet on this machine until it is stopped; resolves with the exit code. */
export async function runFleetDev(flags: FleetDevFlags, context: CommandContext): Promise<number> {
  const ending = context.untilSignal();
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-fleet-'));
  const children: ChildProcess[] = [];
  try {
    const lacking = await lackingClients();
    const { server, url } = await startNats(flags, folder, context, lacking);
    children.push(server);
    if (lacking !== undefined) throw lacking;
    await using gateway = await startWhenReady({ server, url }, flags, folder, context);
    const count = flags.workers ?? 2;
    for (let index = 0; index < count; index += 1)
      children.push(startWorkerProcess(url, flags, join(folder, `worker-${index}`), context));
    const workers = children.slice(1).map(({ pid }) => pid);
    print(
      { nats: url, natsPid: server.pid, workers, pageUrl: gateway.pageUrl, url: gateway.url },
      flags,
      context,
    );
    const failed = await Promise.race([ending.then(() => undefined), allFailed(children.slice(1))]);
    await Promise.all(children.slice(1).map((child) => stop(child, context)));
    return failed ?? EXIT_OK;
  } finally {
    await Promise.all(children.map((child) => stop(child, context)));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What to install for the clients of NATS, if they are missing. */
function lackingClients(): Promise<unknown> {
  return loadClients().then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function startNats(
  { natsServer }: FleetDevFlags,
  folder: string,
  { env }: CommandContext,
  lacking: unknown,
) {
  const program = natsServer ?? env.COXSWAIN_NATS_SERVER ?? 'nats-server';
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  await writeFile(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(join(folder, 'nats'))} }\n`,
  );
  const server = spawnKept(program, ['-c', file], 'ignore');
  const failed = await once(server, 'spawn').then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failed === undefined) return { server, url: `nats://127.0.0.1:${port}` };
  const message = `${program} could not be started. Install nats-server, or set its path with --nats-server.`;
  // Both at once, so that nobody installs one to learn of the other.
  const more = lacking === undefined ? '' : ` ${errorText(lacking)}`;
  throw new CoxswainError('FLEET_NOT_STARTED', `${message}${more}`, { cause: failed });
}

/** The server takes a moment before it accepts connections. */
async function startWhenReady(
  { server, url }: { readonly server: ChildProcess; readonly url: string },
  { port }: FleetDevFlags,
  folder: string,
  { clock }: CommandContext,
) {
  // Each attempt fails at once, so that the end of the server is noticed.
  const options = { fleet: { nats: url, startMs: 0 }, stateFolder: join(folder, 'gateway'), port };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startGateway(options);
    } catch (error) {
      if (hasExited(server)) throw natsEnded(server);
      if (attempt === 50 || errorCode(error) !== 'FLEET_NOT_STARTED') throw error;
      await new Promise<void>((done) => clock.after(100, done));
    }
  }
}

function natsEnded({ spawnfile, exitCode, signalCode }: ChildProcess): CoxswainError {
  const how = signalCode ?? `exit code ${exitCode}`;
  const message = `${spawnfile} ended right after its start (${how}). Fleets are tested with nats-server 2.15.`;
  return new CoxswainError('FLEET_NOT_STARTED', message);
}

/** Resolves with an exit code if every worker ended on its own: each has said why. Those that someone kills do not count. */
async function allFailed(workers: readonly ChildProcess[]): Promise<number> {
  const codes = await Promise.all(workers.map(failed));
  return codes[0] ?? EXIT_FAILED;
}

function failed(worker: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', (code) => {
      if (code !== null && code !== EXIT_OK) resolve(code);
    });
  });
}

function startWorkerProcess(
  url: string,
  { lease = 5, root = ['.'], cli, demo }: FleetDevFlags,
  state: string,
  { cwd }: CommandContext,
): ChildProcess {
  const roots = root.flatMap((each) => ['--root', resolve(cwd, each)]);
  const chosen = [
    ...(cli === undefined ? [] : ['--cli', resolve(cwd, cli)]),
    ...(demo === true ? ['--demo'] : []),
  ];
  const args = [
    'worker',
    '--nats',
    url,
    // One server, on purpose: no warning.
    '--replicas',
    '1',
    '--lease',
    String(lease),
    '--drain',
    '2s',
    '--state',
    state,
    ...roots,
    ...chosen,
  ];
  return spawnKept(process.execPath, [...process.execArgv, String(process.argv[1]), ...args], 'inherit');
}

/** Starts a process that ends with this one, however that happens. */
function spawnKept(program: string, args: readonly string[], stderr: 'ignore' | 'inherit'): ChildProcess {
  const watch = hostKeeper().watch();
  const env = { ...process.env, [MARK_VARIABLE]: chainMarks(process.env[MARK_VARIABLE], watch.mark) };
  // In a separate process group: Ctrl-C is for this process, which stops the others in order.
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', stderr], detached: true });
  if (child.pid !== undefined) watch.cover(child.pid);
  child.once('exit', () => watch.release());
  child.once('error', () => watch.release());
  return child;
}

async function stop(child: ChildProcess, { clock }: CommandContext): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  if (!(await within(gone, STOP_MS, clock))) child.kill('SIGKILL');
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Running {
  readonly nats: string;
  readonly natsPid: number | undefined;
  readonly workers: readonly (number | undefined)[];
  readonly pageUrl: string;
  readonly url: string;
}

function print(running: Running, { json }: FleetDevFlags, { writeOut, writeErr }: CommandContext): void {
  if (json === true) {
    writeOut(`${JSON.stringify({ schema: 1, ...running })}\n`);
    return;
  }
  writeOut(`${running.pageUrl}\n`);
  writeErr(
    `NATS: ${running.nats} (process ${running.natsPid})\nWorkers: processes ${running.workers.join(', ')}\n`,
  );
  writeErr(
    'Open the address, start a conversation and kill its worker: another one continues. Ctrl-C stops everything.\n',
  );
}
