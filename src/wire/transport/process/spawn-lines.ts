import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../util/clock.js';
import { CoxswainError } from '../../util/errors.js';
import { checkCwd } from './check-cwd.js';
import { type CommandLine, maskWord, printable } from './command-line.js';
import { type EndElsewhere, endElsewhere } from './end-elsewhere.js';
import { hostKeeper, type Keeper, type Watch } from './keeper.js';
import { ChildTransport, type LineProcess, type LineProcessOptions } from './line-process.js';
import { hostControl, type ProcessControl } from './platform.js';
import { chainMarks, MARK_VARIABLE } from './process-mark.js';
import { spawnError } from './spawn-errors.js';
import { realSystem, type System } from './system.js';

/** A program, its folder and its environment. */
export interface SpawnLinesOptions extends LineProcessOptions {
  /** The program. */
  readonly file: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Default: the host's own. */
  readonly cwd?: string | undefined;
  /** The whole environment. Default: the host's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The dependencies of starting a process. */
export interface SpawnParts {
  readonly system?: System | undefined;
  readonly control?: ProcessControl | undefined;
  readonly keeper?: Keeper | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Starts any program, without a shell, as a transport of lines. The program and everything it starts end with the
 * transport and with the host.
 */
export async function spawnLines(options: SpawnLinesOptions, parts: SpawnParts = {}): Promise<LineProcess> {
  const { file, args = [], env, ...rest } = options;
  const system = parts.system ?? realSystem();
  const commandLine = {
    file,
    args,
    cwd: checkCwd(options.cwd, system),
    masked: printable([file, ...args.map(maskWord)]),
  };
  return startChild({ commandLine, env: env ?? system.env, options: rest }, parts);
}

/** What {@link startChild} starts. */
export interface ChildPlan {
  readonly commandLine: CommandLine;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: LineProcessOptions;
  /** A watch that was started earlier; it is released if the start fails. */
  readonly watch?: Watch;
  /** Ends what belongs to the process but is not on this machine, or not visible here; called even if the start fails. */
  readonly endElsewhere?: EndElsewhere;
}

/** Starts a process under the keeper's watch, with its mark. */
export async function startChild(plan: ChildPlan, parts: SpawnParts): Promise<ChildTransport> {
  const { system = realSystem(), keeper = hostKeeper(), clock } = parts;
  const control = parts.control ?? hostControl(system.platform);
  const watch = plan.watch ?? keeper.watch();
  try {
    const startedBefore = control.startedSoFar();
    const child = await startProcess(plan, markFor(watch, system), control);
    const { pid } = child;
    watch.cover(pid);
    return new ChildTransport(
      {
        child,
        pid,
        startedBefore,
        commandLine: plan.commandLine,
        watch,
        endElsewhere: plan.endElsewhere,
        control,
        clock,
      },
      plan.options,
    );
  } catch (error) {
    // Why it could not be started matters more than what cannot be removed.
    await endElsewhere(plan.endElsewhere, undefined, clock);
    watch.release();
    throw error;
  }
}

/** The mark of a watch, after the mark of the host itself if it has one. */
export function markFor(watch: Watch, { env }: System): string {
  return chainMarks(env[MARK_VARIABLE], watch.mark);
}

type Started = ChildProcessWithoutNullStreams & { readonly pid: number };

async function startProcess(
  { commandLine, env }: ChildPlan,
  mark: string,
  control: ProcessControl,
): Promise<Started> {
  const { file, args, cwd } = commandLine;
  try {
    const child: ChildProcess = spawn(file, args, {
      cwd,
      env: { ...env, [MARK_VARIABLE]: mark },
      stdio: 'pipe',
      detached: control.ownGroup,
      windowsHide: true,
    });
    // A missing file is reported by an event, other failures are thrown.
    if (child.pid === undefined) await once(child, 'spawn');
    if (hasPipes(child)) return child;
  } catch (error) {
    throw spawnError(file, error);
  }
  throw new CoxswainError('SPAWN_FAILED', `${file} was started without pipes.`);
}

function hasPipes(child: ChildProcess): child is Started {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null && child.pid !== undefined;
}
