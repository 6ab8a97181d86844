import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { composer, conversation, newSession, prompt, tell } from '../support/console-page.js';
import { openRealConsole } from '../support/real-console.js';

describeRealClis(
  'the console as a workbench, on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    const begin = () => openRealConsole(browser, cli);

    test('its commands and files are completed, and it reads the named file', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await begin();
      await writeFile(join(cwd, 'a note.txt'), 'the word is plum');
      const field = composer(page);
      await field.pressSequentially('/com');
      await page.getByRole('option', { name: /^\/compact/ }).waitFor();
      await field.fill('');
      await field.pressSequentially('What is the word in @note');
      await page.getByRole('option', { name: 'a note.txt' }).waitFor();
      await field.press('Tab');
      await expect.poll(() => field.inputValue()).toBe('What is the word in @"a note.txt" ');
      place.model.play([{ when: 'What is the word', reply: text('Plum.') }]);
      await field.press('Enter');
      await conversation(page).getByText('Plum.').waitFor();
      expect(JSON.stringify(place.model.model.requests.map(({ messages }) => messages))).toContain(
        'the word is plum',
      );
    });

    test('a failed command shows its exit code and the end of its output, in colour', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await begin();
      await writeFile(join(cwd, 'check.sh'), "seq 1 20\nprintf '\\033[31mone failed\\033[0m\\n'\nexit 3\n");
      place.model.play([
        { when: 'check it', reply: toolUse('Bash', { command: 'sh check.sh' }) },
        { when: { toolResult: /./ }, reply: text('It failed. See `check.sh:3`.') },
      ]);
      await tell(page, 'check it');
      await prompt(page, /May Bash run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      const said = conversation(page);
      await said.getByText('It failed.').waitFor();
      const call = said.locator('.tool', { hasText: 'sh check.sh' });
      await call.getByText(/^exit 3/).waitFor();
      await call.locator('.ansi-red', { hasText: 'one failed' }).waitFor();
      await expect.poll(() => call.locator('.tool-preview').textContent()).not.toContain('Exit code');
      await said.getByRole('button', { name: 'check.sh:3' }).click();
      await page.getByRole('dialog', { name: 'check.sh' }).getByText('exit 3').waitFor();
    });

    test('its changes are shown file by file and can be rewound there', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await begin();
      const file = join(cwd, 'plan.md');
      await writeFile(file, 'Paint it red.\n');
      const edit = { file_path: file, old_string: 'red', new_string: 'blue' };
      place.model.play([
        { when: 'make it blue', reply: toolUse('Read', { file_path: file }) },
        { when: { toolResult: /red/ }, reply: toolUse('Edit', edit) },
        { when: { toolResult: /./ }, reply: text('It is blue.') },
      ]);
      await tell(page, 'make it blue');
      await prompt(page, /May Edit run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      await conversation(page).getByText('It is blue.').waitFor();
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page.getByText("Compared with each file's contents before this session edited it.").waitFor();
      await page
        .getByRole('list', { name: 'Changed files' })
        .getByRole('button', { name: /changed plan\.md/ })
        .click();
      const words = page.locator('.changed-file .word');
      await words.first().waitFor();
      await expect.poll(() => words.allTextContents()).toEqual(['red', 'blue']);

      await page.getByText('Rewind files to a message').click();
      const panel = page.getByRole('region', { name: 'Changes' });
      await panel.getByRole('button', { name: /make it blue/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('One file would change').waitFor();
      await dialog.getByRole('button', { name: 'Put this file back' }).click();
      await page.getByText('No changes.').waitFor();
      expect(await readFile(file, 'utf8')).toBe('Paint it red.\n');
    });

    test('it works in its own worktree, and its work is merged from the page', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await begin();
      const git = (folder: string, ...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
          cwd: folder,
          stdio: 'pipe',
        });
      git(cwd, 'init', '-q');
      await writeFile(join(cwd, 'plan.md'), 'red\n');
      git(cwd, 'add', 'plan.md');
      git(cwd, 'commit', '-qm', 'first');
      await newSession(page, cwd, 'worktree');
      place.model.play([
        { when: 'write it', reply: toolUse('Bash', { command: 'echo blue > plan.md' }) },
        { when: { toolResult: /./ }, reply: text('Written.') },
      ]);
      await tell(page, 'write it');
      await prompt(page, /May Bash run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      await conversation(page).getByText('Written.').waitFor();
      expect(await readFile(join(cwd, 'plan.md'), 'utf8')).toBe('red\n');
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page
        .getByRole('list', { name: 'Changed files' })
        .getByRole('button', { name: /changed plan\.md/ })
        .waitFor();
      const box = page.getByRole('region', { name: 'Worktrees' });
      await box.getByText('1 file not committed').waitFor();
      git((await box.locator('.worktree-path').textContent()) ?? '', 'commit', '-qam', 'second');
      await page.getByRole('button', { name: 'Menu of write it' }).last().click();
      await page.getByRole('menuitem', { name: 'Close' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close the session' }).click();
      await box.getByRole('button', { name: 'Merge' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
      await box.waitFor({ state: 'detached' });
      expect(await readFile(join(cwd, 'plan.md'), 'utf8')).toBe('blue\n');
    });
  },
  ['2.1.326'],
);
