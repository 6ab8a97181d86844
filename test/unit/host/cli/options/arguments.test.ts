import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { argumentText } from '../../../../../src/host/cli/options/argument-text.js';
import { needsVersion, passOptions } from '../../../../../src/host/cli/options/arguments.js';
import { cliOptionSpecs } from '../../../../../src/host/cli/options/cli-option-table.js';
import type { CliOptions } from '../../../../../src/host/cli/options/cli-options.js';
import { cliOptionRules } from '../../../../../src/host/cli/options/option-rules.js';
import { checkOptions, OptionError } from '../../../../../src/wire/util/option-checks.js';

const BASE = ['--output-format=stream-json', '--verbose', '--input-format=stream-json'];
const ID = '11111111-1111-4111-8111-111111111111';

/** The flags that options add, as the CLI gets them. */
function flags(options: CliOptions, version?: string): string[] {
  checkOptions(cliOptionSpecs, options, cliOptionRules);
  const all = passOptions(options, capabilitiesOf({ version })).arguments.map(argumentText);
  expect(all.slice(0, 3)).toEqual(BASE);
  return all.slice(3);
}

function refusal(options: CliOptions, version?: string): string {
  try {
    flags(options, version);
  } catch (error) {
    if (error instanceof OptionError) return error.option;
    throw error;
  }
  return 'taken';
}

