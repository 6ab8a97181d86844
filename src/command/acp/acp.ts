import { Command, Option } from 'commander';
import { efforts, permissionModes } from '../../host/cli/options/cli-options.js';
import type { CommandContext } from '../command-context.js';
import { collect, parseCount, parseDuration, parseSources } from '../parse.js';
import { CONSOLE_OPTIONS } from '../served/find-console.js';
import type { AcpFlags } from './run-acp.js';

/** `coxswain acp`: an agent for editors, on stdin and stdout. */
export function acpCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('acp')
    .option('--cli <path>', 'the CLI to use (npx coxswain doctor shows which one is found)')
    .option('--model <name>', 'the initial model; editors can change it')
    .addOption(new Option('--permission-mode <mode>', 'the initial mode').choices([...permissionModes]))
    .addOption(
      new Option('--effort <level>', 'how much effort the model puts into an answer').choices([...efforts]),
    )
    .option('--allow <rule>', "allow without asking, such as 'Bash(git:*)'; repeatable", collect)
    .option('--deny <rule>', 'always deny; repeatable', collect)
    .option('--append-system-prompt <text>', 'append to the system prompt')
    .option(
      '--setting-sources <list>',
      'which of user, project and local to load; empty for none',
      parseSources,
    )
    .option('--allow-bypass', 'let editors choose bypassPermissions, the mode that never asks')
    .option('--patched', 'start patched copies of an old JavaScript CLI (coxswain patch status)')
    .option('--max-running <count>', 'how many CLIs may run at once (default: 8)', parseCount)
    .option('--idle <time>', "end a session's CLI after this idle time (default: 10m)", parseDuration)
    .option('--record <folder>', 'record the traffic between the agent and each CLI, with secrets removed')
    .option('--console', 'use the sessions of the running console; they keep running without the editor')
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .option('--login', 'log in to the CLI in this terminal')
    .addHelpText('after', HELP)
    .action(async (flags: AcpFlags) => {
      // Only this command needs the protocol's library.
      const { runAcp } = await import('./run-acp.js');
      setExitCode(await runAcp(flags, context));
    });
}

const HELP = `
An agent for the Agent Client Protocol (v1) on stdin and stdout; editors start it. In Zed's settings:
  "agent_servers": { "Coxswain": { "command": "npx", "args": ["coxswain", "acp"] } }

It works with CLIs of any version. Each session has one CLI, which ends after some idle time; the next message starts a new
one that continues the conversation. When the editor closes the pipe, all CLIs end; sessions can be resumed.

With --console (or --url, --state) the sessions belong to a console: it runs the CLIs and sets their options (--cli, --patched,
--max-running, --idle, --record). Prompts appear in the editor and in the console; the first answer counts.`;
