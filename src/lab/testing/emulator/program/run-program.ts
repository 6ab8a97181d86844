import { writeFileSync } from 'node:fs';
import { encodeObject } from '../../../../wire/protocol/encode.js';
import { type Clock, systemClock } from '../../../../wire/util/clock.js';
import { Emulator } from '../emulator.js';
import type { CliPipes, ExitStatus } from '../pipes/pipes.js';
import { defaultScenario } from '../scenario/default-scenario.js';
import { type ScenarioFailure, table } from '../scenario/failures.js';
import { Script } from '../turns/scenario-progress.js';
import { newestVersion, type Traits, traitsOf } from '../versions/traits.js';
import { type CliArguments, isRefusal, readArguments } from './arguments.js';
import { knownFlags } from './flags.js';
import { formattedPipes } from './print-mode.js';
import { loadScenario } from './scenario-file.js';
import { launchSession } from './session-start.js';
import { Transcript } from './transcript.js';

/** The environment of the emulated program. */
export interface ProgramWorld {
  /** The CLI's command line, without the program itself. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  readonly isRoot: boolean;
  /** The version to play, if the environment does not say. */
  readonly version?: string;
  /** Creates the pipes; the function is called once, at the end. */
  readonly makePipes: (onExit: (status: ExitStatus) => void) => CliPipes;
  readonly clock?: Clock;
}

/**
 * Plays a Claude CLI as a program and resolves with its end. `COXSWAIN_SCENARIO` names the scenario,
 * `COXSWAIN_PERSONALITY` the version, `COXSWAIN_REPORT` a file for what differed from the scenario.
 * @throws CoxswainError `OPTION_INVALID` when one of these variables is wrong.
 */
export async function runProgram(world: ProgramWorld): Promise<ExitStatus> {
  const traits = traitsOf(world.env.COXSWAIN_PERSONALITY || (world.version ?? newestVersion()));
  const { env, cwd } = world;
  const path = env.COXSWAIN_SCENARIO;
  const script = new Script(path === undefined ? defaultScenario : await loadScenario(path, cwd));
  const status = await new Promise<ExitStatus>((resolve) => {
    const args = readArguments(world.args);
    for (const flag of args.unknown) {
      script.fail({ step: 'the command line', expected: 'flags that the CLI knows', got: flag });
    }
    play(world, { traits, script, args }, world.makePipes(resolve));
  });
  // Unused cues say nothing about the default conversation.
  report([...script.failures, ...(path === undefined ? [] : script.leftovers)], world);
  return status;
}

interface Parts {
  readonly traits: Traits;
  readonly script: Script;
  readonly args: CliArguments;
}

function play(world: ProgramWorld, { traits, script, args }: Parts, bare: CliPipes): void {
  const about = aboutItself(traits, args);
  if (about !== undefined) {
    bare.stdout.write(about);
    bare.exit({ code: 0, signal: null });
    return;
  }
  const { env, cwd, pid, isRoot } = world;
  const launched = launchSession({ args, traits, env, cwd, pid, isRoot });
  if (isRefusal(launched)) {
    if (launched.message !== undefined) bare.stdout.write(`${encodeObject(launched.message)}\n`);
    bare.stderr.write(launched.stderr);
    bare.exit({ code: launched.code, signal: null });
    return;
  }
  const { clock = systemClock } = world;
  const transcript = args.flags.has('--no-session-persistence')
    ? undefined
    : new Transcript({ env, cwd: launched.cwd, sessionId: launched.sessionId, traits, clock });
  const emulator = new Emulator({
    pipes: formattedPipes(bare, args),
    traits,
    script,
    state: launched,
    clock,
    strict: true,
    transcript,
  });
  void emulator.start();
}

function report(failures: readonly ScenarioFailure[], { env }: ProgramWorld): void {
  if (failures.length > 0)
    process.stderr.write(`coxswain emulate: the scenario failed\n${table(failures)}\n`);
  if (env.COXSWAIN_REPORT) {
    writeFileSync(
      env.COXSWAIN_REPORT,
      `${JSON.stringify({ finished: failures.length === 0, failures }, null, 2)}\n`,
    );
  }
}

/** What it prints before it exits: its version, or the flags in its help. */
function aboutItself(traits: Traits, { flags }: CliArguments): string | undefined {
  if (flags.has('--version') || flags.has('-v')) return `${traits.version} (Claude Code)\n`;
  if (!flags.has('--help') && !flags.has('-h')) return undefined;
  const listed = [...knownFlags.keys()].filter((flag) => traits.takesFlag(flag) === 'listed').toSorted();
  const lines = listed.map((flag) => `  ${flag}${VALUE_OF[knownFlags.get(flag) ?? 'switch']}\n`);
  return `Usage: claude [options] [command] [prompt]\n\nOptions:\n${lines.join('')}`;
}

const VALUE_OF = { switch: '', value: ' <value>', optional: ' [value]', list: ' <values...>' } as const;
