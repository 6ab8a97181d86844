import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import {
  composer,
  conversation,
  notifications,
  openView,
  prompt,
  serverIs,
  tell,
  watchNotifications,
} from '../support/console-page.js';
import { startOauthServer } from '../support/oauth-server.js';
import { openRealConsole } from '../support/real-console.js';

describeRealClis(
  'the list of the console on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    async function begin(own = {}) {
      const { place, page } = await openRealConsole(browser, cli, own);
      const say = async (asked: string, answered: string) => {
        place.model.play([{ when: asked, reply: text(answered) }]);
        await tell(page, asked);
        await conversation(page).getByText(answered).waitFor();
        await page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'hidden' });
      };
      return { place, page, say };
    }

    const pick = async (page: Page, title: string, item: string) => {
      const list = page.getByRole('region', { name: 'Sessions', exact: true });
      await list.getByRole('button', { name: `Menu of ${title}`, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };

    test('a message is edited and resent in a copy, and a conversation is forked and deleted', async ({
      skip,
    }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, say } = await begin();
      await say('Paint the shed', 'Which colour?');
      await say('Red please', 'Red it is.');
      const row = page.locator('.row', { hasText: 'Red please' }).first();
      await row.getByRole('button', { name: 'Edit and resend' }).click();
      await page.getByRole('heading', { name: 'Paint the shed (fork)', level: 1 }).waitFor();
      await conversation(page).getByText('Which colour?').waitFor();
      await expect.poll(() => composer(page).inputValue()).toBe('Red please');
      await say('Blue please', 'Blue it is.');
      const asked = JSON.stringify(place.model.model.requests.at(-1));
      expect(asked).toContain('Which colour?');
      expect(asked).not.toContain('Red please');

      await pick(page, 'Paint the shed', 'Fork');
      await conversation(page).getByText('Red it is.').waitFor();
      await say('And the roof', 'Grey.');
      expect(JSON.stringify(place.model.model.requests.at(-1))).toContain('Red please');

      await pick(page, 'Paint the shed', 'Delete');
      await page.getByLabel('Also delete the conversation from disk, permanently').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the session' }).click();
      await expect.poll(() => page.getByRole('link', { name: /^Paint the shed(?! \(fork)/ }).count()).toBe(0);
      // The session leaves the list before its conversation leaves the disk.
      const projects = join(place.folders.home, '.claude', 'projects');
      const stored = () => readdirSync(projects, { encoding: 'utf8', recursive: true });
      await place.until(() => stored().filter((name) => name.endsWith('.jsonl')).length === 2);
      await page.getByRole('button', { name: 'Earlier, on disk' }).click();
      const earlier = page.getByRole('region', { name: 'Earlier conversations' });
      await expect.poll(() => earlier.getByRole('listitem').count()).toBe(2);
    });

    test('you can sign in to an MCP server and out again; agents and hooks are listed', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { url, asked } = await startOauthServer();
      const { page } = await begin({ mcpServers: { guarded: { type: 'http', url } } });
      await openView(page, 'MCP');
      const row = page.getByRole('listitem').filter({ hasText: 'guarded' });
      await serverIs(page, row, 'needs-auth');
      await row.getByRole('button', { name: 'Sign in' }).click();
      const link = row.getByRole('link', { name: 'Open the sign-in page' });
      const address = (await link.getAttribute('href')) ?? '';
      expect(address).toContain('/authorize?');
      // As from another machine: the browser ends at an address that it cannot open.
      const { headers } = await fetch(address, { redirect: 'manual' });
      await row.getByLabel(/the final address in your browser/).fill(headers.get('location') ?? '');
      await row.getByRole('button', { name: 'Finish' }).click();
      await serverIs(page, row, 'connected');
      expect(asked).toContain('POST /token');
      await row.getByRole('button', { name: 'Tools' }).click();
      await row.getByText('secret').waitFor();
      await row.getByRole('button', { name: 'Sign out' }).click();
      await serverIs(page, row, 'needs-auth');

      await openView(page, 'Agents');
      const panel = page.getByRole('region', { name: 'Agents' });
      await panel.getByText('general-purpose', { exact: true }).waitFor();
      await panel.getByRole('heading', { name: 'Hooks' }).waitFor();
    });

    test('a prompt shows a notification in the background until it is answered; sessions are listed by folder', async ({
      skip,
    }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place } = await begin();
      await page.context().grantPermissions(['notifications']);
      const group = page.getByRole('region', { name: `In ${basename(place.folders.cwd)}`, exact: true });
      await group.getByRole('link').waitFor();
      await page.evaluate('navigator.serviceWorker.ready');
      await watchNotifications(page);
      await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
      const shown = () => notifications(page);
      place.model.play([
        { when: 'touch it', reply: toolUse('Bash', { command: 'touch seen.txt' }) },
        { when: { toolResult: /./ }, reply: text('Touched.') },
      ]);
      await tell(page, 'touch it');
      await expect.poll(shown).toMatch(/^touch it needs you: Permission: Bash: touch seen\.txt/);
      await prompt(page, /May Bash run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      await conversation(page).getByText('Touched.').waitFor();
      await expect.poll(shown).toMatch(/^none/);
    });

    test('words are found in conversations on disk and in the open one', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, say } = await begin();
      await say('Paint the shed', 'Which colour, dear friend?');
      await say('Red please', 'Red it is.');
      await page.getByLabel('Search sessions').fill('dear COLOUR');
      await page.getByRole('button', { name: 'Find “dear COLOUR” in all messages' }).click();
      const section = page.getByRole('region', { name: 'In messages' });
      await section.getByText('1 found.').waitFor();
      await section.getByRole('listitem').getByRole('button').click();
      await page.getByRole('search').getByText('1 of 1').waitFor();
      await page.locator('.row[data-found="true"]').getByText('Which colour').waitFor();
    });
  },
  ['2.1.326'],
);
