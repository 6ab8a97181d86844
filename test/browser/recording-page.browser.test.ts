import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectTrace } from '../../src/wire/trace/inspect/inspect-trace.js';
import { tracePage } from '../../src/wire/trace/page/export-page.js';
import { sampleRecording } from '../fixtures/recordings/sample.mjs';
import { axeProblems } from '../support/axe.js';
import { copiedBy, noBrowser, sharedBrowser } from '../support/browser.js';
import { describeUnless } from '../support/describe-unless.js';
import { HeldClock } from '../support/held-clock.js';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describeUnless(noBrowser, 'the recording page', () => {
  const browser = sharedBrowser();
  let folder = '';
  let exported = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coxswain-page-'));
    exported = await exportPage('sample', sampleRecording());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function exportPage(name: string, text: string): Promise<string> {
    const path = join(folder, `${name}.html`);
    let page = '';
    for await (const piece of tracePage({ text }, { name })) page += piece;
    writeFileSync(path, page);
    return pathToFileURL(path).href;
  }

  async function open(url = exported, options: BrowserContextOptions = { viewport: DESKTOP }): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(url);
    await page.getByRole('listbox').waitFor();
    return page;
  }

  const rows = (page: Page) => page.getByRole('option');
  const shown = (page: Page) => page.locator('.wire-shown');

  test('opens from a file, without errors and without requests', async () => {
    const context = await browser.newContext({ viewport: DESKTOP });
    const page = await context.newPage();
    const [asked, said]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(exported);
    await expect.poll(() => rows(page).count()).toBeGreaterThan(10);
    expect(await page.title()).toBe('sample · Coxswain');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('sample');
    await expect.poll(() => page.locator('.wire-chipline').textContent()).toContain('8 turns');
    expect(said).toEqual([]);
    expect(asked).toEqual([exported]);
    // Even a script in it could not make a request.
    const reached = await page.evaluate(() =>
      fetch('http://127.0.0.1:9/').then(
        () => 'reached',
        () => 'refused',
      ),
    );
    expect(reached).toBe('refused');
    expect(said.join('\n')).toContain('Content Security Policy');
  });

  test('filters by words and keys, by keyboard and by mouse', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('type:result');
    await expect.poll(() => shown(page).textContent()).toBe('8 of 179');
    await page.keyboard.press('Escape');
    await page.keyboard.type('is:nonsense');
    await expect
      .poll(() => page.locator('.wire-problem').textContent())
      .toBe('is:nonsense is not a valid filter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'mistakes', exact: true }).click();
    await expect.poll(() => shown(page).textContent()).toBe('2 of 179');
    await page.getByRole('button', { name: 'mistakes', exact: true }).click();
    await page.getByRole('button', { name: 'fold pieces' }).click();
    await expect.poll(() => shown(page).textContent()).toBe('179 of 179');
  });

  test('can be navigated by keyboard: list, details, partner, mistakes, panels', async () => {
    const page = await open();
    const selected = () => page.locator('[aria-selected=true][role=option]').textContent();
    await page.keyboard.press('j');
    await page.keyboard.press('Home');
    for (const _ of [1, 2]) await page.keyboard.press('ArrowDown');
    await expect.poll(selected).toContain('request initialize');
    const list = page.getByRole('listbox');
    await expect.poll(() => list.getAttribute('aria-activedescendant')).toBe('wire-row-3');
    await page.keyboard.press('Enter');
    const details = page.getByRole('article');
    await expect
      .poll(() => details.textContent())
      .toContain('The host sent this request; answered after 412 ms.');
    const panel = page.getByRole('tabpanel');
    await expect.poll(() => panel.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('p');
    await expect
      .poll(() => details.getByRole('heading', { level: 2 }).textContent())
      .toBe('answer to initialize');
    await page.keyboard.press('n');
    await expect.poll(() => details.textContent()).toContain('sent without its envelope');
    await page.keyboard.press('Escape');
    await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('3');
    await expect.poll(() => page.getByRole('tabpanel').getAttribute('aria-label')).toBe('Cost');
    await page.getByRole('tab', { name: 'Cost' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('tabpanel').getAttribute('aria-label')).toBe('Mistakes');
    await expect.poll(() => page.getByRole('tabpanel').getByRole('listitem').count()).toBe(3);
  });

  test('shows a request with its answer and everything in between, joins the pieces of a text, and copies', async () => {
    const page = await open(exported, {
      viewport: DESKTOP,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.keyboard.press('/');
    await page.keyboard.type('subtype:can_use_tool "npm test"');
    await rows(page).first().click();
    const details = page.getByRole('article');
    await expect
      .poll(() => details.textContent())
      .toContain('The CLI sent this request; answered after 8.4 s.');
    await details.getByRole('button', { name: 'Go to answer' }).click();
    await expect.poll(() => details.textContent()).toContain('Its question 8.4 s before');
    const copied = await copiedBy(page);
    await details.getByRole('button', { name: 'Copy JSON' }).click();
    await details.getByText('Copied').waitFor();
    expect(JSON.parse((await copied()) ?? '')).toMatchObject({
      type: 'control_response',
      response: { response: { behavior: 'allow' } },
    });
    await details.getByRole('button', { name: 'Only this request' }).click();
    await expect.poll(() => shown(page).textContent()).toBe('2 of 179');
    await page.getByRole('searchbox').fill('type:stream_event');
    await rows(page).first().click();
    await expect
      .poll(() => details.locator('.wire-joined').textContent())
      .toMatch(/^It is a small web shop: .* sends mail\.$/);
  });

  test('shows cost and tokens as a chart and a table, and durations, longest first', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'Cost' }).click();
    const panel = page.getByRole('tabpanel');
    await expect.poll(() => panel.getByRole('img').getAttribute('aria-label')).toContain('up to $0.1390');
    await expect.poll(() => panel.locator('rect').count()).toBe(32);
    await expect.poll(() => panel.getByRole('row').count()).toBe(9);
    await panel.getByRole('button', { name: '4', exact: true }).click();
    await expect
      .poll(() => page.getByRole('article').getByRole('heading', { level: 2 }).textContent())
      .toBe('result/success');
    await page.getByRole('tab', { name: 'Spans' }).click();
    await panel.getByLabel('Show').selectOption('prompt');
    await panel.getByLabel('longest first').check();
    await expect
      .poll(() => panel.getByRole('listitem').first().textContent())
      .toMatch(/prompt.*Bash.*allow 8\.4 s/);
  });

  test('shows a part of the time when you drag on the timeline', async () => {
    const page = await open();
    const box = await page.locator('.wire-tracks').boundingBox();
    if (box === null) throw new Error('There is no timeline.');
    const y = box.y + box.height - 30;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toMatch(/^since:\d+ms until:\d+ms$/);
    await expect.poll(() => page.locator('[data-kind=turn].wire-span').count()).toBe(2);
    await page.getByRole('button', { name: 'Show the whole time range' }).click();
    await expect.poll(() => page.locator('[data-kind=turn].wire-span').count()).toBe(8);
    await page.locator('.wire-span', { hasText: 'Clean up' }).click();
    await expect.poll(() => page.getByRole('article').textContent()).toContain('Clean up the build folder');
  });

  test('fits a phone: one part at a time, no overflow', async () => {
    const page = await open(exported, { viewport: PHONE, hasTouch: true, isMobile: true });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(await wide()).toBe(false);
    await expect.poll(() => page.getByRole('tabpanel').isVisible()).toBe(false);
    await rows(page).nth(2).tap();
    await expect.poll(() => page.getByRole('article').isVisible()).toBe(true);
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(false);
    expect(await wide()).toBe(false);
    for (const name of ['Spans', 'Cost', 'Mistakes', 'About']) {
      await page.getByRole('tab', { name }).tap();
      expect([name, await wide()]).toEqual([name, false]);
    }
    await page.getByRole('tab', { name: 'Frames' }).tap();
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(true);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await wide()).toBe(false);
  });

  test.each(['light', 'dark'] as const)('passes axe, %s', async (colorScheme) => {
    for (const [viewport, keys] of [
      [DESKTOP, ['n', '2', '3', '4', '5']],
      [PHONE, ['n']],
    ] as const) {
      const page = await open(exported, { viewport, colorScheme, bypassCSP: true });
      expect(await axeProblems(page)).toEqual([]);
      for (const key of keys) {
        await page.keyboard.press(key);
        expect([key, await axeProblems(page)]).toEqual([key, []]);
      }
    }
  });

  test('renders a long recording with few rows, and scrolls to its end', async () => {
    const [header = ''] = sampleRecording().split('\n');
    const lines = Array.from(
      { length: 30_000 },
      (_, n) => `{"v":1,"kind":"line","t":${n},"from":"cli","frame":{"type":"assistant","n":${n}}}`,
    );
    const page = await open(await exportPage('long', [header, ...lines].join('\n')));
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await page.locator('#wire-row-30001').waitFor();
    await expect.poll(() => rows(page).count()).toBeLessThan(120);
    await page.getByRole('searchbox').fill('29998');
    await expect.poll(() => shown(page).textContent()).toBe('1 of 30,001');
  });

  test('shows a large recording part by part, without reporting answers as unmatched', async () => {
    const file = join(folder, 'large.trace');
    writeFileSync(file, sampleRecording());
    const served = await inspectTrace(file, { windowBytes: 20_000 });
    const page = await open(served.url);
    await expect.poll(() => page.getByLabel('part').textContent()).toContain('2 of 3, from line');
    await expect.poll(() => page.locator('#wire-row-1').count()).toBe(1);
    await page.getByRole('button', { name: 'later →' }).click();
    await expect.poll(() => page.locator('#wire-row-1').count()).toBe(0);
    await expect.poll(() => page.locator('.wire-row').count()).toBeGreaterThan(5);
    await expect.poll(() => page.getByRole('tab', { name: 'Mistakes' }).textContent()).toBe('Mistakes');
    await page.getByLabel('part').selectOption('2');
    await expect.poll(() => page.getByRole('tab', { name: 'Mistakes' }).textContent()).toBe('Mistakes3');
    await served.close();
  });

  test('shows a recording while it is written, and says when it has ended', async () => {
    const file = join(folder, 'live.trace');
    const lines = sampleRecording().trimEnd().split('\n');
    writeFileSync(file, `${lines.slice(0, 4).join('\n')}\n`);
    // A busy machine may need more than the second that a page has for the rest.
    const served = await inspectTrace(file, { follow: true, clock: new HeldClock(1_000) });
    const page = await open(served.url);
    const state = page.getByRole('status').first();
    await expect.poll(() => state.textContent()).toBe('live');
    await expect.poll(() => rows(page).count()).toBe(4);
    appendFileSync(file, `${lines.slice(4, 6).join('\n')}\n`);
    await expect.poll(() => rows(page).last().textContent()).toContain('system/init');
    appendFileSync(file, `${lines.slice(6).join('\n')}\n`);
    await served.close();
    await expect.poll(() => state.textContent()).toBe('the session has ended');
    await expect.poll(() => shown(page).textContent()).toBe('98 of 179');
  });
});
