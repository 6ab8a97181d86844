import { Command, Option } from 'commander';
import { emulateCli } from '../../testing/emulator/emulate-cli.js';
import { type EmulatedVersion, emulatedVersions } from '../../testing/emulator/traits.js';
import { DefaultAnswerer } from '../asking/absent-answerers.js';
import type { Answerer } from '../asking/answerer.js';
import { TerminalAnswerer } from '../asking/terminal-answerer.js';
import { converse } from '../conversation/conversation.js';
import { DEMO_PROMPTS, demoScenario } from '../demo/scenario.js';
import { EXIT_OK } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import type { Screen } from '../terminal/screen.js';

interface DemoFlags {
  readonly cliVersion: EmulatedVersion;
  readonly input: boolean;
}

/** `coxswain demo`: a scripted conversation with an emulated CLI. */
export function demoCommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('demo')
    .description(
      'Have a scripted conversation with an emulated CLI: no key, no network, no Claude installed.',
    )
    .addOption(
      new Option('--cli-version <version>', 'the CLI to emulate')
        .choices([...emulatedVersions])
        .default('2.1.325'),
    )
    .option('--no-input', 'never ask; a default answers')
    .action(async (flags: DemoFlags) => {
      setExitCode(await demo(flags, surroundings));
    });
}

async function demo({ cliVersion, input }: DemoFlags, surroundings: Surroundings): Promise<number> {
  const emulated = emulateCli(demoScenario(), { version: cliVersion, partialMessages: true });
  const exitCode = await converse(
    {
      prompts: DEMO_PROMPTS,
      options: { transport: Object.assign(emulated.transport, { version: cliVersion }) },
      found: `emulated CLI ${cliVersion}, in this process`,
      answerer: (screen) => answererFor(input, surroundings, screen),
      echo: true,
      showStart: true,
    },
    surroundings,
  );
  if (exitCode === EXIT_OK) surroundings.writeErr(NEXT);
  return exitCode;
}

const NEXT = `
That was the demo. What next?
  coxswain doctor            which Claude CLI is found here, and whether it works
  coxswain run "<prompt>"    the same with a real CLI
  examples/                  short programs to begin with
`;

function answererFor(input: boolean, { keyboard }: Surroundings, screen: Screen): Answerer {
  if (!input) return new DefaultAnswerer(screen, '--no-input was given');
  return keyboard === undefined
    ? new DefaultAnswerer(screen, 'There is no terminal')
    : new TerminalAnswerer(screen, keyboard);
}
