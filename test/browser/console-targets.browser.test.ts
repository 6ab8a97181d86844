import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  conversation,
  DESKTOP,
  newSession,
  openConsole,
  openView,
  PHONE,
  prompt,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

/** Touch targets that are too small, one per line; links inside text do not count. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const wanted = 'button, select, textarea, summary, [role=tab], [role=menuitem], nav a, .back, a.button, input';
    const isSeen = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const box = (each) => (each.matches('[type=checkbox], [type=radio]') ? each.closest('label, .option') ?? each : each).getBoundingClientRect();
    return [...document.querySelectorAll(wanted)]
      .filter((each) => isSeen(each) && !each.matches('.skip, [type=file]'))
      .filter((each) => box(each).width < 43.5 || box(each).height < 43.5)
      .map((each) => each.outerHTML.slice(0, 120) + ' ' + Math.round(box(each).width) + 'x' + Math.round(box(each).height));
  })()`);
}

describeUnless(noBrowser, 'touch targets of the console', () => {
  const browser = sharedBrowser();

  test('every touch target on a phone is 44 pixels wide and high, and axe passes in light and dark mode', async () => {
    const scenario = (): Scenario => [
      onUser([
        say('# Title\n\nText with [a link](https://a.example).\n\n```ts\nconst a = 1;\n```'),
        useTool('Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, { result: 'ok' }),
        useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }),
        askQuestion([question('Which?', ['Red', 'Green'])]),
        say('Done.'),
      ]),
    ];
    const { server, root } = await startEmulatedConsole(scenario, { demo: { suggestions: ['Go'] } });
    const { page } = await openConsole(browser, server, {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      bypassCSP: true,
    });
    const problems: string[] = [];
    const check = async (what: string) => {
      problems.push(...(await smallTargets(page)).map((each) => `${what}: ${each}`));
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        problems.push(...(await axeProblems(page)).map((each) => `${what} ${colorScheme}: ${each}`));
      }
    };
    await check('start');
    await page.getByRole('button', { name: 'Add a device' }).click();
    await page.getByRole('button', { name: 'Show the code anyway' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await check('add a device');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await check('new session');
    await page.keyboard.press('Escape');
    await newSession(page, root);
    await tell(page, 'Go');
    await prompt(page, 'May Bash run?').waitFor();
    await check('permission');
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await prompt(page, 'A question for you').waitFor();
    await check('question');
    await page.getByLabel('Red').check();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await conversation(page).getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await check('conversation');
    for (const name of ['Changes', 'Tasks', 'MCP', 'Agents', 'Chrome', 'Usage']) {
      await openView(page, name);
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      await check(name);
    }
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await check('menu');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.getByLabel('Search sessions').fill('Go');
    await check('list');
    expect(problems).toEqual([]);
  });

  test('all tabs are visible on a desktop, and none overlaps the next on a phone', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server, { viewport: DESKTOP });
    await newSession(page, root);
    const isCut = (selector: string) =>
      page.evaluate<boolean>(
        `[...document.querySelectorAll('${selector}')].some((each) => each.scrollWidth > each.clientWidth)`,
      );
    await page.getByLabel('Model').waitFor();
    expect(await isCut('[role=tablist]')).toBe(false);
    await page.setViewportSize(PHONE);
    await page.getByRole('link', { name: 'All sessions' }).waitFor();
    expect(await isCut('[role=tab]')).toBe(false);
  });

  test('no notice covers the composer', async () => {
    const { server, root } = await startEmulatedConsole(() => [onUser([say('Long. '.repeat(2_000))])]);
    const { page } = await openConsole(browser, server, { viewport: PHONE, hasTouch: true, isMobile: true });
    await newSession(page, root);
    await tell(page, 'Go');
    await conversation(page).getByText('Long.').first().waitFor();
    // Something that fails, and shows a short message.
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
    await page.locator('.toast').waitFor();
    const covered = await page.evaluate<boolean>(`(() => {
      const { left, right, top, bottom } = document.querySelector('form.composer').getBoundingClientRect();
      const points = [left + 8, (left + right) / 2, right - 8].flatMap((x) => [[x, top + 8], [x, bottom - 8]]);
      return points.some(([x, y]) => document.elementFromPoint(x, y)?.closest('form.composer') == null);
    })()`);
    expect(covered).toBe(false);
  });
});
