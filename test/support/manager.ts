import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { LocalManager } from '../../src/server/manager/local-manager.js';
import type { ManagerDeps } from '../../src/server/manager/manager-deps.js';
import type { ManagerOptions } from '../../src/server/manager/manager-options.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import type { Transport } from '../../src/wire/transport/transport.js';

/** A folder that is removed after the test. */
export function storeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-manager-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Options of a manager whose prompts stay open until somebody answers. */
export const manual = { defaults: { prompts: 'manual' } } as const;

/** Echoes every message. */
export const echo: Scenario = [onUser(undefined, (text) => [say(`echo: ${text}`), done()], { times: 'any' })];

/** The scenario of each CLI start; the last one is for all further starts. */
export interface EmulatedClis {
  readonly scenarios: readonly Scenario[];
}

/** Starts of emulated CLIs, and how each was asked for. */
export interface EmulatedLaunches {
  readonly transport: (launch: AskedLaunch) => Transport;
  readonly launches: readonly AskedLaunch[];
}

/** Emulates a CLI in memory for each start. */
export function emulatedLaunches({ scenarios }: EmulatedClis): EmulatedLaunches {
  const launches: AskedLaunch[] = [];
  const transport = (launch: AskedLaunch) => {
    const scenario = scenarios[Math.min(launches.length, scenarios.length - 1)] ?? [];
    launches.push(launch);
    return emulateCli(scenario, { launch }).transport;
  };
  return { transport, launches };
}

/** A manager whose CLIs are emulated in memory. */
export async function emulatedManager(
  clis: EmulatedClis,
  options: Partial<ManagerOptions> = {},
  deps: Partial<ManagerDeps> = {},
): Promise<{ manager: LocalManager; store: string; clis: () => number; launches: readonly AskedLaunch[] }> {
  const store = options.store ?? storeFolder();
  const { transport, launches } = emulatedLaunches(clis);
  const manager = await openManager(
    { limitSpreadMs: 0, ...options, store, defaults: { ...options.defaults, transport } },
    deps,
  );
  onTestFinished(() => manager.close());
  return { manager, store, clis: () => launches.length, launches };
}
