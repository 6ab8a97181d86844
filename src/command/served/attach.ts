import { Command } from 'commander';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { parseCount } from '../parse.js';
import { Attachment } from './attachment.js';
import { CONSOLE_HELP, CONSOLE_OPTIONS, type ConsoleChoice, connectConsole } from './find-console.js';
import { findSession } from './find-session.js';
import { printEvents } from './print-events.js';

interface AttachFlags extends ConsoleChoice {
  readonly tail: number;
}

/** `coxswain attach`: a console session in the terminal. */
export function attachCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('attach')
    .argument('<name>', "the session's title, its id, or the start of the id")
    .option('-n, --tail <count>', 'how many recent events to print first', parseCount, 100)
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .addHelpText('after', `${HELP}\n${CONSOLE_HELP}`)
    .action(async (name: string, flags: AttachFlags) => {
      const { keyboard } = context;
      if (keyboard === undefined)
        throw new CoxswainError(
          'OPTION_INVALID',
          'attach needs a terminal. Without one, use coxswain send and coxswain logs -f.',
        );
      await using console = await connectConsole(flags, 'owner', context);
      const { conversations, link, address } = console;
      const { id: session, last } = findSession(conversations.all, name);
      const tail = { link, session, after: Math.max(0, last - flags.tail) };
      const after = await printEvents(tail, context);
      await using attachment = new Attachment(
        { conversations, link, address, session, after, keyboard },
        context,
      );
      await attachment.talk();
      setExitCode(EXIT_OK);
    });
}

const HELP = `
Each line that you type is a message to the session. Its prompts appear here too; the first answer counts, here or elsewhere.
An ended session is resumed. Ctrl-C or Ctrl-D detaches; the session keeps running.`;
