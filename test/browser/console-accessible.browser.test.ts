import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  composer,
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

const RULE = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
  behavior: 'allow',
  destination: 'localSettings',
} as const;
const RICH =
  'The area is $\\pi r^2$.\n\n| what | count |\n|:--|--:|\n| tests | 12 |\n\n```ts\nconst a = 1;\n```';
const scenario = () => [
  onUser([
    say(RICH),
    useTool(
      'Bash',
      { command: 'npm test' },
      { ask: true, prompt: { permission_suggestions: [{ ...RULE, rules: [...RULE.rules] }] } },
    ),
    say('Done.'),
  ]),
];

describeUnless(noBrowser, 'the console for everybody', () => {
  const browser = sharedBrowser();

  test.each(
    [DESKTOP, PHONE].flatMap((viewport) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
    ),
  )('axe finds nothing on the start page, in the list, the card and the menus: %j', async (look) => {
    const { server, root } = await startEmulatedConsole(scenario);
    const { page } = await openConsole(browser, server, { ...look, bypassCSP: true });
    const problems: string[] = [];
    const check = async (where: string) =>
      problems.push(...(await axeProblems(page)).map((problem) => `${where}: ${problem}`));
    await check('first steps');
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await page.getByRole('dialog').getByText('More', { exact: true }).click();
    await check('new session');
    await page.keyboard.press('Escape');
    await newSession(page, root);
    await tell(page, 'Go');
    const card = prompt(page, 'May Bash run?');
    await conversation(page).locator('math').waitFor();
    await card.getByRole('button', { name: 'Always allow…' }).click();
    await check('always allow');
    await card.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Menu of Go' }).click();
    await page.getByRole('menuitem', { name: 'Tags…' }).click();
    await page.getByLabel('Tags, separated by commas').fill('paint');
    await check('tags');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Menu of Go' }).click();
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'More views' }).click();
    await check('more views');
    await page.keyboard.press('Escape');
    await openView(page, 'Usage');
    await page.goto(`${server.origin}/#/`);
    await page.getByRole('button', { name: '#paint' }).waitFor();
    await check('list');
    expect(problems).toEqual([]);
  });

  /** Presses Tab until something has the focus, as a person without a mouse does. */
  async function tabTo(page: Page, name: string | RegExp): Promise<void> {
    const isThere = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return `${element?.getAttribute('aria-label') ?? ''}\n${element?.textContent ?? ''}`;
      });
    const fits = (words: string) =>
      words.split('\n').some((each) => (typeof name === 'string' ? each.trim() === name : name.test(each)));
    for (let presses = 0; presses < 80; presses += 1) {
      if (fits(await isThere())) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(name)}.`);
  }

  test('a session is opened, answered for good, pinned and inspected without a mouse', async () => {
    const { server, root, clis } = await startEmulatedConsole(scenario);
    const { page } = await openConsole(browser, server);
    await tabTo(page, 'New session');
    await page.keyboard.press('Enter');
    const folder = page.getByRole('dialog').getByLabel('Folder');
    await expect.poll(() => folder.inputValue()).toBe(root);
    await tabTo(page, 'Open');
    await page.keyboard.press('Enter');
    await composer(page).waitFor();
    await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('Go');
    await page.keyboard.press('Enter');
    const card = prompt(page, 'May Bash run?');
    await card.waitFor();
    await page.keyboard.press('Escape');
    await card.and(page.locator('[data-ready="true"]')).waitFor();
    await page.keyboard.press('l');
    await tabTo(page, /^npm test:\* · this session/);
    await page.keyboard.press('Enter');
    await conversation(page).getByText('Done.').waitFor();
    expect(JSON.stringify(clis[0]?.received)).toContain('npm test:*');
    await tabTo(page, 'Menu of Go');
    await page.keyboard.press('Enter');
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('p');
    await page.locator('[role=menuitem]:focus', { hasText: 'Pin' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Pinned' }).getByText('Go').waitFor();
    await tabTo(page, 'More views');
    await page.keyboard.press('ArrowUp');
    await page.locator('[role=menuitem]:focus', { hasText: 'Inspector' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Inspector', selected: true }).waitFor();
  });

  test('a screen reader finds names and places: list, views, request, and what may be done', async () => {
    const { server, root } = await startEmulatedConsole(scenario);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Go');
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Always allow…' }).waitFor();
    const tree = await page.locator('body').ariaSnapshot();
    const lines = tree.split('\n').map((line) => line.trim());
    const order = [
      '- navigation "Sessions":',
      '- region "Needs you":',
      '- main:',
      '- heading "Go" [level=1]',
      '- tablist "Views of the session":',
      '- tab "Conversation" [selected]',
      '- button "More views"',
      '- region "Conversation":',
      '- region "May Bash run?":',
      '- region "Request":',
      '- button "Allow once"',
      '- button "Deny"',
      '- button "Always allow…"',
      '- textbox "Message":',
    ];
    const places = order.map((wanted) =>
      lines.findIndex((line) => line.startsWith(wanted.replace(/:$/, ''))),
    );
    expect(places.filter((place) => place === -1)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});
