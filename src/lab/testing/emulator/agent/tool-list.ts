import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';
import type { ServerState } from '../session-state.js';
import type { Turn } from '../turns/emulated-turn.js';
import { STRUCTURED_OUTPUT } from './structured-output.js';
import { agentToolName } from './sub-agents.js';

/** The tools offered to the model: the CLI's own, and those of servers. */
export function toolsOf(cli: Cli, { agent }: Turn): readonly WireObject[] {
  const { state } = cli;
  const connected = [...state.servers.values()].filter(({ status }) => status === 'connected');
  const servers = cli.traits.sortsServers ? connected : connected.toSorted(byConnection);
  const offered = servers.flatMap(({ name, tools }) =>
    tools.map(({ name: tool, description = '', inputSchema }) => ({
      name: `mcp__${name}__${tool}`,
      description,
      input_schema: inputSchema ?? ANYTHING,
    })),
  );
  const own = Object.entries(OWN_TOOLS).map(([name, description]) => ({
    name,
    description,
    input_schema: ANYTHING,
  }));
  const agents = { name: agentToolName(cli), description: 'Has an agent do it', input_schema: ANYTHING };
  const form = { name: STRUCTURED_OUTPUT, description: 'Gives the result', input_schema: state.jsonSchema };
  return [
    ...own,
    // Agents cannot start agents.
    ...(agent === undefined ? [agents] : []),
    ...(state.jsonSchema === undefined ? [] : [form]),
    ...offered,
  ];
}

/** Older versions list servers in the order in which they connected. */
function byConnection(one: ServerState, other: ServerState): number {
  return (one.connectedAt ?? 0) - (other.connectedAt ?? 0);
}

const ANYTHING = { type: 'object' } as const;

const OWN_TOOLS = {
  AskUserQuestion: 'Asks the user',
  Bash: 'Runs a command',
  Edit: 'Changes a file',
  Glob: 'Finds files by their names',
  Grep: 'Finds lines in files',
  Read: 'Reads a file',
  Write: 'Writes a file',
} as const;
