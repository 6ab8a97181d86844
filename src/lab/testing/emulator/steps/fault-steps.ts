import type { Scene } from '../cli.js';
import type {
  DeafStep,
  FloodStep,
  HugeLineStep,
  IgnoreSignalStep,
  RawStep,
  SlowDripStep,
  SplitUtf8Step,
  StepOf,
} from './step-types.js';

/** Writes one line unchanged, valid or not. */
export function raw(line: string): StepOf<'raw'> {
  return { do: 'raw', text: `${line}\n` };
}

/** Prints a line that is not JSON, like a stray log line. */
export function noise(line = 'Debugger attached.'): StepOf<'raw'> {
  return raw(line);
}

/** Writes a line without its newline; the next output continues it. */
export function halfLine(text = '{"type":"assistant","mess'): StepOf<'raw'> {
  return { do: 'raw', text };
}

/** Sends many messages of about this size as fast as the host reads. */
export function flood(count: number, size = 1_000): StepOf<'flood'> {
  return { do: 'flood', count, size };
}

/** Sends one message on a line of about this length. */
export function hugeLine(bytes: number): StepOf<'hugeLine'> {
  return { do: 'hugeLine', bytes };
}

/** Sends a message in single-byte writes, which splits its characters. */
export function splitUtf8(): StepOf<'splitUtf8'> {
  return { do: 'splitUtf8' };
}

/** Writes a few bytes at a time from now on. */
export function slowDrip({
  bytes = 16,
  ms = 1,
}: Partial<Omit<StepOf<'slowDrip'>, 'do'>> = {}): StepOf<'slowDrip'> {
  return { do: 'slowDrip', bytes, ms };
}

/** Stops reading lines from now on. */
export function deaf(): StepOf<'deaf'> {
  return { do: 'deaf' };
}

/** Ignores SIGTERM from now on, so that only SIGKILL ends the process. */
export function ignoreSigterm(): StepOf<'ignoreSignal'> {
  return { do: 'ignoreSignal', signal: 'SIGTERM' };
}

/** Plays {@link raw}, {@link noise} and {@link halfLine}. */
export async function performRaw(step: RawStep, { cli }: Scene): Promise<void> {
  await cli.write(step.text);
}

/** Plays {@link flood}. */
export async function performFlood({ count, size }: FloodStep, { cli, turn }: Scene): Promise<void> {
  const padding = 'x'.repeat(size);
  for (let index = 0; index < count; index += 1) {
    turn.signal.throwIfAborted();
    await cli.send({ type: 'system', subtype: 'flood', index, padding });
  }
}

/** Plays {@link hugeLine}. */
export async function performHugeLine({ bytes }: HugeLineStep, { cli }: Scene): Promise<void> {
  await cli.send({ type: 'system', subtype: 'huge_line', padding: 'x'.repeat(bytes) });
}

/** Plays {@link splitUtf8}. */
export async function performSplitUtf8(_step: SplitUtf8Step, { cli }: Scene): Promise<void> {
  cli.drip({ bytes: 1, ms: 0 });
  await cli.send({ type: 'system', subtype: 'split_utf8', text: 'ü€😀 \u2028 end' });
  cli.drip(undefined);
}

/** Plays {@link slowDrip}. */
export async function performSlowDrip({ bytes, ms }: SlowDripStep, { cli }: Scene): Promise<void> {
  cli.drip({ bytes, ms });
}

/** Plays {@link deaf}. */
export async function performDeaf(_step: DeafStep, { cli }: Scene): Promise<void> {
  cli.stopReading();
}

/** Plays {@link ignoreSigterm}. */
export async function performIgnoreSignal({ signal }: IgnoreSignalStep, { cli }: Scene): Promise<void> {
  cli.ignoreSignal(signal);
}
