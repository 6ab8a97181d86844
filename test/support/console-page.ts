import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Console } from '../../src/server/console/start-console.js';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** A page of the console with its browser errors. */
export interface ConsolePage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

interface OpenOptions extends BrowserContextOptions {
  /** The address to open. Default: the owner's. */
  readonly url?: string | undefined;
}

/** Opens the console in a separate browser context, logged in by its address. */
export async function openConsole(
  browser: Pick<Browser, 'newContext'>,
  server: Pick<Console, 'url'>,
  { url = server.url, ...options }: OpenOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  return { page, complaints };
}

/** Opens a session by hand, perhaps in its own worktree, and waits until it accepts input. */
export async function newSession(
  page: Page,
  folder: string,
  workspace: 'shared' | 'worktree' = 'shared',
): Promise<void> {
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  await page.getByLabel('Folder').fill(folder);
  if (workspace !== 'shared') await page.getByLabel('Worktree').selectOption(workspace);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await composer(page).waitFor();
}

/** The composer of the shown session. */
export function composer(page: Page) {
  return page.getByLabel('Message', { exact: true });
}

/** Sends a message. */
export async function tell(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** The shown conversation. */
export function conversation(page: Page) {
  return page.getByRole('region', { name: 'Conversation', exact: true });
}

/** Waits until a prompt accepts keys. */
export async function ready(page: Page, card: Locator): Promise<void> {
  await card.and(page.locator('[data-ready="true"]')).waitFor();
}

/** What a session waits for. */
export function prompt(page: Page, title: string | RegExp) {
  return page.getByRole('region', { name: title });
}
