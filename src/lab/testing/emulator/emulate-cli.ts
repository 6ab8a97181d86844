import { randomUUID } from 'node:crypto';
import type { HostFrame } from '../../../wire/protocol/catalog/frame-types.js';
import type { Transport } from '../../../wire/transport/transport.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { Emulator } from './emulator.js';
import { MemoryProcess } from './pipes/memory-process.js';
import { type EmulatedLaunch, launchInMemory, refuseLaunch } from './program/launch-in-memory.js';
import { defaultScenario } from './scenario/default-scenario.js';
import { ScenarioError, type ScenarioFailure } from './scenario/failures.js';
import type { Scenario } from './scenario/scenario.js';
import { type SessionStart, startSession } from './session-state.js';
import { Script } from './turns/scenario-progress.js';
import { newestVersion, type Traits, traitsOf } from './versions/traits.js';

/** The options of {@link emulateCli}, including settings that a real CLI takes from its flags. */
export interface EmulateOptions extends SessionStart {
  /** The version to play: any that npm has, from 2.0.0 on. Default: the newest that was probed. */
  readonly version?: string;
  /** @internal Its clock. */
  readonly clock?: Clock;
  /** Whether a line that breaks the catalog, or is wrong for this version, fails the scenario. Default: yes. */
  readonly strict?: boolean;
  /** The launch that a session requests, as passed to a `transport` function; other options here take precedence. */
  readonly launch?: EmulatedLaunch;
  /**
   * The existing conversations; played ones are added. If set, a `launch` that resumes any other is
   * refused, as CLIs do. Default: every conversation exists.
   */
  readonly conversations?: Set<string>;
  /** How long `transport.close()` waits at each step before it sends a signal. */
  readonly closeWaitMs?: number;
}

/** An emulated CLI in this process. */
export interface EmulatedCli {
  /** The host's end; it knows the version, as the transport to a real CLI does. */
  readonly transport: Transport & { readonly version: string };
  /** The version that it plays. */
  readonly version: string;
  /** The id of its session. */
  readonly sessionId: string;
  /** Every object that the host sent. */
  readonly received: readonly HostFrame[];
  /** Every line that the host sent. */
  readonly lines: readonly string[];
  /** The differences from the scenario so far. */
  readonly failures: readonly ScenarioFailure[];
  /** Throws a {@link ScenarioError} with a table if something went wrong or is left over. */
  assertFinished(): void;
  /** Sends a signal to the emulated process. */
  kill(signal?: string): void;
  /** Closes the transport. */
  close(): Promise<void>;
}

/** Plays a Claude CLI in memory: pass `transport` to the code under test, then call `assertFinished()`. */
export function emulateCli(scenario: Scenario = defaultScenario, options: EmulateOptions = {}): EmulatedCli {
  const { version = newestVersion(), clock = systemClock, strict = true, closeWaitMs } = options;
  const { launch, conversations } = options;
  const traits = checkedTraits(version, scenario);
  const asked = launch === undefined ? undefined : launchInMemory(launch, traits, conversations);
  const start = { ...asked?.start, ...ownStart(options) };
  const process = new MemoryProcess({ clock, ...(closeWaitMs === undefined ? {} : { closeWaitMs }) });
  const script = new Script(scenario);
  const state = startSession({ ...start, sessionId: start.sessionId ?? randomUUID() });
  const emulator = new Emulator({
    pipes: process.pipes,
    traits,
    script,
    state,
    clock,
    strict,
    keepsLines: true,
  });
  if (asked?.refusal === undefined) {
    conversations?.add(state.sessionId);
    void emulator.start();
  } else refuseLaunch(asked.refusal, process.pipes);
  return {
    transport: Object.assign(process.transport, { version }),
    version,
    sessionId: state.sessionId,
    received: emulator.received,
    lines: emulator.lines,
    get failures() {
      return script.failures;
    },
    assertFinished: () => {
      const failures = [...script.failures, ...script.leftovers];
      if (failures.length > 0) throw new ScenarioError(failures);
    },
    kill: (signal = 'SIGTERM') => process.kill(signal),
    close: async () => {
      await process.transport.close();
    },
  };
}

function ownStart(options: EmulateOptions): SessionStart {
  const {
    version: _version,
    clock: _clock,
    strict: _strict,
    closeWaitMs: _wait,
    launch: _launch,
    conversations: _conversations,
    ...start
  } = options;
  return start;
}

function checkedTraits(version: string, scenario: Scenario): Traits {
  const traits = traitsOf(version);
  if (!traits.runsUnaskedTurns && scenario.some(({ on }) => on === 'unasked')) {
    throw new CoxswainError(
      'OPTION_INVALID',
      `scenario: CLI ${version} never starts a turn on its own; use \`unasked\` with a newer version.`,
    );
  }
  return traits;
}
