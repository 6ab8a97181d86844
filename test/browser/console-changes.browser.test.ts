import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { conversation, newSession, openConsole, PHONE, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

describeUnless(noBrowser, 'changes in the console', () => {
  const browser = sharedBrowser();

  test('are listed file by file against git, with diffs, a viewer and rewinds', async () => {
    const { server, root } = await startEmulatedConsole([onUser([say('Changed.')])]);
    const cwd = join(root, 'project');
    await mkdir(join(cwd, 'src'), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd });
    git('init', '-q');
    await writeFile(join(cwd, 'src', 'slug.ts'), 'const limit = 10;\nexport {};\n');
    await writeFile(join(cwd, 'old.txt'), 'old\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    const { page, complaints } = await openConsole(browser, server);
    await newSession(page, cwd);
    await page.getByRole('tab', { name: 'Changes' }).click();
    const panel = page.getByRole('region', { name: 'Changes' });
    await panel.getByText(/Compared with commit [0-9a-f]{10}/).waitFor();
    await panel.getByText('No changes.').waitFor();

    await writeFile(join(cwd, 'src', 'slug.ts'), 'const limit = 20;\nexport {};\n');
    await rm(join(cwd, 'old.txt'));
    await writeFile(join(cwd, 'new.txt'), 'new\n');
    // A turn that ended may have changed something.
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await tell(page, 'Change it');
    await conversation(page).getByText('Changed.').waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    const files = panel.getByRole('list', { name: 'Changed files' });
    await expect
      .poll(() => files.getByRole('button', { expanded: false }).allTextContents())
      .toEqual(['newnew.txt+1 −0', 'deletedold.txt+0 −1', 'changedsrc/slug.ts+1 −1']);
    const changed = files.getByRole('listitem').filter({ hasText: 'src/slug.ts' });
    await changed.getByRole('button', { name: /slug/ }).first().press('Enter');
    await expect.poll(() => changed.locator('.word').allTextContents()).toEqual(['10', '20']);
    await changed.getByRole('button', { name: 'View' }).click();
    const dialog = page.getByRole('dialog', { name: 'src/slug.ts' });
    await dialog.getByText('const limit = 20;').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await panel.getByText('Rewind files to a message').click();
    await panel.getByRole('button', { name: /Change it/ }).click();
    await page.getByRole('dialog', { name: 'Rewind files to this message' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    expect(complaints).toEqual([]);
  });

  test('changes from outside are seen when you come back to the page', async () => {
    const { server, root } = await startEmulatedConsole([]);
    execFileSync('git', ['init', '-q'], { cwd: root });
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await page.getByRole('tab', { name: 'Changes' }).click();
    const panel = page.getByRole('region', { name: 'Changes' });
    await panel.getByText('No changes.').waitFor();
    await writeFile(join(root, 'new.txt'), 'new\n');
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await panel.getByRole('list', { name: 'Changed files' }).getByText('new.txt').waitFor();
  });

  test('a worktree with uncommitted files is committed and merged, on a phone too; failures are in the dialog', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const cwd = join(root, 'shop');
    await mkdir(cwd);
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' }).toString();
    git('init', '-q');
    git('config', 'user.email', 'ada@example.org');
    await writeFile(join(cwd, 'a.txt'), 'one\n');
    git('add', '.');
    git('-c', 'user.name=Ada', 'commit', '-qm', 'first');
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd, workspace: 'worktree' });
    const [worktree] = (await client.ask('worktrees', {})).worktrees;
    await writeFile(join(worktree?.path ?? '', 'a.txt'), 'two\n');
    const { page } = await openConsole(browser, server, { viewport: PHONE });
    // The session is listed with its repository, under its name.
    const group = page.getByRole('region', { name: 'In shop', exact: true });
    await group.getByText('New session in shop').waitFor();
    await client.ask('close', {}, { session });
    await client.ask('remove', { transcript: false }, { session });
    await group.waitFor({ state: 'detached' });
    for (let count = 0; count < 12; count += 1) await client.ask('open', { cwd: root });
    await page.reload();
    const row = page.getByRole('region', { name: 'Worktrees' }).getByRole('listitem');
    await row.getByText(/^\d KiB · 1 file not committed$/).waitFor();
    // The whole list is above it: they scroll together.
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    const [list, below] = [await sessions.boundingBox(), await row.boundingBox()];
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThan(below?.y ?? 0);

    // Git refuses names without letters; the reason is readable, and can be dismissed.
    git('config', 'user.name', '<>');
    await row.getByRole('button', { name: 'Merge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge the worktree?' });
    await dialog.getByRole('button', { name: 'Commit all and merge' }).click();
    await dialog.getByText(/git commit .*failed/).waitFor();
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    git('config', 'user.name', 'Ada');
    await dialog.getByRole('button', { name: 'Commit all and merge' }).click();
    await page.getByText('The worktree was merged.').waitFor();
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('two\n');
    expect(git('log', '-1', '--format=%s')).toBe('Commit the files of a session\n');
  });

  test('a session gets its own worktree, which is kept, merged and removed from the page', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const cwd = join(root, 'shop');
    await mkdir(cwd);
    const git = (folder: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        cwd: folder,
        stdio: 'pipe',
      }).toString();
    git(cwd, 'init', '-q');
    await writeFile(join(cwd, 'a.txt'), 'one\n');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'first');
    const { page, complaints } = await openConsole(browser, server);
    const folders: string[] = [];
    for (const _ of [1, 2]) {
      await newSession(page, cwd, 'worktree');
      await page.getByRole('tab', { name: 'Changes' }).click();
      const box = page.getByRole('region', { name: 'Worktrees' });
      await box.getByText(/nothing to merge$/).waitFor();
      await box.getByText('In use.').waitFor();
      folders.push((await box.locator('.worktree-path').textContent()) ?? '');
      await page.getByRole('tab', { name: 'Conversation' }).click();
    }
    const [kept = '', merged = ''] = folders;
    expect(merged).not.toBe(kept);
    await writeFile(join(merged, 'a.txt'), 'two\n');
    git(merged, 'commit', '-qam', 'second');
    const client = await BareClient.connect(server);
    for (const { sessions } of (await client.ask('worktrees', {})).worktrees)
      for (const session of sessions) await client.ask('close', {}, { session });

    await page.goto(`${server.origin}/#/`);
    const all = page.getByRole('region', { name: 'Worktrees' });
    const row = all.getByRole('listitem').filter({ hasText: merged });
    await row.getByText('1 commit to merge').waitFor();
    await row.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('two\n');
    // No commit holds what git ignores: the dialog names it.
    await writeFile(join(cwd, '.git', 'info', 'exclude'), '*.log\n');
    await writeFile(join(kept, 'notes.log'), 'notes\n');
    await page.reload();
    await all.getByRole('listitem').filter({ hasText: kept }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('notes.log').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await all.waitFor({ state: 'detached' });
    expect(existsSync(kept)).toBe(false);
    expect(complaints).toEqual([]);
  });
});
