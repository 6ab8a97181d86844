import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { parseCount } from '../parse.js';
import { CONSOLE_HELP, CONSOLE_OPTIONS, type ConsoleChoice, connectConsole } from './find-console.js';
import { findSession } from './find-session.js';
import { printEvents } from './print-events.js';

interface LogsFlags extends ConsoleChoice {
  readonly follow?: boolean;
  readonly tail?: number;
  readonly json?: boolean;
}

/** `coxswain logs`: the events of a console session. */
export function logsCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('logs')
    .argument('<name>', "the session's title, its id, or the start of the id")
    .option('-f, --follow', 'follow new events until Ctrl-C')
    .option('-n, --tail <count>', 'print only the last events', parseCount)
    .option('--json', 'print every event as one JSON object per line')
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .addHelpText('after', CONSOLE_HELP)
    .action(async (name: string, flags: LogsFlags) => {
      const { follow, tail, json } = flags;
      await using console = await connectConsole(flags, 'watcher', context);
      const session = findSession(console.conversations.all, name);
      const after = tail === undefined ? 0 : Math.max(0, session.last - tail);
      await printEvents({ link: console.link, session: session.id, after, follow, json }, context);
      setExitCode(EXIT_OK);
    });
}
