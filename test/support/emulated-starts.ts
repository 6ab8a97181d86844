import {
  type EmulatedCli,
  type EmulateOptions,
  emulateCli,
} from '../../src/lab/testing/emulator/emulate-cli.js';
import type { Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import type { Transport } from '../../src/wire/transport/transport.js';

/** The CLIs of a session that may be reopened: each start gets a new one. */
export interface EmulatedStarts {
  /** The started ones, in order. */
  readonly clis: readonly EmulatedCli[];
  /** Starts the next one. */
  readonly transport: () => Transport;
}

/** Emulates a CLI for each start; `scenarioOf` gets the number of earlier starts. */
export function emulatedStarts(
  scenarioOf: (before: number) => Scenario,
  options: EmulateOptions = {},
): EmulatedStarts {
  const clis: EmulatedCli[] = [];
  const transport = () => {
    const cli = emulateCli(scenarioOf(clis.length), options);
    clis.push(cli);
    return cli.transport;
  };
  return { clis, transport };
}
