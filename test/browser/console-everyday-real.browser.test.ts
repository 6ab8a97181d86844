import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { copiedBy, downloadedText, noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import {
  composer,
  conversation,
  newSession,
  openView,
  prompt,
  scrollToStart,
  tell,
} from '../support/console-page.js';
import { openRealConsole } from '../support/real-console.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const SKILL = '---\nname: paint\ndescription: Paints a shed\n---\n\nPaint it.\n';
const SETTINGS = {
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo checked' }] }] },
};

/** Every reply counts the same. */
const USAGE = {
  input_tokens: 100,
  output_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const TABLE = '| what | count |\n|:--|--:|\n| tests | 12 |\n\n```ts\nconst slug = "a";\n```';

/** Waits for the end of the turn. */
const settled = (page: Page) => page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'hidden' });

/** How far the conversation is from its end. */
const gap = (page: Page) =>
  conversation(page).evaluate(
    ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
  );

describeRealClis(
  'everyday work in the console on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    test('write, read and keep a conversation', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place } = await openRealConsole(browser, cli, { settingSources: ['project'] }, prepare);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const said = conversation(page);
      const field = composer(page);
      const ask = async (asked: string, answered: string, end: string) => {
        place.model.play([{ when: asked, reply: reply(text(`${answered}\n\n${end}`), { usage: USAGE }) }]);
        await tell(page, asked);
        await said.getByText(end).waitFor();
        await settled(page);
      };

      await field.pressSequentially('/pai');
      await page.getByRole('option', { name: '/paint Paints a shed' }).waitFor();
      await field.fill('');
      await field.pressSequentially('@se');
      const files = page.getByRole('listbox', { name: 'Files' });
      await files.getByRole('option', { name: 'seen.txt' }).waitFor();
      await expect.poll(() => files.getByText('secret.txt').count()).toBe(0);
      await field.fill('');

      await pasteAndDrop(page);
      await ask('What is this', 'A dot.\n\n'.repeat(80), 'That is all.');
      const sent = JSON.stringify(place.model.model.requests.at(-1)?.messages);
      expect(sent).toContain(PIXEL);
      expect(sent).toContain('remember the milk');
      await scrollToStart(page);
      await page.getByRole('button', { name: 'To the end' }).waitFor();
      await ask('And a table', TABLE, 'There it is.');
      await expect.poll(() => gap(page)).toBeLessThan(40);
      await said.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
      const number = said.getByRole('cell', { name: '12' });
      expect(await number.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right');

      await field.press('ArrowUp');
      await expect.poll(() => field.inputValue()).toBe('And a table');
      await field.press('ArrowUp');
      await expect.poll(() => field.inputValue()).toContain('What is this');
      await field.press('ArrowDown');
      await field.press('ArrowDown');
      await expect.poll(() => field.inputValue()).toBe('');

      const asked = page.locator('.row', { hasText: 'And a table' }).first();
      const copied = await copiedBy(page);
      await asked.getByRole('button', { name: 'Copy' }).click();
      await expect.poll(copied).toBe('And a table');
      await keep(page);

      await openView(page, 'Agents');
      const agents = page.getByRole('region', { name: 'Agents' });
      await agents.getByText('PreToolUse for Bash').waitFor();
      await agents.getByText('echo checked').waitFor();
      await page.getByRole('link', { name: 'Usage' }).click();
      const row = page.getByRole('region', { name: 'By folder' }).getByRole('row').nth(1);
      await expect
        .poll(async () => (await row.getByRole('cell').allTextContents()).slice(0, 3))
        .toEqual(['200', '0', '20']);
    }, 120_000);

    /** Renames the session and exports it. */
    async function keep(page: Page): Promise<void> {
      const menu = page.getByRole('main').getByRole('button', { name: /^Menu of/ });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByLabel('Name', { exact: true }).fill('The shed');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { name: 'The shed', level: 1 }).waitFor();
      await menu.click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('The-shed.json');
      const messages = JSON.parse(await downloadedText(download));
      expect(JSON.stringify(messages)).toContain('That is all.');
    }

    test('a git diff is shown, and a worktree is listed with its size and removed', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await openRealConsole(browser, cli, {}, prepare);
      await newSession(page, cwd, 'worktree');
      place.model.play([
        { when: 'write it', reply: toolUse('Bash', { command: 'echo seen twice > seen.txt' }) },
        { when: { toolResult: /./ }, reply: text('Written.') },
      ]);
      await tell(page, 'write it');
      await prompt(page, /May Bash run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      await settled(page);
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page
        .getByRole('list', { name: 'Changed files' })
        .getByRole('button', { name: /changed seen\.txt/ })
        .click();
      const lines = page.locator('.changed-file .diff-text');
      await expect.poll(() => lines.allTextContents()).toEqual(['seen once', 'seen twice']);
      const box = page.getByRole('region', { name: 'Worktrees' });
      await box.getByText(/^\d+ KiB · 1 file not committed$/).waitFor();
      const folder = (await box.locator('.worktree-path').textContent()) ?? '';
      await page.getByRole('main').getByRole('button', { name: 'Menu of write it' }).click();
      await page.getByRole('menuitem', { name: 'Close' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close the session' }).click();
      await box.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await box.waitFor({ state: 'detached' });
      expect(existsSync(folder)).toBe(false);
    }, 120_000);
  },
  ['2.1.326'],
);

