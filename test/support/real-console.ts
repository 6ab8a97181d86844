import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import type { ConsoleOptions } from '../../src/server/console/console-options.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { type RealPlace, realPlace } from '../real/support/real-session.js';
import { newSession, openConsole, REAL_CLI_MS } from './console-page.js';

/** The console's page with a session on a real CLI. */
export interface RealConsole {
  readonly place: RealPlace;
  readonly page: Page;
  readonly cwd: string;
}

/** Starts a console on a real CLI; everything ends with the test. */
export async function startRealConsole(
  cli: KnownRealCli,
  own: SessionOptions = {},
  options: Omit<ConsoleOptions, 'session' | 'roots'> = {},
) {
  const place = await realPlace(cli);
  onTestFinished(() => place[Symbol.asyncDispose]());
  const { cwd, home } = place.folders;
  const server = await startConsole({
    roots: [cwd],
    stateFolder: join(home, 'state'),
    configDir: join(home, '.claude'),
    session: place.options(own),
    ...options,
  });
  onTestFinished(() => server.close());
  return { place, server, cwd };
}

/** Opens the console's page with a session on a real CLI, in a prepared folder; everything ends with the test. */
export async function openRealConsole(
  browser: Pick<Browser, 'newContext'>,
  cli: KnownRealCli,
  own: SessionOptions = {},
  prepare: (cwd: string) => Promise<void> = async () => {},
): Promise<RealConsole> {
  const { place, server, cwd } = await startRealConsole(cli, own);
  await prepare(cwd);
  const { page } = await openConsole(browser, server);
  page.setDefaultTimeout(REAL_CLI_MS);
  await newSession(page, cwd);
  return { place, page, cwd };
}
