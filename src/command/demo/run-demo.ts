import { relative, sep } from 'node:path';
import { emulateCli } from '../../lab/testing/emulator/emulate-cli.js';
import { packageFile } from '../../wire/package/built-file.js';
import { type Answerer, DefaultAnswerer } from '../asking/answerers.js';
import { TerminalAnswerer } from '../asking/terminal-answerer.js';
import { converse } from '../conversation/run-conversation.js';
import { EXIT_OK } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import type { Screen } from '../terminal/screen.js';
import { DEMO_PROMPTS, demoScenario } from './scenario.js';

/** The options of the demo. */
export interface DemoOptions {
  readonly cliVersion?: string;
  /** Whether a person may be asked. */
  readonly input: boolean;
}

/** Runs the scripted conversation and resolves with the exit code. */
export async function runDemo(
  { cliVersion, input }: DemoOptions,
  surroundings: Surroundings,
): Promise<number> {
  const emulated = emulateCli(demoScenario(), {
    ...(cliVersion === undefined ? {} : { version: cliVersion }),
    partialMessages: true,
  });
  const exitCode = await converse(
    {
      prompts: DEMO_PROMPTS,
      options: { transport: emulated.transport, partialMessages: true },
      found: `emulated CLI ${emulated.version}, in this process`,
      answerer: (screen) => answererFor(input, surroundings, screen),
      echo: true,
      showStart: true,
    },
    surroundings,
  );
  if (exitCode === EXIT_OK) surroundings.writeErr(whatNext(surroundings.cwd));
  return exitCode;
}

function whatNext(cwd: string): string {
  const path = packageFile('examples');
  const fromHere = relative(cwd, path);
  const examples = `${fromHere.startsWith('..') ? path : fromHere}${sep}`;
  return `
That was the demo. What next?
  npx coxswain doctor            which Claude CLI is found here, and whether it works
  npx coxswain run "<prompt>"    the same with a real CLI
  ${examples.padEnd(30)} short programs to start from
`;
}

function answererFor(input: boolean, { keyboard }: Surroundings, screen: Screen): Answerer {
  if (!input) return new DefaultAnswerer(screen, '--no-input was given');
  return keyboard === undefined
    ? new DefaultAnswerer(screen, 'there is no terminal')
    : new TerminalAnswerer(screen, keyboard);
}
