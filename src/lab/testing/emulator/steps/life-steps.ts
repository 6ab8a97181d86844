import type { Scene } from '../cli.js';
import { delay, forever } from '../pipes/timing.js';
import type { ActStep, DieStep, HangStep, StepOf, WaitStep } from './step-types.js';

/** Waits, by the emulator's clock. */
export function wait(ms: number): StepOf<'wait'> {
  return { do: 'wait', ms };
}

/** Hangs: the turn does not continue until it is interrupted, and a request is never answered. */
export function hang(): StepOf<'hang'> {
  return { do: 'hang' };
}

/** Ends the process with a code (default: 1) or by a signal, in the middle of whatever runs. */
export function die(status: Omit<StepOf<'die'>, 'do'> = {}): StepOf<'die'> {
  return { do: 'die', ...status };
}

/** Runs a function on the emulated CLI, for things that no other step can do. */
export function act(run: StepOf<'act'>['run']): StepOf<'act'> {
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
