import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { describeUnless } from '../support/describe-unless.js';

const url = pathToFileURL(resolve('docs/reference/versions.html')).href;

describeUnless(noBrowser, 'the table of versions', () => {
  const browser = sharedBrowser();

  async function open(hash = ''): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(url + hash);
    return page;
  }
  const field = (page: Page, name: string) => page.getByRole('combobox', { name: new RegExp(`^${name}`) });
  const rows = (page: Page) => page.locator('tbody tr:visible');
  const status = (page: Page) => page.getByRole('status').textContent();

  test('opens from a file, shows every fact, and makes no requests', async () => {
    const page = await (await browser.newContext()).newPage();
    const [asked, said]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(url);
    await expect.poll(() => rows(page).count()).toBeGreaterThan(500);
    expect([asked, said]).toEqual([[url], []]);
    expect(await axeProblems(page)).toEqual([]);
  });

  test('filters by words, kind and version, and the address keeps the filter', async () => {
    const page = await open();
    await page.getByLabel('Words').fill('elicitation form');
    await field(page, 'Kind').selectOption('at a glance');
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => rows(page).first().textContent()).toContain('since 2.1.84');
    await field(page, 'CLI').selectOption('2.1.58');
    await field(page, 'Show').selectOption('has');
    await expect.poll(() => rows(page).count()).toBe(0);
    await field(page, 'Show').selectOption('lacks');
    await expect.poll(() => rows(page).count()).toBe(1);

    const again = await open(new URL(page.url()).hash);
    await expect.poll(() => field(again, 'CLI').inputValue()).toBe('2.1.58');
    expect(await status(again)).toBe(await status(page));
  });
});
