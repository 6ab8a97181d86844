import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { inspectTrace } from '../../wire/trace/inspect/inspect-trace.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { parseCount } from '../parse.js';
import { jsonLine } from './trace-print.js';

interface InspectFlags {
  readonly port?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly untilEof?: boolean;
}

/** `coxswain inspect`: shows a recording in the browser. */
export function inspectCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return (
    new Command('inspect')
      .argument('<file>', 'a recording')
      .option('-f, --follow', 'show new lines while the page is open')
      .option('--port <number>', 'the port to listen on (default: a free one)', parseCount)
      .option('--json', 'print the address as JSON')
      // For a tap, which owns it: it ends when the tap ends, however that happens.
      .addOption(new Option('--until-eof', 'end with stdin').hideHelp())
      .addHelpText('after', HELP)
      .action(async (file: string, flags: InspectFlags) => {
        await inspect(file, flags, context);
        setExitCode(EXIT_OK);
      })
  );
}

const HELP = `
It listens only on 127.0.0.1, at an unguessable address, until you press Ctrl-C. Nothing leaves your machine.
To save or share the page: coxswain trace export --html <file>`;

async function inspect(file: string, flags: InspectFlags, context: CommandContext): Promise<void> {
  const { cwd, writeOut, writeErr, untilSignal, readInput } = context;
  const { port, follow, json, untilEof } = flags;
  const { url, close } = await inspectTrace(resolve(cwd, file), { port, follow });
  writeOut(json === true ? jsonLine({ url }) : `${url}\n`);
  if (untilEof === true) await readInput();
  else {
    writeErr('Open it in a browser. Press Ctrl-C to quit.\n');
    await untilSignal();
  }
  await close();
}
