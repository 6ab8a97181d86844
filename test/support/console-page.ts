import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Console } from '../../src/server/console/start-console.js';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** How long a real CLI may take to start or to answer on a busy machine. */
export const REAL_CLI_MS = 60_000;

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
  const before = page.url();
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Folder').fill(folder);
  if (workspace !== 'shared') {
    await dialog.getByText('More', { exact: true }).click();
    await dialog.getByLabel('Worktree').selectOption(workspace);
  }
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' }).catch(async (cause: unknown) => {
    throw new Error(`The dialog stays open: ${await dialog.innerText()}`, { cause });
  });
  await page.waitForURL(({ href }) => href !== before);
  await shown(page);
  await composer(page).waitFor();
}

/** Waits until the page shows the session in its address: until then it shows the one before. */
export async function shown(page: Page): Promise<void> {
  const { hash } = new URL(page.url());
  await page.locator(`nav a[href="${hash}"][aria-current=page]`).first().waitFor({ state: 'attached' });
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

/** Shows a view of the session: a tab, or an entry of the menu next to the tabs. */
export async function openView(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name });
  if ((await tab.count()) > 0) return await tab.first().click();
  await page.getByRole('button', { name: 'More views' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** The shown conversation. */
export function conversation(page: Page) {
  return page.getByRole('region', { name: 'Conversation', exact: true });
}

/** Scrolls to the first row as a person does: the page follows its end unless somebody scrolls. */
export async function scrollToStart(page: Page) {
  const rows = conversation(page);
  await rows.hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -1_000_000);
      return rows.evaluate(({ scrollTop }) => scrollTop);
    })
    .toBe(0);
}

/** Waits until a prompt accepts keys. */
export async function ready(page: Page, card: Locator): Promise<void> {
  await card.and(page.locator('[data-ready="true"]')).waitFor();
}

/** What a session waits for. */
export function prompt(page: Page, title: string | RegExp) {
  return page.getByRole('region', { name: title });
}

/** Waits until an MCP server has a state; it may still be connecting, so it is asked again, as a person would. */
export async function serverIs(page: Page, row: Locator, state: string): Promise<void> {
  const look = async () => {
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    if ((await row.getByText(state, { exact: true }).count()) > 0) return state;
    await page.getByRole('button', { name: 'Refresh' }).click();
    return 'something else';
  };
  await expect.poll(look, { timeout: REAL_CLI_MS, interval: 200 }).toBe(state);
}

/**
 * Prepares {@link notifications}. Chromium forgets a notification that it is about to show when somebody asks for those that
 * are shown, so that must wait.
 */
export async function watchNotifications(page: Page): Promise<void> {
  await page.evaluate(`{
    const { prototype } = ServiceWorkerRegistration;
    const show = prototype.showNotification;
    globalThis.showing = [];
    prototype.showNotification = function (...given) {
      const shown = show.apply(this, given);
      globalThis.showing.push(shown);
      return shown;
    };
  }`);
}

/** The notifications that the page's worker shows, and what may be in their way. */
export async function notifications(page: Page): Promise<string> {
  return await page.evaluate<string>(`navigator.serviceWorker.ready.then(async (worker) => {
    await Promise.allSettled(showing);
    const all = showing.length === 0 ? [] : await worker.getNotifications();
    const shown = all.map(({ title, body }) => title + ': ' + body).join();
    const asked = ', asked for ' + showing.length;
    return shown || 'none (' + Notification.permission + ', worker ' + worker.active?.state + ', hidden ' + document.hidden + asked + ')';
  })`);
}
