import { onTestFinished } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import { type OpenOptions, remoteSession } from '../../src/entry/sdk/remote-session.js';
import type { Session } from '../../src/host/session/session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import type { EmulatedCli, EmulateOptions } from '../../src/lab/testing/emulator/emulate-cli.js';
import type { Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { startEmulatedConsole } from './console.js';
import { emulatedStarts } from './emulated-starts.js';

/** A session with an emulated CLI, here or on a server. */
export interface PlacedSession {
  readonly session: Session;
  /** The started CLIs, in order. */
  readonly clis: readonly EmulatedCli[];
}

/** Opens a session somewhere; it is closed after the test. */
export type OpenSomewhere = (
  scenario: Scenario | (() => Scenario),
  options?: SessionOptions,
  emulate?: EmulateOptions,
) => Promise<PlacedSession>;

/** A session with its CLI in this program. */
export const openLocal: OpenSomewhere = async (scenario, options = {}, emulate = {}) => {
  const { transport, clis } = emulatedStarts(
    typeof scenario === 'function' ? scenario : () => scenario,
    emulate,
  );
  const session = startSession({ ...options, transport });
  onTestFinished(async () => void (await session.close()));
  return { session, clis };
};

/** The same session with its CLI on a console server. */
export const openRemote: OpenSomewhere = async (scenario, options = {}, emulate = {}) => {
  const { server, clis, root } = await startEmulatedConsole(scenario, {
    emulate: { partialMessages: false, ...emulate },
  });
  const given: OpenOptions = { cwd: root, ...options, remote: server.origin, token: server.token };
  const session = remoteSession(given, {});
  onTestFinished(async () => void (await session.close()));
  return { session, clis };
};
