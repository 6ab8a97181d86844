import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { newSession, openConsole, PHONE } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

describeUnless(noBrowser, 'files in the console', () => {
  const browser = sharedBrowser();

  const begin = async (look: object = {}) => {
    const { server, root } = await startEmulatedConsole([]);
    const cwd = join(root, 'shop');
    await mkdir(join(cwd, 'src', 'parts'), { recursive: true });
    await mkdir(join(cwd, 'docs'));
    await writeFile(join(cwd, 'src', 'slug.ts'), 'export const limit = 10;\n\nexport function slug() {}\n');
    await writeFile(join(cwd, 'src', 'parts', 'cart.ts'), 'export {};\n');
    await writeFile(join(cwd, 'readme.md'), '# Shop\n');
    await writeFile(join(cwd, 'logo.png'), Buffer.from([0x89, 0x50, 0, 0]));
    await writeFile(join(root, 'secret.txt'), 'secret');
    await symlink(join(root, 'secret.txt'), join(cwd, 'secret.txt'));
    const { page, complaints } = await openConsole(browser, server, { bypassCSP: true, ...look });
    await newSession(page, cwd);
    await page.getByRole('tab', { name: 'Files' }).click();
    const panel = page.getByRole('region', { name: 'Files', exact: true });
    const item = (name: string) => panel.getByRole('treeitem', { name });
    return {
      cwd,
      page,
      complaints,
      panel,
      item,
      pane: panel.getByRole('region', { name: 'File', exact: true }),
    };
  };

  test('are opened, edited and saved with the keyboard alone', async () => {
    const { cwd, page, complaints, item, pane } = await begin();
    await chmod(join(cwd, 'src', 'slug.ts'), 0o755);
    await item('docs').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await item('slug.ts').waitFor();
    await page.keyboard.press('s');
    await page.keyboard.press('Enter');
    await pane.getByText('export const limit = 10;').waitFor();
    expect(new URL(page.url()).hash).toMatch(/\/files\/src%2Fslug\.ts$/);
    await pane.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// first\n');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').waitFor();
    await pane.getByRole('region', { name: 'Text of src/slug.ts' }).getByText('// first').waitFor();
    expect(await readFile(join(cwd, 'src', 'slug.ts'), 'utf8')).toMatch(
      /^\/\/ first\nexport const limit = 10;\n\n/,
    );
    expect((await stat(join(cwd, 'src', 'slug.ts'))).mode & 0o777).toBe(0o755);
    await page.reload();
    await pane.getByText('// first').waitFor();
    await item('slug.ts').and(page.locator('[aria-selected=true]')).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a file that has changed is compared before it is overwritten, and a draft survives other tabs', async () => {
    const { cwd, page, item, pane } = await begin();
    await item('readme.md').click();
    await pane.getByRole('button', { name: 'Edit' }).click();
    const field = pane.getByRole('textbox', { name: 'Edit readme.md' });
    await field.fill('# My shop\n');
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByRole('tab', { name: 'Files' }).click();
    await item('readme.md').click();
    await expect.poll(() => field.inputValue()).toBe('# My shop\n');
    await writeFile(join(cwd, 'readme.md'), '# Their shop\r\n');
    await pane.getByRole('button', { name: 'Save' }).click();
    const alert = pane.getByRole('alert');
    await expect.poll(() => alert.locator('.word').allTextContents()).toEqual(['Their', 'My']);
    expect(await readFile(join(cwd, 'readme.md'), 'utf8')).toBe('# Their shop\r\n');
    await alert.getByRole('button', { name: 'Overwrite it' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await readFile(join(cwd, 'readme.md'), 'utf8')).toBe('# My shop\n');

    await pane.getByRole('button', { name: 'Edit' }).click();
    await rm(join(cwd, 'readme.md'));
    await pane.getByRole('button', { name: 'Save' }).click();
    await alert.getByText('The file was deleted').waitFor();
    await alert.getByRole('button', { name: 'Discard mine' }).click();
    await pane.getByText(/is not a file in the folder/).waitFor();
  });

  test('a new file is made, found by its name, and what is no text or elsewhere is said', async () => {
    const { cwd, page, panel, item, pane } = await begin();
    await item('logo.png').click();
    await pane.getByText('This is not text: 4 bytes.').waitFor();
    await item('secret.txt').click();
    await pane.getByText(/is not a file in the folder/).waitFor();
    await panel.getByRole('button', { name: 'New file' }).click();
    await panel.getByLabel('Path of the new file').fill('src/parts/price.ts');
    await page.keyboard.press('Enter');
    await pane.getByText('The file is empty.').waitFor();
    expect(await readFile(join(cwd, 'src', 'parts', 'price.ts'), 'utf8')).toBe('');
    await item('price.ts').waitFor();
    await panel.getByRole('searchbox', { name: 'Find files' }).fill('cart');
    await panel.getByRole('list', { name: 'Found files' }).getByRole('button', { name: 'cart.ts' }).click();
    await pane.getByRole('region', { name: 'Text of src/parts/cart.ts' }).waitFor();
  });

  test.each([
    ['desktop light', { colorScheme: 'light' }],
    ['desktop dark', { colorScheme: 'dark' }],
    ['phone light', { colorScheme: 'light', viewport: PHONE, hasTouch: true }],
  ] as const)('are accessible (%s)', async (name, look) => {
    const { page, panel, item, pane } = await begin(look);
    await item('src').click();
    await item('slug.ts').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await item('slug.ts').click();
    await pane.getByText('export const limit = 10;').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await pane.getByRole('button', { name: 'Edit' }).click();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (!name.startsWith('phone')) return;
    await pane.getByRole('button', { name: 'Discard' }).click();
    await pane.getByRole('button', { name: 'Back to the files' }).click();
    await panel.getByRole('tree').waitFor();
  });
});
