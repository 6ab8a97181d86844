import type { CommandName, Role } from '../../../entry/remote/contract.js';
import type { CommandDefinition, CommandTable } from './command.js';
import { serverCommands } from './server-commands.js';
import { sessionCommands } from './session-commands.js';

/** All commands: who may run them, whether they act, their parameters, and what they do. */
export const commands: CommandTable<CommandName> = { ...serverCommands, ...sessionCommands };

/** The definition of a command by a name that a client sent. */
export function findCommand(name: string): CommandDefinition<CommandName> | undefined {
  if (!Object.hasOwn(commands, name)) return undefined;
  // The parameters are validated before it runs.
  return commands[name as CommandName] as CommandDefinition<CommandName>;
}

/** Whether a role may run a command with these parameters. Nobody may run what is not in the table. */
export function mayRun(role: Role, name: string, params: unknown): boolean {
  const definition = findCommand(name);
  if (definition === undefined || role === 'watcher') return false;
  return role === 'owner' || definition.role === 'operator' || definition.operatorMay?.(params) === true;
}
