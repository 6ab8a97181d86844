import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  newSession,
  openConsole,
  openView,
  PHONE,
  prompt,
  scrollToStart,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

/** Whether two elements share a part of the screen. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) throw new Error('an element is not on the screen');
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

describeUnless(noBrowser, 'room in the console', () => {
  const browser = sharedBrowser();

  async function begin(scenario: Scenario, options = {}): Promise<{ page: Page; root: string }> {
    const { server, root } = await startEmulatedConsole(scenario);
    const { page } = await openConsole(browser, server, options);
    await newSession(page, root);
    return { page, root };
  }

  test('suggestions do not cover the buttons of a prompt', async () => {
    const { page } = await begin([onUser([useTool('Bash', { command: 'ls' }, { ask: true })])]);
    await tell(page, 'Go');
    const allow = prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true });
    await allow.waitFor();
    await composer(page).pressSequentially('/');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.waitFor();
    expect(await overlap(list, allow)).toBe(false);
    expect(await overlap(list, composer(page))).toBe(false);
  });

  test('the way back to the end covers no text, and is left out where there is no room', async () => {
    const { page } = await begin([onUser([say('line\n\n'.repeat(100))])]);
    await tell(page, 'Go');
    const said = conversation(page);
    await said.getByText('line').last().waitFor();
    await scrollToStart(page);
    const toEnd = page.getByRole('button', { name: 'To the end' });
    await toEnd.waitFor();
    expect(await overlap(toEnd, said)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 320 });
    await toEnd.waitFor({ state: 'hidden' });
  });

  test('the header of a phone is small; usage and settings are one press away', async () => {
    const { page } = await begin([], { viewport: PHONE, hasTouch: true, isMobile: true });
    const top = page.locator('.session-top');
    expect((await top.boundingBox())?.height).toBeLessThan(130);
    await expect.poll(() => page.getByLabel('Permissions').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Usage and settings' }).click();
    await page.getByLabel('Permissions').selectOption('plan');
    await page.getByRole('button', { name: /tokens/ }).click();
    await page.getByRole('region', { name: 'Usage' }).waitFor();
  });

  test('a phone shows a long name on several lines, and all of it with the settings', async () => {
    const { page } = await begin([onUser([say('Yes.')])], {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    const name = page.getByRole('heading', { level: 1 });
    const isWhole = () =>
      name.evaluate(
        ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
          scrollHeight <= clientHeight && scrollWidth <= clientWidth,
      );
    const rename = async (title: string) => {
      await page
        .locator('header')
        .getByRole('button', { name: /^Menu of/ })
        .click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(title);
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await name.and(page.getByText(title)).waitFor();
    };
    await rename('slugify drops accents. Please fix it, and its tests');
    expect(await isWhole()).toBe(true);
    await rename('Please look at the order service and find out '.repeat(3));
    expect(await isWhole()).toBe(false);
    expect((await page.locator('.session-top').boundingBox())?.height).toBeLessThan(130);
    await page.getByRole('button', { name: 'Usage and settings' }).click();
    expect(await isWhole()).toBe(true);
  });

  test('calls are named in plain words, with paths in the folder and the start of their result', async () => {
    const { server, root } = await startEmulatedConsole(() => [
      onUser([
        useTool('Read', { file_path: `${root}/src/a.ts` }, { result: 'one\ntwo\nthree\nfour' }),
        useTool(
          'Write',
          { file_path: `/elsewhere/${'deep/'.repeat(20)}end.ts`, content: 'x' },
          { result: 'ok' },
        ),
        useTool(
          'Grep',
          { pattern: 'x' },
          { result: '<tool_use_error>No such folder</tool_use_error>', isError: true },
        ),
        say('Done.'),
      ]),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Go');
    const said = conversation(page);
    await said.getByText('Done.').waitFor();
    await expect
      .poll(() => said.locator('.tool-label').allTextContents())
      .toEqual(['Read: src/a.ts', expect.stringMatching(/^Write: ….{40,60}deep\/end\.ts$/), 'Grep: x']);
    const [read, , failed] = await said.locator('.tool').all();
    await expect
      .poll(() => read?.locator('.tool-preview').textContent())
      .toBe('one\ntwo\nthree… 1 more line');
    await failed?.getByText('No such folder', { exact: true }).waitFor();
  });

  test('the views of every day are tabs, and the others are in one menu', async () => {
    const { page } = await begin([]);
    const tabs = () => page.getByRole('tab').allTextContents();
    expect(await tabs()).toEqual(['Conversation', 'Changes', 'Files', 'Tasks']);
    await page.getByRole('button', { name: 'More views' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual(['MCP', 'Agents', 'Chrome', 'Usage', 'Inspector']);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(tabs).toEqual(['Conversation', 'Changes', 'Files', 'Tasks', 'Inspector']);
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Inspector');
    await page.getByRole('tab', { selected: true }).press('ArrowLeft');
    await expect.poll(tabs).toEqual(['Conversation', 'Changes', 'Files', 'Tasks']);
  });

  test('on a phone the state has a word, and tabs that do not fit show that they scroll', async () => {
    const { page } = await begin([], { viewport: { width: 320, height: 640 } });
    const state = page.locator('.session-head .state');
    await state.getByText('idle', { exact: true }).waitFor();
    expect((await state.locator('.word').boundingBox())?.width).toBeGreaterThan(15);
    await openView(page, 'Inspector');
    const list = page.getByRole('tablist', { name: 'Views of the session' });
    expect(await list.evaluate((row) => row.scrollWidth > row.clientWidth)).toBe(true);
    expect(await list.evaluate((row) => getComputedStyle(row).backgroundImage)).toContain('gradient');
    // The menu with the others stays in sight.
    const more = await page.getByRole('button', { name: 'More views' }).boundingBox();
    expect((more?.x ?? 0) + (more?.width ?? 0)).toBeLessThanOrEqual(320);
  });
});
