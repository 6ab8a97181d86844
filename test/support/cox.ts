import type { CommandContext } from '../../src/command/command-context.js';
import { runCox } from '../../src/command/run-cox.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { deferred } from '../../src/wire/util/deferred.js';

/** A command line that runs in this process, with its output and a signal to end it. */
export function startCox(args: readonly string[], overrides: Partial<CommandContext> = {}) {
  const signal = deferred<NodeJS.Signals>();
  const output = { out: '', err: '' };
  let wake = () => {};
  const write = (stream: 'out' | 'err') => (text: string) => {
    output[stream] += text;
    wake();
  };
  const exitCode = runCox(args, {
    writeOut: write('out'),
    writeErr: write('err'),
    drained: () => Promise.resolve(),
    outIsTty: false,
    errIsTty: false,
    inIsTty: false,
    columns: () => 80,
    keyboard: undefined,
    readInput: () => Promise.resolve(''),
    env: {},
    cwd: process.cwd(),
    platform: 'linux',
    clock: systemClock,
    untilSignal: () => signal.promise,
    onSignal: () => () => {},
    exitNow: () => {},
    ...overrides,
  });
  const until = async (fits: (output: { out: string; err: string }) => boolean): Promise<void> => {
    while (!fits(output)) {
      const more = new Promise<'more'>((resolve) => {
        wake = () => resolve('more');
      });
      const next = await Promise.race([more, exitCode.then(() => 'ended' as const)]);
      if (next === 'ended' && !fits(output)) throw new Error(`it ended: ${output.out}${output.err}`);
    }
  };
  return { output, exitCode, until, interrupt: () => signal.resolve('SIGINT') };
}

/** Runs a command line in this process until it ends. */
export async function ranCox(...args: string[]) {
  const { output, exitCode } = startCox(args);
  return { exitCode: await exitCode, ...output };
}
