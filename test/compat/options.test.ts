import { differential } from './harness/differential.js';
import type { Options, Program } from './harness/program.js';

/** What a program's options become: flags, variables, the handshake. */
function given(name: string, options: Options, more: Partial<Program> = {}): Program {
  return {
    name: `${name} becomes the same`,
    run: async (sdk, stage) => {
      try {
        await stage.read(sdk.query({ prompt: 'Hi', options: stage.options(options) }));
      } catch (error) {
        stage.tell('query failed', stage.thrown(error));
      }
    },
    ...more,
  };
}

const AGENT = {
  description: 'Reviews',
  prompt: 'Review it.',
  tools: ['Read'],
  disallowedTools: ['Bash'],
  model: 'haiku',
  maxTurns: 2,
};
const PRESET = { type: 'preset', preset: 'claude_code' };
const FAR = { type: 'http', url: 'http://127.0.0.1:9/mcp' };
const OWN_WORDS = { accepts: ['own-words'] };
const UUID = '0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';

/** Options that a program fills from a variable or form that may be empty. */
const TEXTS = [
  ...['model', 'fallbackModel', 'agent', 'effort', 'permissionMode', 'resume', 'sessionId', 'settings'],
  ...['permissionPromptToolName', 'permissionPrompts', 'resumeSessionAt', 'debugFile', 'systemPrompt'],
  ...['title', 'planModeInstructions', 'projectConfigRoot', 'resumeDropsTurn'],
];
const NULLABLE = [
  ...['model', 'resume', 'canUseTool', 'hooks', 'mcpServers', 'plugins', 'extraArgs', 'env'],
  ...['betas', 'stderr', 'sessionStore', 'thinking', 'managedSettings', 'sandbox'],
  ...['abortController', 'onElicitation', 'onUserDialog', 'outputFormat'],
  ...['persistSession', 'maxTurns', 'taskBudget'],
];
const FLAGS = [
  ...['debug', 'strictMcpConfig', 'includePartialMessages', 'includeHookEvents', 'verbatimPrompts'],
  ...['allowDangerouslySkipPermissions', 'enableFileCheckpointing', 'forkSession'],
];

