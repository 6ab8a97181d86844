import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { collect, parseCount, parsePort } from '../parse.js';
import type { FleetDevFlags } from './run-fleet-dev.js';

/** `coxswain fleet`: tools for fleets. */
export function fleetCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const fleet = new Command('fleet');
  fleet
    .command('dev')
    .description('Start a NATS server, two workers and a gateway on this machine to try out a fleet.')
    .option('--nats-server <path>', 'the NATS server (default: nats-server in PATH, or COXSWAIN_NATS_SERVER)')
    .option('--workers <count>', 'how many workers (default: 2)', parseCount)
    .option(
      '--lease <seconds>',
      'how long a worker may be silent before it is replaced (default: 5)',
      parseCount,
    )
    .option('-p, --port <number>', 'the gateway port (default: a free one)', parsePort)
    .option(
      '--root <folder>',
      'a root folder: conversations may only work inside it (default: the current folder); repeatable',
      collect,
    )
    .option('--cli <path>', 'the CLI to use (coxswain doctor shows which one is found)')
    .option('--demo', 'use emulated CLIs: no key, no network, no Claude installed')
    .option('--json', 'print the running processes as JSON')
    .addHelpText('after', HELP)
    .action(async (flags: FleetDevFlags) => {
      const { runFleetDev } = await import('./run-fleet-dev.js');
      setExitCode(await runFleetDev(flags, context));
    });
  return fleet;
}

const HELP = `
Open the address in a browser, start a conversation, and kill its worker (the process id is printed): the other one continues.
Everything is in a temporary folder, which is removed on Ctrl-C.`;
