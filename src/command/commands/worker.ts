import { Command } from 'commander';
import { withEngineOptions } from '../fleet/engine-flags.js';
import type { WorkerFlags } from '../fleet/run-worker.js';
import type { Surroundings } from '../surroundings.js';
import { collect, parseCount, parseDuration } from './parse.js';

/** `coxswain worker`: a machine of a fleet. */
export function workerCommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return withEngineOptions(new Command('worker'))
    .option('--slots <count>', 'how many conversations may have a CLI here at once (default: 8)', parseCount)
    .option('--label <name>', 'what conversations may ask for, such as gpu; repeatable', collect)
    .option(
      '--lease <seconds>',
      'how long after its last sign of life others take its conversations (default: 10)',
      parseCount,
    )
    .option(
      '--drain <time>',
      'how long running turns may take when it is stopped (default: 1m)',
      parseDuration,
    )
    .option(
      '--root <folder>',
      'a folder that conversations may work below (default: this one); repeatable',
      collect,
    )
    .option('--allow-bypass', 'let conversations run without any permission checks')
    .option('--cli <path>', 'the CLI to use (coxswain doctor says which one is found)')
    .option('--patched', 'start patched copies of an old JavaScript CLI (coxswain patch status)')
    .option('--idle <time>', 'park conversations that were idle this long, such as 30m', parseDuration)
    .option('--state <folder>', 'where it keeps what it has now (default: in $XDG_STATE_HOME)')
    .option('--json', 'print what it is as JSON')
    .option('--demo', 'with emulated CLIs: no key, no network, no Claude installed')
    .addHelpText('after', HELP)
    .action(async (flags: WorkerFlags) => {
      const { runWorker } = await import('../fleet/run-worker.js');
      setExitCode(await runWorker(flags, surroundings));
    });
}

const HELP = `
A worker has conversations and their CLIs. It dials out to NATS and listens nowhere. Programs and pages come by a gateway:
\`coxswain console --nats <url>\`.
A user and password for NATS stand in the address, or in NATS_USER and NATS_PASSWORD; a token in NATS_TOKEN.
Ctrl-C or SIGTERM drains it: turns come to their end, and other workers go on with its conversations. A second Ctrl-C ends it at once.`;
