import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  type Browser,
  type BrowserServer,
  chromium,
  type Download,
  type Page,
  type Worker,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';

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

/** Starts a browser of the test's own, with additional flags if it needs them. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return await chromium.launch(launchOptions(flags));
}

/** Starts a browser that several test files connect to; undefined if there is none here. */
export async function launchBrowserServer(): Promise<BrowserServer | undefined> {
  return systemBrowser === undefined ? undefined : await chromium.launchServer(launchOptions());
}

function launchOptions(flags: readonly string[] = []) {
  if (systemBrowser === undefined) throw new Error(noBrowser);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: systemBrowser, args: [...QUIET, ...asRoot, ...flags] };
}

/** A browser that the tests of this file or group share, and files of one run too; each test starts with no page open. */
export function sharedBrowser(): Pick<Browser, 'newContext'> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (systemBrowser === undefined) return;
    const endpoint = inject('browserEndpoint');
    browser = endpoint === undefined ? await launchBrowser() : await chromium.connect(endpoint);
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

/**
 * Resolves to a function for the last text that a page has copied. The clipboard is one for all contexts of a browser, so
 * another test may have written to it since.
 */
export async function copiedBy(page: Page): Promise<() => Promise<string | undefined>> {
  await page.evaluate(`(() => {
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = async (text) => {
      await write(text);
      globalThis.copied = text;
    };
  })()`);
  return () => page.evaluate<string | undefined>('globalThis.copied');
}

/** A page's service worker, which its browser may report later than the page. */
export async function serviceWorkerOf(page: Page): Promise<Worker> {
  const context = page.context();
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
}

/** The text of a downloaded file; its path is not known here if the browser is shared. */
export async function downloadedText(download: Download): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-download-'));
  try {
    const file = join(folder, 'file');
    await download.saveAs(file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
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