describeRealClis(
  'to-do lists in the console on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    test('what the model plans is a list', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      // The newest CLI offers these tools to some models only.
      const env = { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' };
      const { page, place } = await openRealConsole(browser, cli, { env });
      const todos = [
        { content: 'Fix the slug', status: 'in_progress', activeForm: 'Fixing the slug' },
        { content: 'Test it', status: 'pending', activeForm: 'Testing it' },
      ];
      const calls =
        cli.version === '2.1.326'
          ? [
              toolUse('TaskCreate', { subject: 'Fix the slug', description: 'All of it' }),
              toolUse('TaskCreate', { subject: 'Test it', description: 'Every case' }),
              toolUse('TaskUpdate', { taskId: '1', status: 'in_progress' }),
            ]
          : [toolUse('TodoWrite', { todos })];
      const [first, ...others] = calls;
      place.model.play([
        ...(first === undefined ? [] : [{ when: 'plan it', reply: first }]),
        ...others.map((call) => ({ when: { toolResult: /./ }, reply: call })),
        { when: { toolResult: /./ }, reply: text('Planned.') },
      ]);
      await tell(page, 'plan it');
      await conversation(page).getByText('Planned.').waitFor();
      const list = conversation(page).getByRole('list', { name: 'To do: 0 of 2 done' });
      await list.getByRole('img', { name: 'in work' }).waitFor();
      await expect
        .poll(() => list.getByRole('listitem').allTextContents())
        .toEqual(['Fix the slug', 'Test it']);
    });
  },
  ['2.0.73', '2.1.326'],
);

/** A repository with a skill, a hook, and a file that git ignores. */
async function prepare(cwd: string): Promise<void> {
  await mkdir(join(cwd, '.claude', 'skills', 'paint'), { recursive: true });
  await writeFile(join(cwd, '.claude', 'skills', 'paint', 'SKILL.md'), SKILL);
  await writeFile(join(cwd, '.claude', 'settings.json'), JSON.stringify(SETTINGS));
  await writeFile(join(cwd, '.gitignore'), 'secret.txt\n');
  await writeFile(join(cwd, 'secret.txt'), 'plum');
  await writeFile(join(cwd, 'seen.txt'), 'seen once\n');
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...who, 'commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd, stdio: 'pipe' });
}

/** Pastes a picture into the field, and drops a text file on the page. */
async function pasteAndDrop(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${PIXEL}'), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['remember the milk'], 'notes.txt', { type: 'text/plain' }));
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  const attached = page.getByRole('list', { name: 'Attached' });
  await attached.getByText('shot.png').waitFor();
  await attached.getByText('notes.txt').waitFor();
}
