import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { realPlace } from '../real/support/real-session.js';
import { pidServer } from '../real/support/tool-turn.js';
import { copiedBy, downloadedText, noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import {
  composer,
  conversation,
  newSession,
  openConsole,
  openView,
  PHONE,
  prompt,
  REAL_CLI_MS,
  ready,
  tell,
} from '../support/console-page.js';

/** The steps of the guide, by their titles in bold. */
function toldSteps(): readonly string[] {
  const guide = readFileSync('docs/how-to/use-the-console.md', 'utf8');
  const [, section = ''] = guide.split('## A tour');
  const [steps = ''] = section.split('\n## ');
  return [...steps.matchAll(/^\d+\. \*\*(.+?)\.\*\*/gm)].map(([, title = '']) => title);
}

describeRealClis(
  'the tour of the console in the guide works on a real CLI',
  (cli) => {
    const browser = sharedBrowser();

    test('each step does what it says', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const place = await realPlace(cli);
      onTestFinished(() => place[Symbol.asyncDispose]());
      const { cwd, home } = place.folders;
      const server = await startConsole({
        roots: [cwd],
        stateFolder: join(home, 'state'),
        configDir: join(home, '.claude'),
        session: place.options({}),
      });
      onTestFinished(() => server.close());
      const { page, complaints } = await openConsole(browser, server, { acceptDownloads: true });
      page.setDefaultTimeout(REAL_CLI_MS);
      const file = join(cwd, 'check.sh');
      await writeFile(file, 'echo one failed\nexit 3\n');
      const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        [...who, 'commit', '-qm', 'first'],
      ])
        execFileSync('git', args, { cwd, stdio: 'pipe' });
      const said = conversation(page);
      const settled = () => page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'hidden' });

      const steps: Record<string, () => Promise<void>> = {
        'Open a session': () => newSession(page, cwd),
        'Name a file': async () => {
          place.model.play([
            { when: 'Run', reply: toolUse('Bash', { command: 'sh check.sh' }) },
            { when: { toolResult: /./ }, reply: text('It failed. See `check.sh:2`.') },
          ]);
          await composer(page).pressSequentially('Run @chec');
          await page.getByRole('option', { name: 'check.sh' }).waitFor();
          await composer(page).press('Tab');
          await composer(page).press('Enter');
        },
        'Answer a prompt': async () => {
          const card = prompt(page, /May Bash run/);
          await card.waitFor();
          await page.keyboard.press('Escape');
          await ready(page, card);
          await card.focus();
          await page.keyboard.press('a');
        },
        'Read what failed': async () => {
          await said.getByText('It failed.').waitFor();
          await said
            .locator('.tool', { hasText: 'sh check.sh' })
            .getByText(/^exit 3/)
            .waitFor();
          await said.getByRole('button', { name: 'check.sh:2' }).click();
          const viewer = page.getByRole('dialog', { name: 'check.sh' });
          await viewer.getByText('exit 3').waitFor();
          await page.keyboard.press('Escape');
          await settled();
        },
        'Review an edit': async () => {
          place.model.play([
            { when: 'Mend it', reply: toolUse('Read', { file_path: file }) },
            {
              when: { toolResult: /exit 3/ },
              reply: toolUse('Edit', { file_path: file, old_string: 'exit 3', new_string: 'exit 0' }),
            },
            { when: { toolResult: /./ }, reply: text('Mended.') },
          ]);
          await tell(page, 'Mend it');
          const card = prompt(page, /May Edit run/);
          await card.getByText('exit 0').first().waitFor();
          await card.getByRole('button', { name: 'Allow once', exact: true }).click();
          await said.getByText('Mended.').waitFor();
          await settled();
          expect(readFileSync(file, 'utf8')).toContain('exit 0');
        },
        'See what changed': async () => {
          await page.getByRole('tab', { name: 'Changes' }).click();
          const files = page.getByRole('list', { name: 'Changed files' });
          await files
            .getByRole('button', { name: /check\.sh/ })
            .first()
            .waitFor();
          await page.getByRole('tab', { name: 'Conversation' }).click();
        },
        Search: async () => {
          await composer(page).press('Control+f');
          await page.getByLabel('Find in this conversation').fill('it failed');
          await page.getByRole('search').getByText(/of \d/).waitFor();
          await page.keyboard.press('Escape');
          await page.getByLabel('Search sessions').fill('mended');
          await page.getByRole('button', { name: 'Find “mended” in all messages' }).click();
          await page.getByRole('region', { name: 'In messages' }).getByText('1 found.').waitFor();
          await page.getByLabel('Search sessions').fill('');
        },
        'Try it another way': async () => {
          const first = page.url();
          const row = page.locator('.row', { hasText: 'Mend it' }).first();
          await row.getByRole('button', { name: 'Edit and resend' }).click();
          await page.getByRole('heading', { name: /\(fork\)$/, level: 1 }).waitFor();
          await expect.poll(() => composer(page).inputValue()).toBe('Mend it');
          place.model.play([{ when: 'Explain it', reply: text('It ends with 3.') }]);
          await tell(page, 'Explain it');
          await said.getByText('It ends with 3.').waitFor();
          await settled();
          await page.goto(first);
        },
        'Rewind files': async () => {
          await said.getByText('Mended.').waitFor();
          const row = page.locator('.row', { hasText: 'Mend it' }).first();
          await row.getByRole('button', { name: 'Rewind files to here' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Put this file back' }).click();
          await page.getByText('The files were restored.').waitFor();
          expect(readFileSync(file, 'utf8')).toContain('exit 3');
        },
        'Add a tool': async () => {
          await openView(page, 'MCP');
          await page.getByRole('button', { name: 'Add a server' }).click();
          await page.getByLabel('Server name').fill('pid');
          await page.getByLabel('Command or address').fill([pidServer.command, ...pidServer.args].join(' '));
          await page.getByRole('button', { name: 'Add', exact: true }).click();
          const row = page.getByRole('listitem').filter({ hasText: 'pid' }).first();
          await row.getByText('connected', { exact: true }).waitFor();
          await row.getByRole('button', { name: 'Tools' }).click();
          await row.getByText('whoami').waitFor();
          await page.getByRole('tab', { name: 'Conversation' }).click();
        },
        'Continue on your phone': () => onThePhone(page),
        'See the usage': async () => {
          const session = page.url();
          await page.getByRole('link', { name: 'Usage' }).click();
          await page.getByRole('img', { name: /Tokens per day/ }).waitFor();
          await page.getByRole('region', { name: 'By folder' }).waitFor();
          await page.goto(session);
        },
        'Clean up': async () => {
          const menu = page.getByRole('main').getByRole('button', { name: /^Menu of/ });
          await menu.click();
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('menuitem', { name: 'Export as Markdown' }).click(),
          ]);
          expect(await downloadedText(download)).toContain('Mended.');
          await menu.click();
          await page.getByRole('menuitem', { name: 'Close' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Close the session' }).click();
          await page.getByText('This session has ended.').waitFor();
          await menu.click();
          await page.getByRole('menuitem', { name: 'Delete' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Delete the session' }).click();
          await page.getByRole('heading', { name: 'Coxswain', level: 1 }).waitFor();
        },
      };

      /** A phone logs in with the address in the code, and answers. */
      async function onThePhone(desk: Page): Promise<void> {
        await desk.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await desk.getByRole('button', { name: 'Add a device' }).click();
        const copied = await copiedBy(desk);
        await desk.getByRole('button', { name: 'Copy the address' }).click();
        await desk.getByText('Copied').waitFor();
        const address = await copied();
        expect(address).toContain('#token=');
        await desk.keyboard.press('Escape');
        const { page: phone } = await openConsole(browser, server, {
          url: address,
          viewport: PHONE,
          hasTouch: true,
        });
        const touched = join(cwd, 'touched');
        place.model.play([
          { when: 'Touch it', reply: toolUse('Bash', { command: `touch ${touched}` }) },
          { when: { toolResult: /./ }, reply: text('Touched.') },
        ]);
        await tell(desk, 'Touch it');
        await phone.getByRole('region', { name: 'Needs you' }).getByRole('link').click();
        await prompt(phone, /May Bash run/)
          .getByRole('button', { name: 'Allow once', exact: true })
          .click();
        await said.getByText('Touched.').waitFor();
        await settled();
        expect(existsSync(touched)).toBe(true);
        await phone.context().close();
      }

      expect(Object.keys(steps)).toEqual(toldSteps());
      for (const [title, step] of Object.entries(steps)) {
        await step().catch((error: unknown) => {
          throw new Error(`"${title}" failed`, { cause: error });
        });
      }
      expect(complaints).toEqual([]);
    }, 300_000);
  },
  ['2.1.326'],
);
