import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

// Without these, a browser on a closed network contacts its vendor's hosts at every start.
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The system's browser, or why browser tests cannot run here. `COXSWAIN_BROWSER` names another one. */
export const systemBrowser = find();
export const noBrowser =
  systemBrowser === undefined ? `no browser found (searched for ${names.join(', ')})` : '';

/** Starts the browser, with additional flags if a test needs them. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (systemBrowser === undefined) throw new Error(noBrowser);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await chromium.launch({ executablePath: systemBrowser, args: [...QUIET, ...asRoot, ...flags] });
}

/** A browser that the tests of this file or group share; each starts with no page open. */
export function sharedBrowser(): Pick<Browser, 'newContext'> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (systemBrowser !== undefined) browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(() => browser?.close());
  return {
    newContext: (options) => {
      if (browser === undefined) throw new Error(noBrowser);
      return browser.newContext(options);
    },
  };
}

function find(): string | undefined {
  const named = process.env.COXSWAIN_BROWSER;
  if (named !== undefined && named !== '') return named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
