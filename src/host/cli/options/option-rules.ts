import type { OptionRule } from '../../../wire/util/option-checks.js';
import type { CliOptions } from './cli-options.js';

/** Option combinations that are not allowed; every probed CLI refuses them, some silently. */
export const cliOptionRules: readonly OptionRule<Omit<CliOptions, 'mcpServers' | 'outputSchema'>>[] = [
  {
    option: 'fallbackModel',
    problem: ({ model, fallbackModel }) =>
      fallbackModel !== undefined && fallbackModel === model
        ? `it is "${model}", the same as "model": choose another one.`
        : undefined,
  },
  {
    option: 'continue',
    problem: (options) =>
      options.continue === true && options.resume !== undefined
        ? 'it cannot be combined with "resume": one selects a conversation, the other takes the newest.'
        : undefined,
  },
  {
    option: 'sessionId',
    problem: (options) =>
      options.sessionId !== undefined && resumes(options) && options.forkSession !== true
        ? 'with "resume" or "continue" it needs "forkSession": a resumed conversation keeps its own id.'
        : undefined,
  },
  {
    option: 'forkSession',
    problem: (options) =>
      options.forkSession === true && !resumes(options)
        ? 'it needs "resume" or "continue": there is nothing to fork.'
        : undefined,
  },
  {
    option: 'resumeSessionAt',
    problem: ({ resumeSessionAt, resume }) =>
      resumeSessionAt !== undefined && resume === undefined ? 'it needs "resume".' : undefined,
  },
  {
    option: 'resumeDropsTurn',
    problem: ({ resumeDropsTurn, resumeSessionAt }) =>
      resumeDropsTurn !== undefined && resumeSessionAt === undefined
        ? 'it needs "resumeSessionAt".'
        : undefined,
  },
  {
    option: 'sandbox',
    problem: ({ sandbox, settings }) =>
      sandbox !== undefined && typeof settings === 'string'
        ? 'it cannot be merged into "settings" given as a path: pass the settings as an object.'
        : undefined,
  },
  {
    option: 'maxThinkingTokens',
    problem: ({ maxThinkingTokens, thinking }) =>
      maxThinkingTokens !== undefined && thinking !== undefined
        ? 'it cannot be combined with "thinking": set only one.'
        : undefined,
  },
  { option: 'extraArgs', problem: ({ extraArgs = {} }) => firstProblem(Object.keys(extraArgs)) },
];

function resumes({ resume, continue: newest }: Pick<CliOptions, 'resume' | 'continue'>): boolean {
  return resume !== undefined || newest === true;
}

function firstProblem(names: readonly string[]): string | undefined {
  return names.map(extraArgProblem).find((problem) => problem !== undefined);
}

function extraArgProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9][\w-]+$/.test(name)) {
    return `"${name}" is not the name of a flag: write it without dashes and without a value.`;
  }
  return OWN_FLAGS.has(name)
    ? `--${name} is set by the transport, or makes the CLI exit immediately.`
    : undefined;
}

const OWN_FLAGS: ReadonlySet<string> = new Set([
  'output-format',
  'input-format',
  'verbose',
  'print',
  'version',
  'help',
]);
