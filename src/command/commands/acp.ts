import { Command, Option } from 'commander';
import { efforts, permissionModes } from '../../host/cli/options/cli-options.js';
import type { AcpFlags } from '../acp/run-acp.js';
import { CONSOLE_OPTIONS } from '../served/find-console.js';
import type { Surroundings } from '../surroundings.js';
import { collect, parseCount, parseDuration, parseSources } from './parse.js';

/** `coxswain acp`: an agent for editors, on stdin and stdout. */
export function acpCommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('acp')
    .option('--cli <path>', 'the CLI to use (npx coxswain doctor says which one is found)')
    .option('--model <name>', 'the model to begin with; editors can change it')
    .addOption(new Option('--permission-mode <mode>', 'the mode to begin in').choices([...permissionModes]))
    .addOption(
      new Option('--effort <level>', 'how much work the model puts into an answer').choices([...efforts]),
    )
    .option('--allow <rule>', "let this run without asking, such as 'Bash(git:*)'; may be repeated", collect)
    .option('--deny <rule>', 'never let this run; may be repeated', collect)
    .option('--append-system-prompt <text>', 'add to the system prompt')
    .option(
      '--setting-sources <list>',
      'of user, project and local, those to load; empty for none',
      parseSources,
    )
    .option('--allow-bypass', 'let editors choose the mode that asks nothing')
    .option('--patched', 'start patched copies of an old JavaScript CLI (coxswain patch status)')
    .option('--max-running <count>', 'how many CLIs may run at once (default: 8)', parseCount)
    .option('--idle <time>', 'end the CLI of a session that was idle this long (default: 10m)', parseDuration)
    .option('--record <folder>', 'record what passes between the agent and each CLI, secrets taken out')
    .option('--console', 'use the sessions of the console that runs: they go on without the editor')
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .option('--login', 'open the login of the CLI in this terminal')
    .addHelpText('after', HELP)
    .action(async (flags: AcpFlags) => {
      // The library of the protocol is for this command alone.
      const { runAcp } = await import('../acp/run-acp.js');
      setExitCode(await runAcp(flags, surroundings));
    });
}

const HELP = `
An agent of the Agent Client Protocol (v1) on stdin and stdout: editors start it. In the settings of Zed:
  "agent_servers": { "Coxswain": { "command": "npx", "args": ["coxswain", "acp"] } }

It works with CLIs of any version. A session has one CLI, which ends when it was idle for a while; the next message starts
one that goes on where it was. When the editor closes the pipe, all CLIs end; sessions can be resumed.

With --console (or --url, --state) the sessions are those of a console: it has the CLIs, whose options are its own (--cli, --patched,
--max-running, --idle, --record), and what they ask is asked in the editor and in the console; the first answer counts.`;
