import { either, kind, kinds, listOf, oneOf, recordOf } from '../../../wire/util/option-checks.js';
import { type CliOptions, efforts, type ProcessOptions, permissionModes } from './cli-options.js';
import { pluginArguments, settingsArguments, skillArguments, thinkingArguments } from './option-arguments.js';
import { pluginKind, taskBudgetKind, thinkingKind, toolConfigKind, toolsPresetKind } from './option-kinds.js';
import { type OptionTable, optionsOf } from './passing.js';
import { processOptionSpecs } from './process-option-table.js';

/** The options that change what the CLI does; each is a flag or an environment variable. */
const flagOptionSpecs = {
  additionalDirectories: {
    kind: listOf(kinds.text),
    passed: { as: 'each', flag: '--add-dir' },
    sentence: 'Folders besides `cwd` that tools may work in.',
    actsOn: 'launch',
    stored: true,
  },
  agent: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--agent' },
    sentence: 'The agent that the main conversation runs as.',
    actsOn: 'launch',
  },
  allowDangerouslySkipPermissions: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--allow-dangerously-skip-permissions' },
    sentence: 'Lets the session change to `bypassPermissions` later.',
  },
  allowedTools: {
    kind: listOf(kinds.text),
    passed: { as: 'list', flag: '--allowedTools' },
    sentence: 'Tools and rules that run without asking, such as `Read` or `Bash(git:*)`.',
    actsOn: 'launch',
    stored: true,
  },
  awaitInitialize: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--await-initialize' },
    sentence: 'Makes the CLI wait for the initialize request before it prepares the session.',
  },
  betas: {
    kind: listOf(kinds.text),
    // Every probed CLI reads a comma-separated list as one header, so each gets its own flag.
    passed: { as: 'each', flag: '--betas' },
    sentence: 'Beta headers for the requests to the model; needs an API key.',
    actsOn: 'launch',
  },
  chrome: {
    kind: kinds.flag,
    passed: {
      as: 'arguments',
      flags: '--chrome, --no-chrome',
      build: (value) => [{ flag: value === true ? '--chrome' : '--no-chrome' }],
    },
    sentence: 'Whether the CLI connects to the Chrome extension. Default: set by its settings.',
  },
  continue: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--continue' },
    sentence: 'Continues the newest conversation of the working folder.',
    ofOneStart: true,
    actsOn: 'launch',
  },
  debug: {
    kind: either(kinds.flag, kinds.text),
    passed: {
      as: 'arguments',
      flags: '--debug, --debug=',
      build: (value) => {
        if (value === false) return [];
        return [typeof value === 'string' ? { flag: '--debug', value } : { flag: '--debug' }];
      },
    },
    sentence: 'Turns on the CLI’s debug log for all or some categories.',
  },
  debugFile: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--debug-file' },
    sentence: 'The file for the debug log.',
    remotely: 'refused',
  },
  disallowedTools: {
    kind: listOf(kinds.text),
    passed: { as: 'list', flag: '--disallowedTools' },
    sentence: 'Tools and rules that are always refused.',
    actsOn: 'launch',
    stored: true,
  },
  effort: {
    kind: oneOf(...efforts),
    passed: { as: 'value', flag: '--effort' },
    sentence: 'How much effort the model puts into an answer.',
    actsOn: 'launch',
    stored: true,
  },
  enableFileCheckpointing: {
    kind: kinds.flag,
    passed: {
      as: 'variable',
      name: 'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING',
      text: (value) => (value ? '1' : undefined),
    },
    sentence: 'Keeps copies of changed files, so you can rewind them.',
  },
  fallbackModel: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--fallback-model' },
    sentence: 'The model to use when the first one is overloaded.',
    actsOn: 'launch',
    stored: true,
  },
  forkSession: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--fork-session' },
    sentence: 'Resumes under a new session id and leaves the old conversation unchanged.',
    ofOneStart: true,
    actsOn: 'launch',
  },
  includeHookEvents: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--include-hook-events' },
    sentence: 'Includes messages about hook runs.',
  },
  managedSettings: {
    kind: kinds.record,
    passed: {
      as: 'arguments',
      flags: '--managed-settings=',
      build: (value) => [{ flag: '--managed-settings', value: JSON.stringify(value), secret: true }],
    },
    sentence: 'Settings with the precedence of administrator settings.',
    remotely: 'refused',
  },
  maxBudgetUsd: {
    kind: kinds.positiveNumber,
    passed: { as: 'value', flag: '--max-budget-usd' },
    sentence:
      'The maximum cost of the session, in dollars. The CLI ends turns that exceed it, and nothing more is sent.',
  },
  maxThinkingTokens: {
    kind: kinds.count,
    passed: { as: 'value', flag: '--max-thinking-tokens' },
    sentence: 'The maximum number of thinking tokens; 0 turns thinking off.',
    actsOn: 'launch',
    later: 'setMaxThinkingTokens()',
  },
  maxTurns: {
    kind: kinds.positiveCount,
    passed: { as: 'value', flag: '--max-turns' },
    sentence: 'The maximum number of model calls for one user message.',
    actsOn: 'launch',
    stored: true,
  },
  mcpServers: {
    kind: recordOf(kinds.record),
    passed: {
      as: 'arguments',
      flags: '--mcp-config=',
      // Every probed CLI exits on a configuration without servers.
      build: (mcpServers) =>
        Object.keys(mcpServers).length === 0
          ? []
          : [
              {
                flag: '--mcp-config',
                value: JSON.stringify({ mcpServers }),
                takesFile: true,
                secret: true,
              },
            ],
    },
    sentence: 'MCP servers by name, as in an `.mcp.json` file.',
  },
  model: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--model' },
    sentence: 'The model: an alias such as `sonnet`, or a full name.',
    actsOn: 'launch',
    stored: true,
    later: 'setModel()',
  },
  outputSchema: {
    kind: kinds.record,
    passed: {
      as: 'arguments',
      flags: '--json-schema=',
      build: (schema) => [{ flag: '--json-schema', value: JSON.stringify(schema) }],
    },
    sentence: 'A JSON Schema that the answer must match.',
  },
  partialMessages: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--include-partial-messages' },
    sentence:
      'Adds the pieces of an answer to the messages while it streams. Default for a session: the CLI sends them, but only textDeltas() and messages({ partial: true }) show them. False stops the CLI from sending them.',
  },
  permissionMode: {
    kind: oneOf(...permissionModes),
    passed: { as: 'value', flag: '--permission-mode' },
    sentence: 'The permission mode to start in. Default: set by the settings.',
    actsOn: 'launch',
    stored: true,
    later: 'setPermissionMode()',
  },
  permissionPrompts: {
    kind: oneOf('host', 'none'),
    passed: { as: 'value', flag: '--permission-prompts' },
    sentence: 'Who answers permission prompts: the host, or nobody.',
  },
  permissionPromptTool: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--permission-prompt-tool' },
    sentence: 'Where permission prompts go: `stdio` for the control protocol, or the name of an MCP tool.',
  },
  persistSession: {
    kind: kinds.flag,
    passed: { as: 'off-switch', flag: '--no-session-persistence' },
    sentence: 'If false, the conversation is not written to disk and cannot be resumed.',
  },
  plugins: {
    kind: listOf(pluginKind),
    passed: { as: 'arguments', flags: '--plugin-dir=, --plugin-dir-no-mcp=', build: pluginArguments },
    sentence: 'Plugins to load from folders.',
    actsOn: 'launch',
  },
  projectConfigRoot: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--project-config-root' },
    sentence: 'The folder whose project settings are loaded instead of those of `cwd`.',
    remotely: 'refused',
  },
  replayUserMessages: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--replay-user-messages' },
    sentence: 'Makes the CLI echo each user message once it has accepted it.',
  },
  resume: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--resume' },
    sentence: 'The id of the conversation to resume.',
    ofOneStart: true,
    actsOn: 'launch',
  },
  resumeDropsTurn: {
    kind: kinds.uuid,
    passed: { as: 'value', flag: '--resume-drops-turn' },
    sentence: 'The turn to drop when resuming at a message.',
    ofOneStart: true,
  },
  resumeSessionAt: {
    kind: kinds.uuid,
    passed: { as: 'value', flag: '--resume-session-at' },
    sentence: 'The last message of the resumed conversation to keep.',
    ofOneStart: true,
    actsOn: 'launch',
  },
  sandbox: {
    kind: kinds.record,
    passed: {
      as: 'arguments',
      flags: '--settings=',
      build: (_value, { options }) => (options.settings === undefined ? settingsArguments(options) : []),
    },
    sentence:
      'Sandbox settings, merged into `settings`; an enabled sandbox that is not available is an error.',
  },
  sessionId: {
    kind: kinds.uuid,
    passed: { as: 'value', flag: '--session-id' },
    sentence: 'The id of the session, so you know it before the first message.',
    ofOneStart: true,
  },
  sessionMirror: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--session-mirror' },
    sentence: 'Also sends every transcript entry to the host.',
  },
  settings: {
    kind: either(kinds.text, kinds.record),
    passed: {
      as: 'arguments',
      flags: '--settings=',
      build: (_value, { options }) => settingsArguments(options),
    },
    sentence: 'More settings: an object, or the path of a file.',
    actsOn: 'launch',
  },
  settingSources: {
    kind: listOf(oneOf('user', 'project', 'local')),
    passed: { as: 'list', flag: '--setting-sources' },
    sentence:
      'Which settings files are loaded. Default: all. An empty list loads none, and no CLAUDE.md either.',
    actsOn: 'launch',
    stored: true,
  },
  skills: {
    kind: either(
      kind('"all"', (value) => value === 'all'),
      listOf(kind('a skill name', (value) => typeof value === 'string' && /^[^\s,()]+$/.test(value))),
    ),
    passed: { as: 'arguments', flags: '--allowedTools=', build: skillArguments },
    sentence: 'Skills that may be used without asking.',
  },
  strictMcpConfig: {
    kind: kinds.flag,
    passed: { as: 'switch', flag: '--strict-mcp-config' },
    sentence: 'Uses only the MCP servers in `mcpServers`, and none from settings files.',
    actsOn: 'launch',
  },
  taskBudget: {
    kind: taskBudgetKind,
    passed: {
      as: 'arguments',
      flags: '--task-budget=',
      build: ({ total }) => [{ flag: '--task-budget', value: String(total) }],
    },
    sentence: 'The token budget for the task; the model is told about it.',
  },
  thinking: {
    kind: thinkingKind,
    passed: {
      as: 'arguments',
      flags: '--thinking=, --max-thinking-tokens=, --thinking-display=',
      build: thinkingArguments,
    },
    sentence: 'How the model thinks: adaptively, with a budget, or not at all.',
    actsOn: 'launch',
  },
  toolConfig: {
    kind: toolConfigKind,
    passed: {
      as: 'variable',
      name: 'CLAUDE_CODE_QUESTION_PREVIEW_FORMAT',
      text: ({ askUserQuestion }) => askUserQuestion?.previewFormat,
    },
    sentence: 'Settings of built-in tools: the preview format in questions.',
  },
  tools: {
    kind: either(listOf(kinds.text), toolsPresetKind),
    passed: {
      as: 'arguments',
      flags: '--tools=',
      build: (value) => [{ flag: '--tools', value: 'preset' in value ? 'default' : value.join(',') }],
    },
    sentence: 'The built-in tools that are available: a list (an empty one for none), or the preset for all.',
    actsOn: 'launch',
    stored: true,
  },
  workload: {
    kind: kinds.text,
    passed: { as: 'value', flag: '--workload' },
    sentence: 'A label for the kind of work, for usage reports.',
  },
} as const satisfies OptionTable<Omit<CliOptions, keyof ProcessOptions>>;

/** Every option that is a flag, an environment variable, or about the process itself, with what is known of each. */
export const launchOptionSpecs = { ...flagOptionSpecs, ...processOptionSpecs };

/** Every option that is a flag, an environment variable, or about the process itself. */
export const cliOptionSpecs: OptionTable<CliOptions> = launchOptionSpecs;

const ofOneStart = optionsOf(launchOptionSpecs, 'ofOneStart', true);

/** Options for a later start of the same session, which continues the conversation of the first. */
export function withoutStart<Given extends object>(given: Given): Omit<Given, (typeof ofOneStart)[number]> {
  const kept = { ...given };
  for (const name of ofOneStart) Reflect.deleteProperty(kept, name);
  return kept;
}
