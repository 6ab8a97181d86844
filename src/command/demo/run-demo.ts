import { join, relative, sep } from 'node:path';
import { emulateCli } from '../../lab/testing/emulator/emulate-cli.js';
import { builtFile, packageFile } from '../../wire/package/built-file.js';
import { type Answerer, DefaultAnswerer } from '../asking/answerers.js';
import { TerminalAnswerer } from '../asking/terminal-answerer.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { converse } from '../run/run-conversation.js';
import type { Screen } from '../terminal/screen.js';
import { DEMO_MESSAGES, demoScenario } from './scenario.js';

/** The options of the demo. */
export interface DemoOptions {
  readonly cliVersion?: string;
  /** Whether a person may be asked. */
  readonly input: boolean;
}

/** Runs the scripted conversation and resolves with the exit code. */
export async function runDemo({ cliVersion, input }: DemoOptions, context: CommandContext): Promise<number> {
  const emulated = emulateCli(demoScenario(), {
    ...(cliVersion === undefined ? {} : { version: cliVersion }),
    partialMessages: true,
  });
  const exitCode = await converse(
    {
      messages: DEMO_MESSAGES,
      options: { transport: emulated.transport, partialMessages: true },
      found: `emulated CLI ${emulated.version}, in this process`,
      answerer: (screen) => answererFor(input, context, screen),
      echo: true,
      showStart: true,
    },
    context,
  );
  if (exitCode === EXIT_OK) context.writeErr(whatNext(context.cwd));
  return exitCode;
}

function whatNext(cwd: string): string {
  const fromHere = (path: string) => {
    const shown = relative(cwd, path);
    return shown.startsWith('..') ? path : shown;
  };
  const first = `node ${fromHere(builtFile(join('examples', '25-first.mjs')))}`;
  const examples = `${fromHere(packageFile('examples'))}${sep}`;
  return `
That was the demo. What next?
  npx coxswain doctor            check which Claude CLI is found and whether it works
  npx coxswain run "<message>"   send a message to your own CLI
  ${first}
                                 run a first program; more are in ${examples}
`;
}

function answererFor(input: boolean, { keyboard }: CommandContext, screen: Screen): Answerer {
  if (!input) return new DefaultAnswerer(screen, '--no-input is set');
  return keyboard === undefined
    ? new DefaultAnswerer(screen, 'there is no terminal')
    : new TerminalAnswerer(screen, keyboard);
}
