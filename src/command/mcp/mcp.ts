import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.js';
import { collect } from '../parse.js';
import { CONSOLE_OPTIONS } from '../served/find-console.js';
import type { McpFlags } from './run-mcp.js';

/** `coxswain mcp`: conversations as tools for other agents. */
export function mcpCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('mcp')
    .option(...CONSOLE_OPTIONS[0])
    .option(...CONSOLE_OPTIONS[1])
    .addOption(
      new Option('--role <role>', 'what the client may do')
        .choices(['operator', 'owner'])
        .default('operator'),
    )
    .option(
      '--root <folder>',
      'if no console is running: a root folder; conversations may only work inside it (default: the current folder); repeatable',
      collect,
    )
    .option('--cli <path>', 'if no console is running: the CLI to use')
    .addHelpText('after', HELP)
    .action(async (flags: McpFlags) => {
      // Other commands should not wait for the console and the MCP package.
      const { runMcp } = await import('./run-mcp.js');
      setExitCode(await runMcp(flags, context));
    });
}

const HELP = `
MCP over stdin and stdout; MCP clients start this command. It uses the conversations of your running console on
this machine. If none is running, it starts its own and stops it on exit. Over HTTP, every console serves the same tools at /mcp,
with its keys.`;
