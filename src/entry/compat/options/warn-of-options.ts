import { deprecate } from 'node:util';
import { officialNames } from '../official-names.js';
import type { Options } from '../types/option-types.js';
import { processServers } from './official-servers.js';

/** Options that the original takes without declaring them; all but the last are fields of `initialize`. */
export const UNDECLARED_FIELDS = [
  'appendSubagentSystemPrompt',
  'codeRunningMcpTools',
  'webSearchIsolationExemptMcpServers',
  'rapidFollowupPreempt',
  'forwardNestedSubagentToolCalls',
  'workspaceTrust',
] as const;

const KNOWN: ReadonlySet<string> = new Set([...officialNames.options, ...UNDECLARED_FIELDS, 'workload']);

/** Reports options that have no effect: in JavaScript nothing else would. */
export function warnOfUnknown(options: Options): void {
  // Wrappers leave notes to themselves there.
  const unknown = Object.keys(options).filter((name) => !KNOWN.has(name) && !name.startsWith('__'));
  if (unknown.length === 0) return;
  const names = unknown.join(', ');
  process.emitWarning(`coxswain/compat does not know the options ${names}; they have no effect.`, {
    code: 'COXSWAIN_OPTION_UNKNOWN',
  });
}

/** Like the original, warns once per process about servers whose way to the CLI will change. */
export function warnOfDelivery(options: Options): void {
  const { mcpServers, mcpServersDelivery, pathToClaudeCodeExecutable, spawnClaudeCodeProcess } = options;
  const choosesCli = pathToClaudeCodeExecutable !== undefined || spawnClaudeCodeProcess !== undefined;
  if (mcpServersDelivery !== undefined || !choosesCli) return;
  if (Object.keys(processServers(mcpServers)).length > 0) deliveryIsDeprecated();
}

const deliveryIsDeprecated = deprecate(
  () => {},
  'mcpServersDelivery is not set, and its default changes from "argv" to "initialize" in a later version. Set "argv", or "initialize" if the CLI is new enough.',
  'CLAUDE_SDK_MCP_SERVERS_ARGV_DEPRECATED',
);
