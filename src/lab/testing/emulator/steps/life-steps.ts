import type { Cli, Scene } from '../cli.js';
import type { ExitStatus } from '../pipes/pipes.js';
import { delay, forever } from '../pipes/timing.js';

/** Nothing happens for a while. */
export interface WaitStep {
  readonly do: 'wait';
  readonly ms: number;
}

/** Nothing happens any more, until an interrupt or the end. */
export interface HangStep {
  readonly do: 'hang';
}

/** The process ends. */
export interface DieStep extends Partial<ExitStatus> {
  readonly do: 'die';
  readonly stderr?: string;
}

/** A function plays the step. */
export interface ActStep {
  readonly do: 'act';
  readonly run: (cli: Cli, scene: Scene) => unknown;
}

/** Waits, by the emulator's clock. */
export function wait(ms: number): WaitStep {
  return { do: 'wait', ms };
}

/** Hangs: the turn goes no further until it is interrupted, a request is never answered. */
export function hang(): HangStep {
  return { do: 'hang' };
}

/** Ends the process with a code (default: 1) or by a signal, in the middle of whatever runs. */
export function die(status: Omit<DieStep, 'do'> = {}): DieStep {
  return { do: 'die', ...status };
}

/** Runs a function on the emulated CLI, for what no other step can do. */
export function act(run: ActStep['run']): ActStep {
  return { do: 'act', run };
}

/** Plays {@link wait}. */
export async function performWait(step: WaitStep, { cli, turn }: Scene): Promise<void> {
  await delay(cli.clock, step.ms, turn.signal);
}

/** Plays {@link hang}. */
export async function performHang(_step: HangStep, { turn }: Scene): Promise<void> {
  await forever(turn.signal);
}

/** Plays {@link die}. */
export async function performDie({ code, signal, stderr }: DieStep, { cli }: Scene): Promise<void> {
  if (stderr !== undefined) cli.stderr(stderr);
  cli.exit(signal ? { signal } : { code: code ?? 1 });
  await forever(cli.exited);
}

/** Plays {@link act}. */
export async function performAct(step: ActStep, scene: Scene): Promise<void> {
  await step.run(scene.cli, scene);
}
