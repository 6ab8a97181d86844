import type { OptionRule } from '../../wire/util/option-checks.js';
import type { SessionOptions } from './session-options.js';

/** Options that only apply to a process that the session starts itself. */
const OF_A_PROCESS = [
  'cli',
  'configDir',
  'executable',
  'executableArgs',
  'spawner',
  'ending',
  'onStderr',
  'maxLineLength',
  'maxUnsentBytes',
] as const satisfies readonly (keyof SessionOptions)[];

/** Options that choose the conversation: with an existing transport it has already begun. */
const OF_A_START = [
  'resume',
  'continue',
  'forkSession',
  'resumeSessionAt',
] as const satisfies readonly (keyof SessionOptions)[];

/** Options that a CLI gets only on its command line: a running CLI already has its own. */
const OF_A_COMMAND_LINE = [
  'additionalDirectories',
  'agent',
  'allowedTools',
  'betas',
  'disallowedTools',
  'effort',
  'fallbackModel',
  'maxThinkingTokens',
  'maxTurns',
  'model',
  'permissionMode',
  'plugins',
  'settingSources',
  'settings',
  'strictMcpConfig',
  'thinking',
  'tools',
] as const satisfies readonly (keyof SessionOptions)[];

/** With a custom transport, options that could not take effect are refused by name. */
export const transportRules: readonly OptionRule<SessionOptions>[] = [
  ...OF_A_PROCESS.map((option) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] !== undefined && options.transport !== undefined
        ? 'with "transport" the session starts no process, so it would have no effect.'
        : undefined,
  })),
  ...[...OF_A_START, ...OF_A_COMMAND_LINE].map((option) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] !== undefined && isMade(options)
        ? 'it has no effect on an existing "transport": pass a function, which receives the launch options.'
        : undefined,
  })),
  {
    option: 'transport',
    problem: (options) =>
      isMade(options) && options.reopen === 'auto'
        ? 'with "reopen" it must be a function, so that each start can create a new one.'
        : undefined,
  },
  {
    option: 'patched',
    problem: ({ patched, transport }) =>
      patched !== undefined && patched !== false && transport !== undefined
        ? 'with "transport" no CLI is started, so there is nothing to patch.'
        : undefined,
  },
];

function isMade({ transport }: SessionOptions): boolean {
  return transport !== undefined && typeof transport !== 'function';
}
