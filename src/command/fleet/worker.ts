import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { SANDBOX_OPTION } from '../console/sandbox-option.js';
import { collect, parseCount, parseDuration } from '../parse.js';
import { withEngineOptions } from './engine-flags.js';
import { HOLD_OPTION } from './hold-option.js';
import type { WorkerFlags } from './run-worker.js';

/** `coxswain worker`: runs a worker of a fleet. */
export function workerCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return withEngineOptions(new Command('worker'))
    .option('--slots <count>', 'how many CLIs may run here at the same time (default: 8)', parseCount)
    .option('--label <name>', 'a label that conversations may require, such as gpu; repeatable', collect)
    .option(
      '--lease <seconds>',
      'how many seconds it may be silent before other workers take over its conversations (default: 15, at most 120)',
      parseCount,
    )
    .option(
      '--drain <time>',
      'how long running turns may take when it is stopped (default: 1m)',
      parseDuration,
    )
    .option(
      '--root <folder>',
      'a root folder: conversations may only work inside it (default: the current folder); repeatable',
      collect,
    )
    .option('--allow-bypass', 'let conversations run without any permission checks')
    .option('--cli <path>', 'the CLI to use (coxswain doctor shows which one is found)')
    .option(...SANDBOX_OPTION)
    .option('--patched', 'start patched copies of an old JavaScript CLI (coxswain patch status)')
    .option(
      '--workspaces <how>',
      "how a conversation's files reach the next worker: none, shared, or a git remote URL (default: none)",
    )
    .option('--idle <time>', 'park conversations after this idle time, such as 30m', parseDuration)
    .option(...HOLD_OPTION)
    .option('--state <folder>', 'where to keep its state (default: in $XDG_STATE_HOME)')
    .option('--json', 'print its description as JSON')
    .option('--demo', 'use emulated CLIs: no key, no network, no Claude installed')
    .addHelpText('after', HELP)
    .action(async (flags: WorkerFlags) => {
      const { runWorker } = await import('./run-worker.js');
      setExitCode(await runWorker(flags, context));
    });
}

const HELP = `
A worker runs conversations and their CLIs. It only makes outgoing connections to NATS. Programs and pages connect to a gateway:
\`coxswain console --nats <url>\`.
Set the user and password for NATS in NATS_USER and NATS_PASSWORD, or a token in NATS_TOKEN. Keep them out of the address:
every user of this machine can read a command line.
Ctrl-C or SIGTERM drains it: it waits for running turns, and other workers continue its conversations. A second Ctrl-C ends it immediately.`;
