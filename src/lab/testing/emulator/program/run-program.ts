import { writeFileSync } from 'node:fs';
import { encodeObject } from '../../../../wire/protocol/encode.js';
import { type Clock, systemClock } from '../../../../wire/util/clock.js';
import { CoxswainError } from '../../../../wire/util/errors.js';
import { Emulator } from '../emulator.js';
import type { CliPipes, ExitStatus } from '../pipes/pipes.js';
import type { Personality } from '../requests/request-handler.js';
import { defaultScenario } from '../scenario/default-scenario.js';
import { type ScenarioFailure, table } from '../scenario/failures.js';
import { Script } from '../turns/script.js';
import { personalities } from '../versions/personalities.js';
import { type EmulatedVersion, emulatedVersions } from '../versions/traits.js';
import { type CliArguments, isRefusal, readArguments } from './arguments.js';
import { formattedPipes } from './print-mode.js';
import { loadScenario } from './scenario-file.js';
import { launchSession } from './session-start.js';
import { Transcript } from './transcript.js';

/** What the emulated program runs in. */
export interface ProgramWorld {
  /** The CLI's command line, without the program itself. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  readonly isRoot: boolean;
  /** The version to play, if the environment does not say. */
  readonly version?: EmulatedVersion;
  /** Makes the pipes; the function is called once, with the end. */
  readonly makePipes: (onExit: (status: ExitStatus) => void) => CliPipes;
  readonly clock?: Clock;
}

/**
 * Plays a Claude CLI as a program and resolves with its end. `COXSWAIN_SCENARIO` names the scenario,
 * `COXSWAIN_PERSONALITY` the version, `COXSWAIN_REPORT` a file for what went otherwise than the scenario says.
 * @throws CoxswainError `OPTION_INVALID` when one of these variables is wrong.
 */
export async function runProgram(world: ProgramWorld): Promise<ExitStatus> {
  const personality = chosenPersonality(world);
  const { env, cwd } = world;
  const path = env.COXSWAIN_SCENARIO;
  const script = new Script(path ? await loadScenario(path, cwd) : defaultScenario);
  const status = await new Promise<ExitStatus>((resolve) => {
    const args = readArguments(world.args);
    for (const flag of args.unknown) {
      script.fail({ step: 'the command line', expected: 'flags that the CLI knows', got: flag });
    }
    play(world, { personality, script, args }, world.makePipes(resolve));
  });
  // Cues that were left over tell nothing about the conversation that everybody gets.
  report([...script.failures, ...(path ? script.leftovers : [])], world);
  return status;
}

interface Parts {
  readonly personality: Personality;
  readonly script: Script;
  readonly args: CliArguments;
}

function play(world: ProgramWorld, { personality, script, args }: Parts, bare: CliPipes): void {
  const { traits } = personality;
  if (args.flags.has('--version') || args.flags.has('-v')) {
    bare.stdout.write(`${traits.version} (Claude Code)\n`);
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
  const transcript = args.flags.has('--no-session-persistence')
    ? undefined
    : new Transcript({ env, cwd: launched.cwd, sessionId: launched.sessionId, version: traits.version });
  const emulator = new Emulator({
    pipes: formattedPipes(bare, args),
    personality,
    script,
    state: launched,
    clock: world.clock ?? systemClock,
    strict: true,
    record: (message) => transcript?.add(message),
  });
  void emulator.start();
}

function chosenPersonality({ env, version }: ProgramWorld): Personality {
  const name = env.COXSWAIN_PERSONALITY || (version ?? '2.1.325');
  const found = emulatedVersions.find((known) => known === name);
  if (found !== undefined) return personalities[found];
  const known = emulatedVersions.join(', ');
  throw new CoxswainError(
    'OPTION_INVALID',
    `COXSWAIN_PERSONALITY: ${name} cannot be emulated; it is one of ${known}.`,
  );
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
