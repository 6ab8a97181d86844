import { type Clock, systemClock } from '../../wire/util/clock.js';
import { checkOptions, kinds, OptionError, type OptionSpecs } from '../../wire/util/option-checks.js';
import type { McpServerObject, McpTransport } from './server-object.js';
import { limitKind, nameKind, type Tool } from './tool.js';
import type { McpServerOptions } from './tool-set.js';

/** Injected dependencies of a tool server; tests replace them. */
export interface McpServerDeps {
  /** The clock. */
  readonly clock?: Clock;
}

/** A set of tools as an MCP server. It serves any number of sessions at once: each connection gets its own server. */
export interface ToolServer extends McpServerObject {
  /** Its name. */
  readonly name: string;
  /** Its tools. */
  readonly tools: readonly Tool[];
  /** Connects it to a client; any number at once. */
  connect(transport: McpTransport): Promise<void>;
}

/**
 * Creates an MCP server of tools that run in this process; pass it to `openSession` in `mcpServers`. @throws
 * OptionError for a wrong option, or two tools with the same name.
 */
export function mcpServer(
  name: string,
  tools: readonly Tool[],
  options: McpServerOptions = {},
  { clock = systemClock }: McpServerDeps = {},
): ToolServer {
  if (!nameKind.accepts(name))
    throw new OptionError('name', `The name of an MCP server must be ${nameKind.expected}.`);
  checkTools(name, tools);
  checkOptions(specs, options);
  return {
    name,
    tools: [...tools],
    // Loaded with the first connection, like the MCP package.
    connect: async (transport) => {
      const { connectTools } = await import('./tool-instance.js');
      await connectTools({ name, tools, options, clock }, transport);
    },
  };
}

function checkTools(name: string, tools: readonly Tool[]): void {
  const whole: unknown = tools;
  const isList = Array.isArray(whole) && whole.every((each) => typeof each?.run === 'function');
  if (!isList) throw new OptionError('tools', `MCP server "${name}" needs a list of tools made with tool().`);
  const names = tools.map((each) => each.name);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined)
    throw new OptionError('tools', `MCP server "${name}" has two tools named "${twice}".`);
}

const specs: OptionSpecs = {
  version: { kind: kinds.text, sentence: 'The version that the server reports to clients.' },
  instructions: { kind: kinds.text, sentence: 'Tells the model how to use the server.' },
  timeoutMs: { kind: limitKind, sentence: 'The time limit of tools without their own.' },
};
