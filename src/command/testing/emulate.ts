import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CliPipes, ExitStatus } from '../../lab/testing/emulator/pipes/pipes.js';
import { emulatorProgram } from '../../lab/testing/emulator/program/emulator-program.js';
import { installEmulator } from '../../lab/testing/emulator/program/install-program.js';
import { runProgram } from '../../lab/testing/emulator/program/run-program.js';
import { processPipes } from '../../lab/testing/emulator/program/start-program.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_FAILED } from '../exit-codes.js';

interface EmulateFlags {
  readonly cliVersion?: string;
  readonly scenario?: string;
  readonly report?: string;
  readonly path?: boolean;
  readonly install?: string;
}

/** Creates the pipes of the emulated process. */
export type MakePipes = (onExit: (status: ExitStatus) => void) => CliPipes;

/** `coxswain emulate`: plays a Claude CLI on stdin and stdout, or prints the program that does. */
export function emulateCommand(
  context: CommandContext,
  setExitCode: (code: number) => void,
  makePipes: MakePipes = processPipes,
): Command {
  return new Command('emulate')
    .argument('[flags...]', "the CLI's own flags, after --")
    .option('--cli-version <version>', 'the CLI version to emulate: any on npm from 2.0.0 on')
    .option(
      '-s, --scenario <file>',
      'the scenario: a list in JSON, or a module (default: a short conversation)',
    )
    .option('--report <file>', 'write differences from the scenario as JSON')
    .option(
      '--install <path>',
      'write a standalone program that plays the scenario, for an SDK in any language',
    )
    .option('--path', 'print the path of the program to pass to an SDK instead of claude')
    .addHelpText('after', HELP)
    .action(async (args: readonly string[], flags: EmulateFlags) => {
      setExitCode(await emulate(args, flags, context, makePipes));
    });
}

const HELP = `
To test a program in any language, write a program that contains the scenario, and pass its path to the SDK instead of claude:
  coxswain emulate --install ./claude --scenario scenario.json --cli-version 2.1.326
Any SDK can also spawn the Node program that --path prints. It takes the CLI's flags and reads
COXSWAIN_SCENARIO, COXSWAIN_PERSONALITY (a version), COXSWAIN_REPORT and COXSWAIN_SESSIONS (a folder for
conversations to resume). The exit code is that of the emulated CLI.
Every user of this machine can read the arguments of a command: put keys into the environment or a file.

A scenario is a list of cues:
  [
    { "on": "user", "match": "list files", "steps": [
      { "do": "say", "content": "Sure." },
      { "do": "useTool", "name": "Bash", "input": { "command": "ls" }, "ask": true, "result": "a b" },
      { "do": "done", "text": "There are two files." } ] },
    { "on": "request", "subtype": "set_model", "steps": [ { "do": "die", "code": 1 } ] }
  ]`;

const STREAMING = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

async function emulate(
  args: readonly string[],
  { cliVersion, scenario, report, path = false, install }: EmulateFlags,
  { cwd, env, platform, writeOut }: CommandContext,
  makePipes: MakePipes,
): Promise<number> {
  const from = (file: string | undefined) => (file === undefined ? undefined : resolve(cwd, file));
  if (install !== undefined) {
    const options = { version: cliVersion, scenario: from(scenario), report: from(report), platform };
    writeOut(`${await installEmulator(resolve(cwd, install), options)}\n`);
    return 0;
  }
  if (path) {
    writeOut(`${emulatorProgram(cliVersion)}\n`);
    return 0;
  }
  const status = await runProgram({
    args: args.length > 0 ? args : [...STREAMING, '--permission-prompt-tool', 'stdio'],
    env: {
      ...env,
      ...(cliVersion === undefined ? {} : { COXSWAIN_PERSONALITY: cliVersion }),
      ...(scenario === undefined ? {} : { COXSWAIN_SCENARIO: resolve(cwd, scenario) }),
      ...(report === undefined ? {} : { COXSWAIN_REPORT: resolve(cwd, report) }),
    },
    cwd,
    pid: process.pid,
    isRoot: process.getuid?.() === 0,
    makePipes,
  });
  return status.code ?? EXIT_FAILED;
}
