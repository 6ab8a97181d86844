import { expect, test, vi } from 'vitest';
import {
  checkOptions,
  warnOfOwnMode,
} from '../../../../../src/entry/compat/options/check-official-options.js';
import type { Options } from '../../../../../src/entry/compat/types/option-types.js';
import { runSources } from '../../../../support/run-sources.js';

const store = { append: async () => {}, load: async () => null };

test.each<[string, Options]>([
  [
    'canUseTool and permissionPromptToolName',
    { canUseTool: async () => null, permissionPromptToolName: 'x' },
  ],
  ['fallbackModel', { model: 'a', fallbackModel: 'a' }],
  ['onUserDialog', { supportedDialogKinds: ['k'] }],
  ['skills', { skills: ['a,b'] }],
  ['enableFileCheckpointing', { sessionStore: store, enableFileCheckpointing: true }],
  ['persistSession', { sessionStore: store, persistSession: false }],
  ['listSessions', { sessionStore: store, continue: true }],
])('refuses impossible options by name: %s', (word, options) => {
  expect(() => checkOptions(options)).toThrow(word);
});

test('accepts everything else, and reports what it does not know', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const given = { nonsense: 1, other: 2, supportedDialogKinds: [], workload: 'x', __noteOfWrapper: true };
  checkOptions(given as Options);
  expect(warned.mock.calls).toEqual([
    [expect.stringContaining('nonsense, other;'), { code: 'COXSWAIN_OPTION_UNKNOWN' }],
  ]);
  warned.mockRestore();
});

/** Run in a process of its own: Node warns once per process about a deprecation, and other tests share this one. */
const PROGRAM = `
  import { checkOptions } from './src/entry/compat/options/check-official-options.ts';
  process.on('warning', ({ code }) => console.log(code));
  const mcpServers = { far: { type: 'http', url: 'http://127.0.0.1:9' } };
  const pathToClaudeCodeExecutable = '/bin/claude';
  checkOptions({ mcpServers });
  checkOptions({ pathToClaudeCodeExecutable, mcpServers: {} });
  checkOptions({ pathToClaudeCodeExecutable, mcpServers, mcpServersDelivery: 'argv' });
  setImmediate(() => {
    console.log('now');
    checkOptions({ pathToClaudeCodeExecutable, mcpServers });
    checkOptions({ pathToClaudeCodeExecutable, mcpServers });
  });
`;

test('warns once of servers whose delivery is left to the default', async () => {
  const { stdout } = await runSources(PROGRAM);
  expect(stdout).toBe('now\nCLAUDE_SDK_MCP_SERVERS_ARGV_DEPRECATED\n');
});

test('warns about tools for which canUseTool is never called', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  checkOptions({ canUseTool: async () => null, allowedTools: ['Read', 'Bash(ls:*)'] });
  checkOptions({ canUseTool: async () => null, allowedTools: ['Bash(ls:*)'] });
  expect(warned.mock.calls).toEqual([
    [expect.stringContaining('Read'), { code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED' }],
  ]);
  warned.mockRestore();
});

test('warns about a mode that the CLI chose and in which canUseTool is not called', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const canUseTool = async () => null;
  const told = { current_permission_mode: 'auto' };
  warnOfOwnMode({ canUseTool }, told);
  warnOfOwnMode({ canUseTool }, { current_permission_mode: 'default' });
  warnOfOwnMode({ canUseTool, permissionMode: 'auto' }, told);
  warnOfOwnMode({}, told);
  expect(warned.mock.calls).toEqual([
    [expect.stringContaining('mode auto'), { code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED' }],
  ]);
  warned.mockRestore();
});
