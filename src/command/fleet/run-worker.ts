import { join, resolve } from 'node:path';
import { findCli } from '../../host/cli/program/find-cli.js';
import { cliToStart } from '../../host/session/opening/patched-cli.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import { stateFolder } from '../../server/console/state-folder.js';
import { waitFor } from '../../server/fleet/engine/persist.js';
import { startWorker, type Worker } from '../../server/fleet/worker/start-worker.js';
import type { WorkerOptions } from '../../server/fleet/worker/worker-options.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { cliVersion } from '../cli-version.js';
import type { CommandContext } from '../command-context.js';
import { sandboxOf } from '../console/sandbox-flag.js';
import { scrubEnvironment } from '../console/scrub-environment.js';
import { EXIT_OK } from '../exit-codes.js';
import { type EngineFlags, engineOptions, NATS_VARIABLES } from './engine-flags.js';

/** The options of `coxswain worker`. */
export interface WorkerFlags extends EngineFlags {
  readonly slots?: number;
  readonly label?: readonly string[];
  readonly lease?: number;
  /** In milliseconds. */
  readonly drain?: number;
  readonly root?: readonly string[];
  readonly allowBypass?: boolean;
  readonly cli?: string;
  readonly patched?: boolean;
  readonly sandbox?: string;
  /** In milliseconds. */
  readonly idle?: number;
  readonly holdAbove?: number;
  readonly workspaces?: string;
  readonly state?: string;
  readonly json?: boolean;
  readonly demo?: boolean;
}

/** Runs until it is stopped, and resolves with the exit code. A worker that lost its lease starts again. */
export async function runWorker(flags: WorkerFlags, context: CommandContext): Promise<number> {
  if (flags.nats === undefined) throw new CoxswainError('OPTION_INVALID', 'A worker needs --nats <url>.');
  const options = await workerOptions(flags, context);
  // Its CLIs and their tools must not reach NATS.
  scrubEnvironment(NATS_VARIABLES, context.platform);
  const ending = context.untilSignal();
  let worker: Worker | undefined = await startWorker(options);
  while (worker !== undefined) {
    print(worker, flags, context);
    const how = await Promise.race([ending.then(() => 'stopped'), worker.lost.then(() => 'lost')]);
    if (how === 'stopped') {
      await stop(worker, flags, context);
      return EXIT_OK;
    }
    context.writeErr(
      'The lease was lost: the CLIs of this worker were ended, and other workers take over. Restarting.\n',
    );
    worker = await startAgain(options, ending, context);
  }
  return EXIT_OK;
}

/** How long to wait before NATS is tried again. */
const AGAIN_MS = 1_000;

/** Waits for a NATS server that is away; undefined if the worker was stopped in the meantime. */
async function startAgain(
  options: WorkerOptions,
  ending: Promise<unknown>,
  { clock, writeErr }: CommandContext,
): Promise<Worker | undefined> {
  const stopped = new AbortController();
  void ending.then(() => stopped.abort());
  let told = '';
  while (!stopped.signal.aborted) {
    try {
      return await startWorker(options);
    } catch (error) {
      // NATS may also go away later in the start: such errors have no code of ours.
      if (error instanceof CoxswainError && error.code !== 'FLEET_NOT_STARTED') throw error;
      const text = `Restart failed; retrying: ${errorText(error)}\n`;
      if (text !== told) writeErr(text);
      told = text;
    }
    await waitFor(AGAIN_MS, { clock, signal: stopped.signal });
  }
  return undefined;
}

async function stop(
  worker: Worker,
  { drain }: WorkerFlags,
  { onSignal, writeErr }: CommandContext,
): Promise<void> {
  writeErr('Draining: waiting for running turns. Press Ctrl-C again to stop immediately.\n');
  const unsubscribe = onSignal(() => void worker.close());
  await worker.drain(drain);
  unsubscribe();
}

async function workerOptions(flags: WorkerFlags, context: CommandContext): Promise<WorkerOptions> {
  const { cwd } = context;
  const {
    slots,
    label: labels,
    lease: leaseSeconds,
    root = ['.'],
    allowBypass,
    idle: idleMs,
    holdAbove,
    state,
  } = flags;
  const { session, version } = await (flags.demo === true ? demo() : real(flags, context));
  return {
    ...engineOptions(flags, context),
    slots,
    labels,
    leaseSeconds,
    allowBypass,
    idleMs,
    holdAbove,
    session,
    cliVersion: version,
    workspaces: workspacesOf(flags, context),
    roots: root.map((each) => resolve(cwd, each)),
    ...(state === undefined ? {} : { stateFolder: resolve(cwd, state) }),
  };
}

/** Clones are kept next to the worker's other files. */
function workspacesOf(
  { workspaces, state }: WorkerFlags,
  { cwd, env }: CommandContext,
): WorkerOptions['workspaces'] {
  if (workspaces === undefined || workspaces === 'none' || workspaces === 'shared') return workspaces;
  const folder = state === undefined ? stateFolder(env) : resolve(cwd, state);
  return { git: { remote: workspaces, root: join(folder, 'workspaces') } };
}

interface Prepared {
  readonly session: WorkerOptions['session'];
  readonly version: string | undefined;
}

async function real(flags: WorkerFlags, { cwd, env }: CommandContext): Promise<Prepared> {
  const patched = flags.patched === true;
  const spawner = await sandboxOf(flags, { cwd, env });
  if (spawner?.hasOwnPrograms === true) {
    await cliToStart({ patched, spawner });
    return { session: { cli: flags.cli, spawner }, version: undefined };
  }
  const search = findCli({ cli: flags.cli, cwd });
  if (search.error !== undefined) throw search.error;
  const session: SessionOptions = { cli: search.found.path, patched, spawner };
  // Better to refuse now than for every conversation.
  await cliToStart({ patched, cli: search.found.path, cwd });
  return { session, version: await cliVersion(search.found.path).catch(() => undefined) };
}

async function demo(): Promise<Prepared> {
  const { demoSession } = await import('../console/demo-scenario.js');
  return { session: demoSession, version: undefined };
}

function print({ facts, id }: Worker, { json }: WorkerFlags, { writeOut, writeErr }: CommandContext): void {
  const { slots, labels, cliVersion: cli, roots } = facts;
  if (json === true) writeOut(`${JSON.stringify({ schema: 1, worker: id, slots, labels, cli, roots })}\n`);
  else {
    const told = [`Worker ${id}, ${slots} slots`, ...(cli === undefined ? [] : [`CLI ${cli}`])];
    writeErr(`${told.join(', ')}. Folders: ${roots.join(', ')}\n`);
  }
}
