import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { parseDuration } from '../parse.js';
import { jsonLine } from '../recordings/trace-print.js';
import { CONSOLE_HELP, CONSOLE_OPTIONS, type ConsoleChoice, connectConsole } from './find-console.js';
import { findOpenSession } from './find-session.js';
import { untilAnswered } from './until-answered.js';

interface SendFlags extends ConsoleChoice {
  readonly wait?: boolean;
  readonly json?: boolean;
  readonly timeout?: number;
}

/** `coxswain send`: sends a message to a console session. */
export function sendCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('send')
    .argument('<name>', "the session's title, its id, or the start of the id")
    .argument('[text...]', 'the message; `-`, or no text if stdin is not a terminal, reads it from stdin')
    .option('-w, --wait', 'wait for the answer and stream it')
    .option('--timeout <time>', 'with --wait: stop waiting after this long, such as 90s or 5m', parseDuration)
    .option('--json', 'print JSON: the message id; with --wait, each message of the turn and its outcome')
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .addHelpText('after', `${HELP}\n${CONSOLE_HELP}`)
    .action(async (name: string, words: readonly string[], flags: SendFlags) => {
      const content = await messageText(words, context);
      await using console = await connectConsole(flags, 'operator', context);
      const { conversations, link } = console;
      const { id: session, last } = await findOpenSession(conversations, name);
      const uuid = randomUUID();
      const answered =
        flags.wait === true
          ? untilAnswered({ link, session, after: last, uuid, ...flags }, context)
          : undefined;
      await conversations.command('send', { content }, { session, id: uuid });
      if (flags.json === true && answered === undefined)
        context.writeOut(jsonLine({ type: 'sent', session, uuid }));
      setExitCode((await answered) ?? EXIT_OK);
    });
}

const HELP = `
An ended session is resumed. With --wait the exit code says how the turn ended, as with \`coxswain run\`. If the wait ends
before the turn does, the turn continues.`;

async function messageText(
  words: readonly string[],
  { inIsTty, readInput }: CommandContext,
): Promise<string> {
  const fromInput = words.length === 0 ? !inIsTty : words.length === 1 && words[0] === '-';
  const text = fromInput ? await readInput() : words.join(' ');
  if (text.trim() !== '') return text;
  throw new CoxswainError('OPTION_INVALID', 'There is nothing to send: pass the text, or pipe it in.');
}
