import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { packageVersion } from '../../wire/package/built-file.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_NO_CLI, EXIT_OK } from '../exit-codes.js';
import { parseDuration } from '../parse.js';
import { lookFor } from '../terminal/look.js';
import type { Diagnosis } from './diagnosis.js';
import { examine } from './examine.js';
import { diagnosisText } from './print-diagnosis.js';

interface DoctorFlags {
  readonly cli?: string;
  readonly cwd?: string;
  readonly start: boolean;
  readonly timeout: number;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

const TIMEOUT_MS = 60_000;

/** `coxswain doctor`: which CLI is found, whether it works, and how to fix it. */
export function doctorCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('doctor')
    .option('--cli <path>', 'the CLI to examine')
    .option('--cwd <folder>', 'the folder to start it in')
    .option('--no-start', 'do not start it')
    .addOption(
      new Option('--timeout <time>', 'how long the CLI may take to start, such as 90s or 5m')
        .argParser(parseDuration)
        .default(TIMEOUT_MS, '60s'),
    )
    .option('--json', 'print the diagnosis as JSON')
    .option('-v, --verbose', 'list every searched location, and what the CLI does not support')
    .addHelpText('after', HELP)
    .action(async (flags: DoctorFlags) => {
      setExitCode(await doctor(flags, context));
    });
}

const HELP = `
Starts the CLI with your settings and its MCP servers, completes the handshake, and ends it. No message is sent, and the
CLI cannot reach the API, so it costs nothing.

Exit codes: 0 no problems, 10 problems were found, 7 no usable CLI.`;

async function doctor(flags: DoctorFlags, context: CommandContext): Promise<number> {
  const { outIsTty, env, platform, writeOut, clock } = context;
  const diagnosis = await examine({
    cli: flags.cli,
    cwd: resolve(context.cwd, flags.cwd ?? '.'),
    start: flags.start,
    timeoutMs: flags.timeout,
    clock,
    version: packageVersion(),
  });
  const exitCode = exitCodeFor(diagnosis);
  if (flags.json === true) writeOut(`${JSON.stringify({ schema: 1, exitCode, ...diagnosis })}\n`);
  else
    writeOut(diagnosisText(diagnosis, lookFor({ isTty: outIsTty, env, platform }), flags.verbose === true));
  return exitCode;
}

function exitCodeFor({ cli, problems }: Diagnosis): number {
  if (cli === undefined) return EXIT_NO_CLI;
  return problems.length === 0 ? EXIT_OK : EXIT_CHECK_FAILED;
}
