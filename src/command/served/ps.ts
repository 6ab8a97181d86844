import { Command } from 'commander';
import type { SessionSummary } from '../../entry/remote/contract.js';
import { latestLimits } from '../../wire/protocol/reading/plan-limits.js';
import { dollars } from '../../wire/util/numbers.js';
import { plainLine } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { jsonLine, lookOf } from '../recordings/trace-print.js';
import { limitsText } from '../terminal/limit-text.js';
import type { Look } from '../terminal/look.js';
import { CONSOLE_HELP, CONSOLE_OPTIONS, type ConsoleChoice, connectConsole } from './find-console.js';

interface PsFlags extends ConsoleChoice {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `coxswain ps`: lists the sessions of a console. */
export function psCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('ps')
    .option('-a, --all', 'include ended sessions')
    .option('--json', 'print one JSON object per line')
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .addHelpText('after', CONSOLE_HELP)
    .action(async (flags: PsFlags) => {
      await using console = await connectConsole(flags, 'watcher', context);
      const shown = console.conversations.all.filter(({ state }) => flags.all === true || state !== 'ended');
      for (const session of [...shown].sort((one, other) => other.changedAt - one.changedAt)) {
        context.writeOut(flags.json === true ? jsonLine(session) : lineOf(session, lookOf(context)));
        await context.drained();
      }
      const logins = latestLimits(console.conversations.all.map(({ limits }) => limits));
      const known = logins.filter(({ windows }) => flags.json !== true && windows.length > 0);
      for (const limits of known) context.writeErr(`${limitsText(limits)}\n`);
      if (shown.length === 0) context.writeErr(noneText(console.conversations.all.length));
      setExitCode(EXIT_OK);
    });
}

/** What to say when nothing is listed, although some sessions may have ended. */
function noneText(ended: number): string {
  return ended === 0 ? 'No sessions.\n' : `No running sessions; --all also lists ${ended} that ended.\n`;
}

/** A session on one line: the start of its id, its state, cost, folder and title. */
function lineOf({ id, state, prompts, costUsd, cwd, title, changedAt }: SessionSummary, look: Look): string {
  const time = new Date(changedAt).toISOString().slice(0, 16).replace('T', ' ');
  const paint = { 'needs-you': look.yellow, running: look.green, ended: look.dim }[state as string];
  const asks = prompts[0] === undefined ? '' : `  ${look.yellow(`? ${plainLine(prompts[0].headline, 60)}`)}`;
  const name = look.bold(plainLine(title, 60) || '(no title)');
  const shown = state.padEnd(9);
  return `${id.slice(0, 8)}  ${paint?.(shown) ?? shown}  ${dollars(costUsd).padStart(8)}  ${look.dim(time)}  ${plainLine(cwd, 60)}  ${name}${asks}\n`;
}
