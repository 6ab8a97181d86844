import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { brokenServer, pidServer } from '../real/support/tool-turn.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { conversation, openView, prompt, serverIs, tell } from '../support/console-page.js';
import { openRealConsole } from '../support/real-console.js';

describeRealClis(
  'the console on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    const begin = (own = {}) => openRealConsole(browser, cli, own);

    test('MCP servers are listed with their tools, reconnected, disabled and enabled', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place } = await begin({
        mcpServers: { pid: pidServer, broken: brokenServer },
        allowedTools: ['mcp__pid__whoami'],
      });
      await openView(page, 'MCP');
      const row = page.getByRole('listitem').filter({ hasText: 'pid' }).first();
      await serverIs(page, row, 'connected');
      const broken = page.getByRole('listitem').filter({ hasText: 'broken' });
      await serverIs(page, broken, 'failed');
      await row.getByRole('button', { name: 'Tools' }).click();
      await row.getByText('whoami').waitFor();
      await row.getByText('only reads').waitFor();
      const before = await whoami();
      await openView(page, 'MCP');
      await row.getByRole('button', { name: 'Reconnect' }).click();
      await serverIs(page, row, 'connected');
      expect(await whoami()).not.toBe(before);

      await openView(page, 'MCP');
      await row.getByRole('button', { name: 'Disable' }).click();
      await row.getByText('disabled', { exact: true }).waitFor();
      await page.getByText(/The CLI remembers this for/).waitFor();
      await expect.poll(() => row.getByRole('button', { name: 'Reconnect' }).isDisabled()).toBe(true);
      await page.getByLabel('Reconnect, enable and disable in all sessions that have the server').check();
      await row.getByRole('button', { name: 'Enable' }).click();
      await page.getByText('pid: done in 1 of 1 session.').waitFor();
      await serverIs(page, row, 'connected');
      expect(await whoami()).toMatch(/^pid \d+$/);

      /** The result of the server's tool in a separate turn. */
      async function whoami(): Promise<string> {
        const script = place.model.play([
          { when: 'call it', reply: toolUse('mcp__pid__whoami', {}) },
          { when: { toolResult: /./ }, reply: text('Called.') },
        ]);
        const calls = place.model.model.requests.length;
        await page.getByRole('tab', { name: 'Conversation' }).click();
        await tell(page, 'call it');
        await expect
          .poll(() => place.model.model.requests.length, { timeout: 30_000 })
          .toBeGreaterThanOrEqual(calls + 2);
        await expect
          .poll(() => page.getByRole('button', { name: 'Interrupt' }).count(), { timeout: 30_000 })
          .toBe(0);
        script.assertFinished();
        return place.model.model.requests.at(-1)?.toolResults.at(-1)?.text ?? '';
      }
    });

    test('files are rewound to a message after a preview of the changes', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { page, place, cwd } = await begin();
      const file = join(cwd, 'note.txt');
      const write = async (content: string) => {
        place.model.play([
          { when: `write ${content}`, reply: toolUse('Write', { file_path: file, content }) },
          { when: { toolResult: /./ }, reply: text(`Wrote ${content}.`) },
        ]);
        await tell(page, `write ${content}`);
        await prompt(page, /May Write run/)
          .getByRole('button', { name: 'Allow once', exact: true })
          .click();
        await conversation(page).getByText(`Wrote ${content}.`).waitFor();
      };
      await write('one');
      const edit = toolUse('Edit', { file_path: file, old_string: 'one', new_string: 'two' });
      place.model.play([
        { when: 'change it', reply: edit },
        { when: { toolResult: /./ }, reply: text('Changed it.') },
      ]);
      await tell(page, 'change it');
      await prompt(page, /May Edit run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      await conversation(page).getByText('Changed it.').waitFor();
      expect(readFileSync(file, 'utf8')).toBe('two');

      const message = page.locator('.row', { hasText: 'change it' }).first();
      await message.getByRole('button', { name: 'Rewind files to here' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('One file would change').waitFor();
      await dialog.getByText('note.txt').waitFor();
      expect(readFileSync(file, 'utf8')).toBe('two');
      await dialog.getByRole('button', { name: 'Put this file back' }).click();
      await page.getByText('The files were restored.').waitFor();
      expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('one');
    });
  },
  ['2.1.326'],
);