/** Every option that reaches the CLI as a flag, with its arguments. */
const mapped: Partial<Record<keyof CliOptions, [given: CliOptions, flags: string[]][]>> = {
  additionalDirectories: [[{ additionalDirectories: ['/a', '/b'] }, ['--add-dir=/a', '--add-dir=/b']]],
  agent: [[{ agent: 'x' }, ['--agent=x']]],
  allowDangerouslySkipPermissions: [
    [{ allowDangerouslySkipPermissions: true }, ['--allow-dangerously-skip-permissions']],
    [{ allowDangerouslySkipPermissions: false }, []],
  ],
  allowedTools: [[{ allowedTools: ['Read', 'Bash(git:*)'] }, ['--allowedTools=Read,Bash(git:*)']]],
  awaitInitialize: [[{ awaitInitialize: true }, ['--await-initialize']]],
  betas: [[{ betas: ['a', 'b'] }, ['--betas=a', '--betas=b']]],
  continue: [[{ continue: true }, ['--continue']]],
  debug: [
    [{ debug: true }, ['--debug']],
    [{ debug: 'api' }, ['--debug=api']],
    [{ debug: false }, []],
  ],
  debugFile: [[{ debugFile: '/f' }, ['--debug-file=/f']]],
  disallowedTools: [[{ disallowedTools: ['Bash'] }, ['--disallowedTools=Bash']]],
  effort: [[{ effort: 'max' }, ['--effort=max']]],
  fallbackModel: [[{ fallbackModel: 'haiku' }, ['--fallback-model=haiku']]],
  forkSession: [[{ resume: 'x', forkSession: true }, ['--fork-session', '--resume=x']]],
  includeHookEvents: [[{ includeHookEvents: true }, ['--include-hook-events']]],
  partialMessages: [[{ partialMessages: true }, ['--include-partial-messages']]],
  managedSettings: [[{ managedSettings: { a: 1 } }, ['--managed-settings={"a":1}']]],
  maxBudgetUsd: [[{ maxBudgetUsd: 1.5 }, ['--max-budget-usd=1.5']]],
  maxThinkingTokens: [[{ maxThinkingTokens: 0 }, ['--max-thinking-tokens=0']]],
  maxTurns: [[{ maxTurns: 3 }, ['--max-turns=3']]],
  mcpServers: [
    [{ mcpServers: { a: { command: 'x' } } }, ['--mcp-config={"mcpServers":{"a":{"command":"x"}}}']],
    [{ mcpServers: {} }, []],
  ],
  model: [[{ model: 'sonnet' }, ['--model=sonnet']]],
  outputSchema: [[{ outputSchema: { type: 'object' } }, ['--json-schema={"type":"object"}']]],
  permissionMode: [[{ permissionMode: 'plan' }, ['--permission-mode=plan']]],
  permissionPrompts: [[{ permissionPrompts: 'none' }, ['--permission-prompts=none']]],
  permissionPromptTool: [[{ permissionPromptTool: 'stdio' }, ['--permission-prompt-tool=stdio']]],
  persistSession: [
    [{ persistSession: false }, ['--no-session-persistence']],
    [{ persistSession: true }, []],
  ],
  plugins: [
    [
      {
        plugins: [
          { type: 'local', path: '/a' },
          { type: 'local', path: '/b', skipMcpDiscovery: true },
        ],
      },
      ['--plugin-dir=/a', '--plugin-dir-no-mcp=/b'],
    ],
  ],
  projectConfigRoot: [[{ projectConfigRoot: '/r' }, ['--project-config-root=/r']]],
  replayUserMessages: [[{ replayUserMessages: true }, ['--replay-user-messages']]],
  resume: [[{ resume: 'abc' }, ['--resume=abc']]],
  resumeSessionAt: [[{ resume: 'x', resumeSessionAt: ID }, ['--resume=x', `--resume-session-at=${ID}`]]],
  resumeDropsTurn: [
    [
      { resume: 'x', resumeSessionAt: ID, resumeDropsTurn: ID },
      ['--resume=x', `--resume-drops-turn=${ID}`, `--resume-session-at=${ID}`],
    ],
  ],
  sandbox: [
    [{ sandbox: { enabled: true } }, ['--settings={"sandbox":{"failIfUnavailable":true,"enabled":true}}']],
    [{ sandbox: { enabled: false } }, ['--settings={"sandbox":{"enabled":false}}']],
    [{ sandbox: { enabled: false }, settings: { a: 1 } }, ['--settings={"a":1,"sandbox":{"enabled":false}}']],
  ],
  sessionId: [[{ sessionId: ID }, [`--session-id=${ID}`]]],
  sessionMirror: [[{ sessionMirror: true }, ['--session-mirror']]],
  settings: [
    [{ settings: '/s.json' }, ['--settings=/s.json']],
    [{ settings: { a: 1 } }, ['--settings={"a":1}']],
  ],
  settingSources: [
    [{ settingSources: ['user', 'local'] }, ['--setting-sources=user,local']],
    [{ settingSources: [] }, ['--setting-sources=']],
    [{}, []],
  ],
  skills: [
    [{ skills: 'all' }, ['--allowedTools=Skill']],
    [{ skills: ['a', 'b'] }, ['--allowedTools=Skill(a),Skill(b)']],
    [{ skills: [] }, []],
  ],
  chrome: [
    [{ chrome: true }, ['--chrome']],
    [{ chrome: false }, ['--no-chrome']],
    [{}, []],
  ],
  strictMcpConfig: [[{ strictMcpConfig: true }, ['--strict-mcp-config']]],
  taskBudget: [[{ taskBudget: { total: 500 } }, ['--task-budget=500']]],
  thinking: [
    [{ thinking: { type: 'adaptive' } }, ['--thinking=adaptive']],
    [{ thinking: { type: 'enabled', budgetTokens: 10 } }, ['--max-thinking-tokens=10']],
    [{ thinking: { type: 'enabled' } }, ['--thinking=enabled']],
    [
      { thinking: { type: 'enabled', budgetTokens: 10, display: 'omitted' } },
      ['--max-thinking-tokens=10', '--thinking-display=omitted'],
    ],
    [{ thinking: { type: 'disabled' } }, ['--thinking=disabled']],
  ],
  tools: [
    [{ tools: ['Bash', 'Read'] }, ['--tools=Bash,Read']],
    [{ tools: [] }, ['--tools=']],
    [{ tools: { type: 'preset', preset: 'claude_code' } }, ['--tools=default']],
  ],
  workload: [[{ workload: 'x' }, ['--workload=x']]],
};

describe.each(Object.entries(mapped))('%s', (_name, cases) => {
  test.each(cases)('%j becomes %j', (given, expected) => {
    expect(flags(given)).toEqual(expected);
  });
});

test('every option of the table is a flag tested above, a variable, or about the process', () => {
  for (const [name, { passed }] of Object.entries(cliOptionSpecs)) {
    const elsewhere = passed.as === 'variable' || passed.as === 'spawn';
    expect([name, elsewhere || Object.hasOwn(mapped, name)]).toEqual([name, true]);
  }
});

test('every option has a sentence for the documentation', () => {
  for (const [name, { sentence }] of Object.entries(cliOptionSpecs)) {
    expect([name, /^[A-Z].*\.$/.test(sentence)]).toEqual([name, true]);
  }
});

