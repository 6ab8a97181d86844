import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { newSession, openConsole, PHONE } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const lines = Array.from({ length: 40 }, (_, index) => `const value${index} = ${index};\n`).join('');
const edited = lines
  .replace('value2 = 2', 'value2 = "two"')
  .replace('value30 = 30', 'value30 = "thirty"')
  .replace('const value31 = 31;\n', '');

describeUnless(noBrowser, 'committing in the console', () => {
  const browser = sharedBrowser();

  const begin = async (look: object = {}) => {
    const { server, root } = await startEmulatedConsole([]);
    const cwd = join(root, 'shop');
    await mkdir(join(cwd, 'src'), { recursive: true });
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe', encoding: 'utf8' });
    git('init', '-q', '--initial-branch=main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    await writeFile(join(cwd, 'src', 'values.ts'), lines);
    git('add', '.');
    git('commit', '-qm', 'first');
    await writeFile(join(cwd, 'src', 'values.ts'), edited);
    await writeFile(join(cwd, 'notes.md'), '# Notes\n');
    const { page, complaints } = await openConsole(browser, server, { bypassCSP: true, ...look });
    await newSession(page, cwd);
    await page.getByRole('tab', { name: 'Changes' }).click();
    const panel = page.getByRole('region', { name: 'Commit', exact: true });
    return { server, cwd, git, page, complaints, panel };
  };

  test('a hunk is staged with the keyboard and committed; the other stays', async () => {
    const { git, page, complaints, panel } = await begin();
    const rest = panel.getByRole('list', { name: 'Not staged' });
    const staged = panel.getByRole('list', { name: 'Staged', exact: true });
    const row = rest.getByRole('listitem').filter({ hasText: 'values.ts' }).first();
    await row.getByRole('button', { name: /^changed/ }).press('Enter');
    await row.getByRole('region', { name: /lines 28 to 34/ }).waitFor();
    await row.getByRole('button', { name: 'Stage part 1' }).press('Enter');
    await staged.getByText('src/values.ts').waitFor();
    await row.getByRole('region', { name: /lines 1 to 6/ }).waitFor({ state: 'detached' });
    // The button is gone; the focus is not.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Commit/);
    expect(git('diff', '--cached', '--numstat')).toBe('1\t1\tsrc/values.ts\n');
    await panel.getByLabel('Message').fill('Spell two');
    await panel.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByText(/^Committed 1 file as [0-9a-f]{10}\.$/).waitFor();
    await staged.waitFor({ state: 'detached' });
    expect(git('log', '-1', '--format=%s')).toBe('Spell two\n');
    expect(git('status', '--porcelain')).toBe(' M src/values.ts\n?? notes.md\n');
    expect(complaints).toEqual([]);
  });

  test('what has changed since you looked is not staged', async () => {
    const { cwd, git, page, panel } = await begin();
    const row = panel.getByRole('listitem').filter({ hasText: 'values.ts' }).first();
    await row.getByRole('button', { name: /^changed/ }).click();
    await row.getByRole('button', { name: 'Stage part 2' }).waitFor();
    await writeFile(join(cwd, 'src', 'values.ts'), edited.replace('thirty', 'XXX'));
    await row.getByRole('button', { name: 'Stage part 2' }).click();
    await page.getByText(/has changed since you looked at it/).waitFor();
    await row.getByText('XXX').waitFor();
    expect(git('diff', '--cached', '--numstat')).toBe('');
  });

  test('hooks in the settings are a reason to refuse, and the page says so', async () => {
    const { git, page, panel } = await begin();
    git('config', 'hook.own.command', 'touch ran');
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await panel.getByText('Nothing can be committed here. Its settings define hooks').waitFor();
    await expect.poll(() => panel.getByRole('button', { name: /^(?:Stage|Commit)/ }).count()).toBe(0);
  });

  test.each([
    ['on a desktop, light', { colorScheme: 'light' }],
    ['on a desktop, dark', { colorScheme: 'dark' }],
    ['on a phone, dark', { colorScheme: 'dark', viewport: PHONE, hasTouch: true }],
  ] as const)('is accessible %s', async (_name, look) => {
    const { page, panel } = await begin(look);
    await panel.getByRole('button', { name: 'Stage notes.md' }).click();
    await panel.getByRole('list', { name: 'Staged', exact: true }).waitFor();
    const row = panel.getByRole('listitem').filter({ hasText: 'values.ts' }).first();
    await row.getByRole('button', { name: /^changed/ }).click();
    await row.getByRole('region', { name: /lines 28 to 34/ }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
