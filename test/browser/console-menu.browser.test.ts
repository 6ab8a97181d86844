import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { axeProblems } from '../support/axe.js';
import { copiedBy, downloadedText, noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { conversation, newSession, openConsole, shown, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { assistant, id, projectOf, putTranscript, SESSION, user } from '../support/transcripts.js';

const list = (page: Page) => page.getByRole('region', { name: 'Sessions', exact: true });
const menuOf = (page: Page, title: string) => list(page).getByRole('button', { name: `Menu of ${title}` });
const pick = async (page: Page, title: string, item: string) => {
  await menuOf(page, title).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

describeUnless(noBrowser, 'the menu of a session', () => {
  const browser = sharedBrowser();

  test('sessions are listed by folder; folders with the same name are distinguishable, and can be collapsed', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const folders = [join(root, 'one', 'app'), join(root, 'two', 'app'), join(root, 'docs')];
    const client = await BareClient.connect(server);
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await client.ask('open', { cwd: folder, title: `In ${basename(folder)}` });
    }
    const { page } = await openConsole(browser, server);
    const headings = list(page).getByRole('heading');
    await expect.poll(() => headings.allTextContents()).toEqual(['docs', 'two/app', 'one/app']);
    const docs = page.getByRole('region', { name: 'In docs' });
    await expect.poll(() => docs.getByRole('link').count()).toBe(1);
    await docs.getByRole('button', { name: 'docs', exact: true }).click();
    await expect.poll(() => docs.getByRole('link').count()).toBe(0);
    await expect.poll(() => list(page).getByRole('link').count()).toBe(2);
  });

  test('the menu works by keyboard, and returns the focus', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server, { bypassCSP: true });
    await newSession(page, root);
    const title = `New session in ${basename(root)}`;
    await menuOf(page, title).press('ArrowDown');
    await expect.poll(() => focusedText(page)).toBe('Rename');
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    expect(await focusedText(page)).toBe('Delete');
    await page.keyboard.press('c');
    expect(await focusedText(page)).toBe('Close');
    await page.keyboard.press('Home');
    expect(await focusedText(page)).toBe('Rename');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    expect(await focusedText(page)).toBe('⋯');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedText(page)).toBe('Rename');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('Shed');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shed', level: 1 }).waitFor();
    await expect.poll(() => focusedText(page)).toBe('⋯');
    await expect.poll(() => menuOf(page, 'Shed').getAttribute('aria-expanded')).toBe('false');
  });

  test('a session is closed after a confirmation, and deleted with or without its conversation on disk', async () => {
    const { server, root } = await startEmulatedConsole(() => [
      onUser(undefined, [say('Hello.')], { times: 'any' }),
    ]);
    const lines = [user(2, null, 'Paint it'), assistant(3, 2, 'Which colour?')];
    const inRoot = lines.map((entry) => ({ ...entry, cwd: root }));
    await putTranscript(root, `${SESSION}.jsonl`, inRoot, projectOf(root));
    const client = await BareClient.connect(server);
    await client.ask('open', { cwd: root, resume: SESSION, title: 'Shed' });
    await client.ask('open', { cwd: root, title: 'Lawn' });
    const { page } = await openConsole(browser, server);
    await pick(page, 'Lawn', 'Close');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(
      await list(page)
        .getByRole('link', { name: /Lawn.*idle/ })
        .count(),
    ).toBe(1);
    await pick(page, 'Lawn', 'Close');
    await dialog.getByRole('button', { name: 'Close the session' }).click();
    await list(page)
      .getByRole('link', { name: /Lawn.*ended/ })
      .waitFor();
    await pick(page, 'Lawn', 'Delete');
    await dialog.getByRole('button', { name: 'Delete the session' }).click();
    await expect.poll(() => list(page).getByRole('link', { name: 'Lawn' }).count()).toBe(0);

    const { conversations } = await client.ask('history', {});
    expect(conversations.map(({ conversation: each }) => each)).toContain(SESSION);
    await pick(page, 'Shed', 'Delete');
    await dialog.getByLabel('Also delete the conversation from disk, permanently').check();
    await dialog.getByRole('button', { name: 'Delete the session' }).click();
    await expect.poll(() => list(page).getByRole('link').count()).toBe(0);
    await expect.poll(async () => (await client.ask('history', {})).conversations).toEqual([]);
  });

  test('a conversation can be exported as Markdown and as JSON', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const lines = [
      user(2, null, 'Paint the shed'),
      assistant(3, 2, [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } },
      ]),
      user(4, 3, [{ type: 'tool_result', tool_use_id: 'a', content: 'a ``` fence' }]),
    ];
    const inRoot = lines.map((entry) => ({ ...entry, cwd: root }));
    await putTranscript(root, `${SESSION}.jsonl`, inRoot, projectOf(root));
    const client = await BareClient.connect(server);
    await client.ask('open', { cwd: root, resume: SESSION, title: 'My shed: blue?' });
    const { page } = await openConsole(browser, server);
    const saved = async (item: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        pick(page, 'My shed: blue?', item),
      ]);
      return [download.suggestedFilename(), await downloadedText(download)] as const;
    };
    const [name, text] = await saved('Export as Markdown');
    expect(name).toBe('My-shed-blue.md');
    expect(text).toContain('# My shed: blue?\n\n## You\n\nPaint the shed\n\n## Claude\n\nI look.');
    expect(text).toContain('````\na ``` fence\n````');
    const [dataName, data] = await saved('Export as JSON');
    expect(dataName).toBe('My-shed-blue.json');
    expect(JSON.parse(data)).toHaveLength(3);
  });

  test('a message can be edited and resent in a copy that ends before it; messages can be copied', async () => {
    const { server, root, clis } = await startEmulatedConsole(() => [
      onUser(undefined, [say('Blue then.')], { times: 'any' }),
    ]);
    const lines = [
      user(2, null, 'Paint the shed'),
      assistant(3, 2, 'Which colour?'),
      user(4, 3, 'Red'),
      assistant(5, 4, 'Red it is.'),
    ];
    const inRoot = lines.map((entry) => ({ ...entry, cwd: root }));
    await putTranscript(root, `${SESSION}.jsonl`, inRoot, projectOf(root));
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, resume: SESSION, title: 'Shed' });
    const { page } = await openConsole(browser, server, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${server.origin}/#/s/${session}`);
    const copied = await copiedBy(page);
    const red = page.locator('.row', { hasText: 'Red' }).first();
    await red.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(copied).toBe('Red');
    await red.getByRole('button', { name: 'Edit and resend' }).click();
    await page.getByRole('heading', { name: 'Shed (fork)', level: 1 }).waitFor();
    await conversation(page).getByText('Which colour?').waitFor();
    await expect.poll(() => conversation(page).getByText('Red', { exact: true }).count()).toBe(0);
    const field = page.getByLabel('Message', { exact: true });
    await expect.poll(() => field.inputValue()).toBe('Red');
    await tell(page, 'Blue');
    await conversation(page).getByText('Blue then.').waitFor();
    expect(clis).toHaveLength(2);
    // The original is unchanged.
    const { messages } = await client.ask('history.messages', { conversation: SESSION, cwd: root });
    expect(messages.map(({ uuid }) => uuid)).toEqual([id(2), id(3), id(4), id(5)]);
    // There is nothing before the first message: a new conversation.
    await page.goto(`${server.origin}/#/s/${session}`);
    await shown(page);
    const first = page.locator('.row', { hasText: 'Paint the shed' }).first();
    await first.getByRole('button', { name: 'Edit and resend' }).click();
    await expect.poll(() => field.inputValue()).toBe('Paint the shed');
    await page.getByText('No messages yet').waitFor();
    const refused = await client.command('open', {
      cwd: root,
      resume: SESSION,
      forkSession: true,
      before: id(99),
    });
    expect(refused).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  });
});
