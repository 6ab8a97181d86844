import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { conversation, openView, PHONE, prompt, ready, shown, tell } from '../support/console-page.js';
import { openRealConsole } from '../support/real-console.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const ANSWER = [
  'The area is $\\pi r^2$, and it costs $5 or $6.',
  '$$\\int_0^1 \\frac{x}{2}\\,dx$$',
  `![in the text](data:image/png;base64,${PIXEL}) ![a file](pictures/dot.png) ![elsewhere](https://a.example/b.png)`,
  'That is all.',
].join('\n\n');

async function prepare(cwd: string): Promise<void> {
  await mkdir(join(cwd, 'pictures'));
  await writeFile(join(cwd, 'pictures', 'dot.png'), Buffer.from(PIXEL, 'base64'));
  await writeFile(join(cwd, 'shed.txt'), 'red\n');
}

describeRealClis(
  'the page of every day on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    test('a rule that is always allowed is told exactly, taken once, and asked for no more', async ({
      skip,
    }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place } = await openRealConsole(browser, cli, {}, prepare);
      const run = async (asked: string) => {
        place.model.play([
          { when: asked, reply: toolUse('Bash', { command: 'touch made.txt', description: 'Make a file' }) },
          { when: { toolResult: /./ }, reply: text(`${asked}: done.`) },
        ]);
        await tell(page, asked);
      };
      await run('first');
      const card = prompt(page, /May Bash run/);
      await ready(page, card);
      await card.getByRole('button', { name: 'Always allow…' }).click();
      const always = card.getByRole('region', { name: 'Always allow' });
      await always
        .getByRole('button', { name: / · this session/ })
        .first()
        .waitFor();
      const told = (await always.innerText()).split('\n');
      expect(told.join()).toMatch(/Bash\(touch[^)]*\)|Let the CLI work in|Accepts edits/);
      // Whatever this CLI suggests for the command itself, in the mode that asks for nothing but that.
      await always
        .getByRole('button', { name: /^(?:touch|Accepts edits).* · this session/ })
        .first()
        .click();
      await conversation(page).getByText('first: done.').waitFor();
      await run('second');
      await conversation(page).getByText('second: done.').waitFor();
    });

    test('an edit is shown once; formulas and images of the session are rendered, others are links', async ({
      skip,
    }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await openRealConsole(browser, cli, { allowedTools: ['Read'] }, prepare);
      const path = join(cwd, 'shed.txt');
      place.model.play([
        { when: 'paint it', reply: toolUse('Read', { file_path: path }) },
        {
          when: { toolResult: /red/ },
          reply: toolUse('Edit', { file_path: path, old_string: 'red', new_string: 'green' }),
        },
        { when: { toolResult: /./ }, reply: text(ANSWER) },
      ]);
      await tell(page, 'paint it');
      const card = prompt(page, /May Edit run/);
      await card.getByText('green', { exact: true }).waitFor();
      await expect.poll(() => page.locator('.diff').count()).toBe(1);
      await ready(page, card);
      await card.getByRole('button', { name: 'Allow once' }).click();
      const said = conversation(page);
      await said.getByText('That is all.').waitFor();
      await expect.poll(() => page.locator('.diff').count()).toBe(1);
      await page.locator('.tool', { hasText: 'Edit' }).locator('.tool-head').click();
      await expect.poll(() => page.locator('.diff').count()).toBe(1);
      await expect.poll(() => page.locator('.tool .edit-path').count()).toBe(0);

      await expect.poll(() => said.locator('math').count()).toBe(2);
      await expect.poll(() => said.locator('math msup').count()).toBeGreaterThan(0);
      await said.getByText('and it costs $5 or $6.').waitFor();
      const images = said.locator('.picture img');
      await expect.poll(() => images.count()).toBe(2);
      for (const image of await images.all())
        expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
      await expect
        .poll(() => said.getByRole('link', { name: 'elsewhere' }).getAttribute('href'))
        .toBe('https://a.example/b.png');
    });

    test('the list, the views and the actions of a message work by hand, also on a phone', async ({
      skip,
    }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place } = await openRealConsole(browser, cli, {}, prepare);
      place.model.play([{ when: 'say it', reply: text('Said.') }]);
      await tell(page, 'say it');
      await conversation(page).getByText('Said.').waitFor();
      const list = page.getByRole('region', { name: 'Sessions', exact: true });
      await list.getByRole('button', { name: 'Menu of say it' }).click();
      await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
      await list.getByRole('region', { name: 'Pinned' }).getByText('say it').waitFor();
      for (const view of ['MCP', 'Agents', 'Usage']) {
        await openView(page, view);
        await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe(view);
      }
      await openView(page, 'Conversation');

      const touch = await page
        .context()
        .browser()
        ?.newContext({
          viewport: PHONE,
          hasTouch: true,
          isMobile: true,
          storageState: await page.context().storageState(),
        });
      const phone = await touch?.newPage();
      if (phone === undefined) throw new Error('no second context');
      await phone.goto(page.url());
      await shown(phone);
      await phone
        .locator('.session-head .state')
        .getByText(/idle|running/)
        .waitFor();
      const copy = phone.locator('.user').getByRole('button', { name: 'Edit and resend' });
      const width = async () => (await copy.boundingBox())?.width ?? 0;
      await copy.waitFor({ state: 'attached' });
      expect(await width()).toBeLessThan(4);
      await phone.locator('.bubble').tap();
      await expect.poll(width).toBeGreaterThan(44);
      await touch?.close();
    });

    test('a new session gets a model and an effort that the CLI offers, in a recent folder', async ({
      skip,
    }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, cwd } = await openRealConsole(browser, cli, {}, prepare);
      await page.getByRole('link', { name: 'Coxswain' }).click();
      const recent = page.getByRole('region', { name: 'Recent folders' });
      await recent.getByRole('button', { name: cwd }).click();
      const dialog = page.getByRole('dialog', { name: 'New session' });
      await expect.poll(() => dialog.getByLabel('Folder').inputValue()).toBe(cwd);
      const models = dialog.getByLabel('Model').getByRole('option');
      await expect.poll(() => models.count()).toBeGreaterThan(1);
      const efforts = dialog.getByLabel('Effort').getByRole('option');
      await expect.poll(() => efforts.allTextContents()).toContain('high');
      await dialog.getByLabel('Effort').selectOption('high');
      await expect.poll(() => dialog.getByLabel('Worktree').isVisible()).toBe(false);
      await dialog.getByText('More', { exact: true }).click();
      await dialog.getByLabel('Chrome').selectOption('no');
      const before = page.url();
      await dialog.getByRole('button', { name: 'Open', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.waitForURL(({ href }) => href !== before);
      await openView(page, 'Inspector');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
    });
  },
  ['2.1.326'],
);
