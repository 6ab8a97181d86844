import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  conversation,
  newSession,
  openConsole,
  PHONE,
  prompt,
  ready,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const before = 'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;\nconst e = 5;\n';
const after = before
  .replace('a = 1', 'a = "one"')
  .replace('c = 3;\n', 'c = 3;\nconst extra = 0;\n')
  .replace('e = 5', 'e = "five"');

describeUnless(noBrowser, 'parts of a proposed edit', () => {
  const browser = sharedBrowser();

  const begin = async (tool: string, input: object, look: object = {}) => {
    const { server, root } = await startEmulatedConsole([
      onUser([
        useTool(tool, { file_path: 'values.ts', ...input }, { ask: true, result: 'Done.' }),
        say('Changed.'),
      ]),
      onUser([say('I see.')]),
    ]);
    const cwd = join(root, 'shop');
    await mkdir(cwd);
    await writeFile(join(cwd, 'values.ts'), before);
    const { page, complaints } = await openConsole(browser, server, { bypassCSP: true, ...look });
    await newSession(page, cwd);
    await tell(page, 'Change it');
    const card = prompt(page, new RegExp(`May ${tool} run`));
    await ready(page, card);
    return { page, card, complaints };
  };

  test('some are allowed with the keyboard, and the model is told about the others', async () => {
    const { page, card, complaints } = await begin('Edit', { old_string: before, new_string: after });
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    const boxes = card.getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(3);
    await card.getByRole('button', { name: /^Allow all/ }).waitFor();
    await boxes.nth(1).press('Space');
    await card.getByLabel(/^Why/).fill('No extras.');
    // Enter allows nothing.
    await page.keyboard.press('Enter');
    const request = card.getByRole('region', { name: 'Request', exact: true });
    await request.evaluate((whole) => whole.scrollTo(0, whole.scrollHeight));
    await card
      .getByRole('button', { name: /^Allow 2 of 3/ })
      .and(page.locator(':enabled'))
      .waitFor();
    await boxes.nth(2).focus();
    await page.keyboard.press('a');
    const said = conversation(page);
    await said.getByText('Changed.').waitFor();
    await said.getByText('I accepted only a part of your change to values.ts.').waitFor();
    await said.getByText('No extras.').waitFor();
    await said.getByText('I see.').waitFor();
    await said.getByText(/Allowed by you: with another input/).waitFor();
    expect(complaints).toEqual([]);
  });

  test('none is a denial, and a change in one place has no parts', async () => {
    const { page, card } = await begin('Write', { content: after });
    await card.getByRole('button', { name: 'Choose parts' }).click();
    for (const box of await card.getByRole('checkbox').all()) await box.uncheck();
    await card.getByRole('button', { name: /^Deny/ }).click();
    await conversation(page).locator('.tool', { hasText: 'denied' }).waitFor();
    const other = await begin('Edit', { old_string: 'a', new_string: 'b' });
    await expect.poll(() => other.card.getByRole('button', { name: 'Choose parts' }).count()).toBe(0);
  });

  test.each([
    ['desktop light', { colorScheme: 'light' }],
    ['desktop dark', { colorScheme: 'dark' }],
    ['phone dark', { colorScheme: 'dark', viewport: PHONE, hasTouch: true }],
  ] as const)('are accessible (%s)', async (_name, look) => {
    const { page, card } = await begin('Write', { content: after }, look);
    await card.getByRole('button', { name: 'Choose parts' }).click();
    await card.getByRole('checkbox', { name: /Part 2 of 3/ }).uncheck();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
