import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  newSession,
  openConsole,
  scrollToStart,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describeUnless(noBrowser, 'the composer', () => {
  const browser = sharedBrowser();

  async function begin() {
    const started = await startEmulatedConsole([
      onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' }),
    ]);
    const cwd = join(started.root, 'project');
    await mkdir(join(cwd, 'src'), { recursive: true });
    await writeFile(join(cwd, '.gitignore'), 'build\n');
    await writeFile(join(cwd, 'build'), '');
    await writeFile(join(cwd, 'src', 'parser.ts'), '');
    await writeFile(join(cwd, 'a file.md'), '');
    const { page, complaints } = await openConsole(browser, started.server);
    await newSession(page, cwd);
    return { ...started, page, complaints };
  }

  test('commands and files are completed by keyboard and mouse, and announced to screen readers', async () => {
    const { page, complaints } = await begin();
    const field = composer(page);
    await field.pressSequentially('/com');
    const commands = page.getByRole('listbox', { name: 'Commands' });
    await commands.getByRole('option', { name: '/compact', selected: true }).waitFor();
    await commands.getByText('Shortens the conversation').waitFor();
    await page.getByRole('status').getByText('1 command to choose from').waitFor({ state: 'attached' });
    const option = await commands.getByRole('option').first().getAttribute('id');
    await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe(option);
    await expect.poll(() => field.getAttribute('aria-controls')).toBe(await commands.getAttribute('id'));
    await field.press('Tab');
    await expect.poll(() => field.inputValue()).toBe('/compact ');
    await commands.waitFor({ state: 'hidden' });

    await field.fill('');
    await field.pressSequentially('Look at @pars');
    const files = page.getByRole('listbox', { name: 'Files' });
    await files.getByRole('option', { name: 'src/parser.ts' }).waitFor();
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('Look at @src/parser.ts ');
    await field.pressSequentially('and @');
    await files.getByRole('option', { name: 'src/', exact: true }).waitFor();
    await expect.poll(() => files.getByText('build').count()).toBe(0);
    await files.getByRole('option', { name: 'a file.md' }).click();
    await expect.poll(() => field.inputValue()).toBe('Look at @src/parser.ts and @"a file.md" ');
    await field.press('Enter');
    await conversation(page).getByText('You said: Look at @src/parser.ts and @"a file.md"').waitFor();

    await field.pressSequentially('@src');
    await files.getByText('a file.md').waitFor({ state: 'hidden' });
    await files.waitFor();
    const first = await field.getAttribute('aria-activedescendant');
    await field.press('ArrowDown');
    await expect.poll(() => field.getAttribute('aria-activedescendant')).not.toBe(first);
    await field.press('Escape');
    await files.waitFor({ state: 'hidden' });
    await expect.poll(() => field.inputValue()).toBe('@src');
    expect(complaints).toEqual([]);
  });

  test('arrow keys bring back sent messages and the draft', async () => {
    const { page } = await begin();
    const field = composer(page);
    for (const text of ['first', 'second']) {
      await tell(page, text);
      await conversation(page).getByText(`You said: ${text}`).waitFor();
    }
    await field.fill('a draft');
    await field.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('a draft');
    await field.press('Home');
    await field.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('second');
    await field.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('first');
    await field.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('first');
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    await expect.poll(() => field.inputValue()).toBe('a draft');
  });

  test('pictures and files can be pasted into the field and dropped anywhere on the page', async () => {
    const { page, clis } = await begin();
    await page.evaluate((data) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const pasted = new DataTransfer();
      pasted.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
      document
        .querySelector('textarea')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true }));
      const dropped = new DataTransfer();
      dropped.items.add(new File(['remember the milk'], 'notes.txt', { type: 'text/plain' }));
      const drop = new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true });
      document.querySelector('.conversation')?.dispatchEvent(drop);
      if (!drop.defaultPrevented) throw new Error('the browser would open the file');
    }, PIXEL);
    const attached = page.getByRole('list', { name: 'Attached' });
    await attached.getByText('shot.png').waitFor();
    await attached.getByText('notes.txt').waitFor();
    await tell(page, 'See these');
    await conversation(page)
      .getByText(/You said: .*See these/s)
      .waitFor();
    const users = clis[0]?.received.filter(({ type }) => type === 'user') ?? [];
    const content = ['image', 'text'].map((type) => expect.objectContaining({ type }));
    expect(users.at(-1)?.message).toMatchObject({ content: expect.arrayContaining(content) });
  });

  test('sending scrolls to the end', async () => {
    const { page } = await begin();
    const said = conversation(page);
    await tell(page, 'line\n'.repeat(200));
    await said.getByText(/^You said: line/).waitFor();
    await scrollToStart(page);
    await page.getByRole('button', { name: 'To the end' }).waitFor();
    await tell(page, 'And now?');
    await said.getByText('You said: And now?').waitFor();
    const gap = () =>
      said.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await expect.poll(gap).toBeLessThan(40);
  });
});
