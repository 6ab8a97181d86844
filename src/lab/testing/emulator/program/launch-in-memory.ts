import type { CliPipes } from '../pipes/pipes.js';
import type { SessionStart } from '../session-state.js';
import type { Traits } from '../versions/traits.js';
import { type CliArguments, lastValue, type Refusal, readArguments } from './arguments.js';
import { notFound } from './resumed-session.js';
import { outputSchemaProblem, startOf } from './session-start.js';

/** A command line and an environment for the emulated CLI, and the conversation to resume. */
export interface EmulatedLaunch {
  /** The arguments. */
  readonly arguments: readonly string[];
  /** The environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly cwd?: string | undefined;
}

/** The result of a launch: how the session starts, or why the CLI refuses. */
export interface LaunchInMemory {
  readonly start: SessionStart;
  readonly refusal: Refusal | undefined;
}

/** Reads a launch: model, mode, partial messages, and which conversation to use. */
export function launchInMemory(
  { arguments: given, env, cwd = '/project' }: EmulatedLaunch,
  traits: Traits,
  conversations: ReadonlySet<string> | undefined,
): LaunchInMemory {
  const args = readArguments(given);
  const sessionId = lastValue(args, '--session-id') ?? lastValue(args, '--resume');
  const start = startOf({ args, env, cwd, pid: 4711, traits });
  return {
    start: { ...start, ...(sessionId === undefined ? {} : { sessionId }) },
    refusal: refusalOf(args, traits, conversations),
  };
}

function refusalOf(
  args: CliArguments,
  traits: Traits,
  conversations: ReadonlySet<string> | undefined,
): Refusal | undefined {
  const problem = outputSchemaProblem(args, traits);
  if (problem !== undefined) return { code: 1, stderr: `${problem}\n` };
  const asked = lastValue(args, '--resume');
  const isUnknown = asked !== undefined && conversations !== undefined && !conversations.has(asked);
  return isUnknown ? notFound(traits, asked) : undefined;
}

/** Ends like a CLI that refuses its command line. */
export function refuseLaunch({ code, stderr, message }: Refusal, pipes: CliPipes): void {
  pipes.stderr.write(stderr);
  if (message !== undefined) pipes.stdout.write(`${JSON.stringify(message)}\n`);
  pipes.exit({ code, signal: null });
}