describe('variables', () => {
  const variables = (options: CliOptions) => passOptions(options).variables;

  test('the entry point is ours unless the caller sets one', () => {
    expect(variables({})).toEqual({ CLAUDE_CODE_ENTRYPOINT: 'coxswain' });
    expect(variables({ entrypoint: 'sdk-ts' })).toEqual({ CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' });
  });

  test('options that are variables are set when they are on', () => {
    expect(variables({ enableFileCheckpointing: true })).toMatchObject({
      CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1',
    });
    expect(variables({ sandboxed: true })).toMatchObject({ IS_SANDBOX: '1' });
    expect(variables({ toolConfig: { askUserQuestion: { previewFormat: 'html' } } })).toMatchObject({
      CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html',
    });
    expect(variables({ enableFileCheckpointing: false, sandboxed: false, toolConfig: {} })).toEqual({
      CLAUDE_CODE_ENTRYPOINT: 'coxswain',
    });
  });
});

describe('extraArgs', () => {
  test('passes any other flag, with or without a value', () => {
    expect(flags({ extraArgs: { 'some-flag': 'v w', 'other-flag': null, empty: '' } })).toEqual([
      '--some-flag=v w',
      '--other-flag',
      '--empty=',
    ]);
  });

  test('knows values that may hold secrets by the name of the flag', () => {
    const extraArgs = { agents: '{}', 'append-system-prompt': 'x', 'system-prompt-file': '/x', model: 'x' };
    const { arguments: args } = passOptions({ extraArgs });
    expect(args.flatMap(({ flag, secret }) => (secret === true ? [flag] : []))).toEqual([
      '--agents',
      '--append-system-prompt',
    ]);
  });

  test('passes a private text, and JSON for servers and settings, in files', () => {
    const { arguments: args } = passOptions({
      extraArgs: { 'some-file': { privateFile: 'text' }, settings: '{}', 'mcp-config': 'servers.json' },
    });
    expect(args.slice(3)).toEqual([
      { flag: '--some-file', value: 'text', takesFile: true, secret: true },
      { flag: '--settings', value: '{}', takesFile: true, secret: true },
      { flag: '--mcp-config', value: 'servers.json' },
    ]);
    expect(refusal({ extraArgs: { a: { privateFile: 1 } as never } })).toBe('extraArgs');
  });

  test.each(['--model', 'a b', 'x=y', '', 'p', 'output-format', 'input-format', 'print', 'version'])(
    'refuses the name "%s"',
    (name) => {
      expect(refusal({ extraArgs: { [name]: null } })).toBe('extraArgs');
    },
  );
});

describe('combinations that no CLI accepts', () => {
  test.each<[string, CliOptions]>([
    ['fallbackModel', { model: 'x', fallbackModel: 'x' }],
    ['continue', { continue: true, resume: 'x' }],
    ['sessionId', { sessionId: ID, resume: 'x' }],
    ['sessionId', { sessionId: ID, continue: true }],
    ['forkSession', { forkSession: true }],
    ['resumeSessionAt', { resumeSessionAt: ID }],
    ['resumeDropsTurn', { resume: 'x', resumeDropsTurn: ID }],
    ['sandbox', { sandbox: {}, settings: '/a.json' }],
    ['maxThinkingTokens', { maxThinkingTokens: 1, thinking: { type: 'adaptive' } }],
  ])('%s is named for %j', (option, given) => {
    expect(refusal(given)).toBe(option);
  });

  test.each<CliOptions>([
    { model: 'x', fallbackModel: 'y' },
    { sessionId: ID, resume: 'x', forkSession: true },
    { continue: false, resume: 'x' },
  ])('%j is accepted', (given) => {
    expect(refusal(given)).toBe('taken');
  });
});

describe('wrong types', () => {
  test.each<[string, unknown]>([
    ['cwd', 7],
    ['env', { A: 1 }],
    ['env', { 'A=B': 'x' }],
    ['env', { A: 'nul\0' }],
    ['envMode', 'merge'],
    ['allowedTools', 'Bash'],
    ['allowedTools', ['']],
    ['maxTurns', 0],
    ['maxTurns', 1.5],
    ['maxBudgetUsd', 0],
    ['sessionId', 'not-a-uuid'],
    ['permissionMode', 'yolo'],
    ['settingSources', ['project', 'everything']],
    ['thinking', { type: 'deep' }],
    ['thinking', { type: 'adaptive', budget: 1 }],
    ['taskBudget', 5],
    ['mcpServers', { a: 'cmd' }],
    ['plugins', [{ type: 'remote', path: 'x' }]],
    ['skills', ['two words']],
    ['tools', { type: 'preset' }],
    ['outputSchema', 'x'],
    ['toolConfig', { askUserQuestion: { previewFormat: 1 } }],
    ['extraArgs', { a: true }],
    ['ending', { eofMs: -1 }],
    ['ending', { eofMS: 1 }],
    ['onStderr', 'log'],
    ['model', ''],
    ['model', null],
  ])('%s: %j is refused by name', (name, value) => {
    const options: object = { [name]: value };
    expect(refusal(options)).toBe(name);
  });

  test('an unknown name is refused with a suggestion', () => {
    const options: object = { allowedTool: ['Bash'] };
    expect(() => flags(options)).toThrow('Did you mean "allowedTools"?');
  });

  test('a NUL in a value is refused before the system does', () => {
    expect(refusal({ model: 'a\0b' })).toBe('--model');
  });
});

describe('a version known before the start', () => {
  const newOnly: CliOptions[] = [
    { effort: 'low' },
    { debugFile: '/f' },
    { permissionMode: 'auto' },
    { permissionPrompts: 'host' },
    { managedSettings: {} },
    { projectConfigRoot: '/r' },
    { taskBudget: { total: 1 } },
    { thinking: { type: 'adaptive' } },
    { thinking: { type: 'enabled' } },
    { includeHookEvents: true },
    { sessionMirror: true },
    { awaitInitialize: true },
    { workload: 'x' },
    { plugins: [{ type: 'local', path: '/a', skipMcpDiscovery: true }] },
  ];

  test.each(newOnly)('%j is refused for a CLI that would exit on it', (given) => {
    expect(refusal(given, '2.0.73')).toBe(Object.keys(given)[0]);
    expect(refusal(given, '2.1.17')).toBe(Object.keys(given)[0]);
    expect(() => flags(given, '2.1.17')).toThrow('2.1.17');
  });

  test.each(newOnly)('%j is sent to a newer CLI and to one of unknown version', (given) => {
    expect(refusal(given, '2.1.326')).toBe('taken');
    expect(refusal(given)).toBe('taken');
  });

  test('the oldest CLIs lack more, and the refusal names the flag and the CLIs that have it', () => {
    const given: CliOptions[] = [{ tools: [] }, { agent: 'x' }, { betas: ['x'] }, { persistSession: false }];
    for (const each of given) expect(refusal(each, '2.0.30')).toBe(Object.keys(each)[0]);
    expect(() => flags({ persistSession: false }, '2.0.30')).toThrow(
      /CLI 2\.0\.30 does not support option "persistSession" \(no --no-session-persistence\): .* CLI 2\.0\.\d+ or newer\.$/,
    );
    expect(() => flags({ permissionMode: 'auto' }, '2.1.58')).toThrow('--permission-mode=auto');
    expect(flags({ permissionMode: 'delegate' }, '2.0.73')).toEqual(['--permission-mode=delegate']);
    expect(flags({ permissionMode: 'auto' }, '2.1.112')).toEqual(['--permission-mode=auto']);
  });

  test('flags that not every CLI has require the version', () => {
    const needs = (options: CliOptions) => needsVersion(passOptions(options).arguments);
    expect([needs({ model: 'x', permissionMode: 'plan' }), needs({ tools: [] })]).toEqual([false, true]);
  });

  test('old CLIs get an equivalent if there is one', () => {
    expect(flags({ thinking: { type: 'disabled' } }, '2.1.17')).toEqual(['--max-thinking-tokens=0']);
    expect(flags({ thinking: { type: 'enabled', budgetTokens: 5 } }, '2.0.73')).toEqual([
      '--max-thinking-tokens=5',
    ]);
    expect(flags({ plugins: [{ type: 'local', path: '/a' }] }, '2.0.73')).toEqual(['--plugin-dir=/a']);
    expect(flags({ permissionMode: 'plan' }, '2.0.73')).toEqual(['--permission-mode=plan']);
  });

  test('a switch that is off is not refused', () => {
    expect(refusal({ sessionMirror: false, includeHookEvents: false }, '2.0.73')).toBe('taken');
  });
});