differential([
  given('additionalDirectories', { additionalDirectories: ['/a', '/b c'] }),
  given('additionalDirectories, empty,', { additionalDirectories: [] }),
  given('projectConfigRoot', { projectConfigRoot: '/root' }),
  given('agent', { agent: 'reviewer', agents: { reviewer: AGENT } }),
  given('agents', { agents: { reviewer: AGENT, other: { description: 'd', prompt: 'p' } } }),
  given('allowedTools', { allowedTools: ['Read', 'Bash(git *)'] }),
  given('allowedTools, empty,', { allowedTools: [] }),
  given('disallowedTools', { disallowedTools: ['WebFetch', 'Bash'] }),
  given('tools', { tools: ['Read', 'Bash'] }),
  given('tools, empty,', { tools: [] }),
  given('tools, all of the CLI,', { tools: PRESET }),
  given('toolAliases', { toolAliases: { Shell: 'Bash' } }),
  given('toolConfig', { toolConfig: { askUserQuestion: { previewFormat: 'markdown' } } }),
  given('permissionPrompts', { permissionPrompts: 'none' }),
  given('permissionMode', { permissionMode: 'plan' }),
  given('permissionMode with allowDangerouslySkipPermissions', {
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
  }),
  given('planModeInstructions', { planModeInstructions: 'Write a plan.' }),
  given('sessionId', { sessionId: UUID }),
  given('resumeSessionAt and resumeDropsTurn', { resumeSessionAt: UUID, resumeDropsTurn: UUID }),
  given('persistSession', { persistSession: false }),
  given('env', {
    env: { PATH: '/usr/bin', ONLY: 'this', EMPTY: '', NODE_OPTIONS: '--no-warnings', DEBUG: '1' },
  }),
  given('env with its own entry point', { env: { CLAUDE_CODE_ENTRYPOINT: 'mine', GONE: undefined } }),
  given('executable', { executable: 'bun', executableArgs: ['--smol'] }),
  given('extraArgs', { extraArgs: { 'debug-to': 'x', flag: null, '--dashed': 'y', negative: '-1' } }),
  given('debug', { debug: true }),
  given('debugFile', { debugFile: '/tmp/debug.log' }),
  given('model and fallbackModel', { model: 'opus', fallbackModel: 'haiku' }),
  given('fallbackModel, the same as model,', { model: 'opus', fallbackModel: 'opus' }, OWN_WORDS),
  given('betas', { betas: ['context-1m-2025-08-07'] }),
  given('thinking, adaptive,', { thinking: { type: 'adaptive', display: 'summarized' } }),
  given('thinking with a budget', { thinking: { type: 'enabled', budgetTokens: 4096 } }),
  given('thinking without a budget', { thinking: { type: 'enabled' } }),
  given('thinking, disabled,', { thinking: { type: 'disabled' } }),
  given('maxThinkingTokens', { maxThinkingTokens: 1024 }),
  given('maxThinkingTokens, none,', { maxThinkingTokens: 0 }),
  given('effort', { effort: 'high' }),
  given('taskBudget', { taskBudget: { total: 1000 } }),
  given('includeHookEvents', { includeHookEvents: true }),
  given('requested fields of the handshake', {
    forwardSubagentText: true,
    promptSuggestions: true,
    agentProgressSummaries: true,
    perTaskStopAffordance: true,
    title: 'A title',
  }),
  given('fields of the handshake that are not requested', {
    forwardSubagentText: false,
    promptSuggestions: false,
    agentProgressSummaries: false,
  }),
  given('supportedDialogKinds without a callback', { supportedDialogKinds: ['pick'] }, OWN_WORDS),
  given('strictMcpConfig', { strictMcpConfig: true }),
  given('mcpServersDelivery', { mcpServers: { far: FAR }, mcpServersDelivery: 'initialize' }),
  given('mcpServersDelivery on the command line', { mcpServers: { far: FAR }, mcpServersDelivery: 'argv' }),
  given(
    'mcpServersDelivery on a CLI that does not take the servers',
    { mcpServers: { far: FAR }, mcpServersDelivery: 'initialize' },
    { version: '2.1.325', ...OWN_WORDS },
  ),
  given('mcpServersDelivery without servers', { mcpServersDelivery: 'initialize' }),
  given('mcpServersDelivery and pluginDelivery', {
    mcpServers: { far: FAR },
    mcpServersDelivery: 'initialize',
    plugins: [{ type: 'local', path: '/p' }],
    pluginDelivery: 'initialize',
  }),
  given('plugins', {
    plugins: [
      { type: 'local', path: '/p' },
      { type: 'local', path: '/q', skipMcpDiscovery: true },
    ],
  }),
  given('pluginDelivery', { plugins: [{ type: 'local', path: '/p' }], pluginDelivery: 'initialize' }),
  given('settings, a path,', { settings: '/settings.json' }),
  given('settings, an object,', { settings: { model: 'opus', permissions: { allow: ['Read'] } } }),
  given('sandbox', { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } }),
  given('sandbox with settings', { sandbox: { enabled: false }, settings: { model: 'opus' } }),
  given('sandbox with settings in JSON', { sandbox: { enabled: true }, settings: '{"model":"opus"}' }),
  given(
    'sandbox with settings at a path',
    { sandbox: { enabled: true }, settings: '/settings.json' },
    OWN_WORDS,
  ),
  given('managedSettings', { managedSettings: { permissions: { deny: ['WebFetch'] } } }),
  given('settingSources', { settingSources: ['user', 'project'] }),
  given('settingSources, none,', { settingSources: [] }),
  given('skills', { skills: ['pdf', 'docx'] }),
  given('skills, all,', { skills: 'all', allowedTools: ['Read'] }),
  given('skills, none,', { skills: [] }),
  given('a skill with a bad name', { skills: ['no), Bash('] }, OWN_WORDS),
  given('systemPrompt, a string,', { systemPrompt: 'Be brief.' }),
  given('systemPrompt, several strings,', { systemPrompt: ['Be brief.', 'Be kind.'] }),
  given('systemPrompt, custom,', { systemPrompt: { type: 'custom', prompt: 'Be brief.', snapshot: true } }),
  given('systemPrompt, preset,', { systemPrompt: PRESET }),
  given('systemPrompt, preset with more,', {
    systemPrompt: { ...PRESET, append: 'Be brief.', excludeDynamicSections: true, snapshot: true },
  }),
  given('enableFileCheckpointing', { enableFileCheckpointing: true }),
  given('includePartialMessages, false,', { includePartialMessages: false }),
  given('cwd', { cwd: '/' }),
  given('no cwd', { cwd: undefined }),
  given('no env', { env: undefined }),
  given('executable, deno,', { executable: 'deno' }),
  given('a CLI that only the spawner knows', { pathToClaudeCodeExecutable: '/opt/elsewhere/claude' }),
  given('a script that only the spawner knows', { pathToClaudeCodeExecutable: '/opt/elsewhere/cli.js' }),
  given('a CLI by its name', { pathToClaudeCodeExecutable: 'claude' }),
  given('an empty string', {
    ...Object.fromEntries(TEXTS.map((name) => [name, ''])),
    env: { CLAUDE_CODE_ENTRYPOINT: '' },
  }),
  given('an empty list or record', {
    ...{ betas: [], disallowedTools: [], executableArgs: [], supportedDialogKinds: [] },
    ...{ agents: {}, hooks: {}, mcpServers: {}, extraArgs: {}, toolAliases: {}, toolConfig: {} },
    ...{ plugins: [], pluginDelivery: 'initialize' },
  }),
  given('an empty sandbox', { sandbox: {}, settings: '' }),
  given('a budget of zero', { maxTurns: 0, maxBudgetUsd: 0, taskBudget: { total: 0 } }),
  given('null', Object.fromEntries(NULLABLE.map((name) => [name, null]))),
  given('truthy values', Object.fromEntries(FLAGS.map((name) => [name, 1]))),
  given('a duplicate rule', {
    allowedTools: ['Read', 'Read', 'Skill(pdf)'],
    skills: ['pdf', 'pdf'],
  }),
  given('skills, all, with a separate rule,', { allowedTools: ['Skill'], skills: 'all' }),
  given('a skill without a name', { skills: [''] }, OWN_WORDS),
  given('a skill with space around it', { skills: [' pdf'] }, OWN_WORDS),
  given('a sandbox in both places', {
    sandbox: { enabled: true, network: { a: { x: 1 }, list: [1] }, ripgrep: { command: 'rg' } },
    settings: {
      model: 'opus',
      sandbox: {
        failIfUnavailable: false,
        network: { a: { y: 2 }, list: [2], z: 1 },
        ripgrep: { args: [] },
        other: { k: 1 },
      },
    },
  }),
  given('a sandbox that only settings enable', {
    sandbox: { autoAllowBashIfSandboxed: true },
    settings: { sandbox: { enabled: true } },
  }),
  given('settings in extraArgs', { extraArgs: { settings: '/settings.json' } }),
  given('settings in both places', { extraArgs: { settings: '{"a":1}' }, settings: { b: 2 } }),
  given('sandbox with settings in extraArgs', {
    extraArgs: { settings: '{"model":"opus"}' },
    sandbox: { enabled: true },
  }),
  given(
    'sandbox with a path in extraArgs',
    { extraArgs: { settings: '/settings.json' }, sandbox: { enabled: true } },
    OWN_WORDS,
  ),
]);
