import { runCox } from '../../src/cox/run-cox.js';
import type { Surroundings } from '../../src/cox/surroundings.js';
import { deferred } from '../../src/util/deferred.js';

/** A command line that runs in this process, with its output and a signal to end it. */
export function startCox(args: readonly string[], overrides: Partial<Surroundings> = {}) {
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
    cwd: process.cwd(),
    platform: 'linux',
    untilSignal: () => signal.promise,
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
