import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { newSession, openConsole } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const chat = () => [onUser(undefined, [say('Yes.')], { times: 'any' as const })];

describeUnless(noBrowser, 'what a session may do, in the page', () => {
  const browser = sharedBrowser();

  test('shows when a program lets it act without asking', async () => {
    const { server, root } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server);
    await client.ask('open', {
      cwd: root,
      title: 'of a program',
      program: {
        options: { allowedTools: ['Bash'], settings: { hooks: { Stop: [{ hooks: [] }] } } },
        initialize: { subtype: 'initialize' },
      },
    });
    const { page } = await openConsole(browser, server);
    await page.getByRole('link', { name: /of a program/ }).click();
    const tag = page.getByRole('main').locator('.tag[data-danger]');
    await tag.waitFor();
    await expect.poll(() => tag.textContent()).toContain('rules that allow tools, hooks that run programs');
  });

  test('shows when a client changes that, and not when it only asks', async () => {
    const { server, root } = await startEmulatedConsole(chat);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    const tag = page.getByRole('main').locator('.tag[data-danger]');
    await expect.poll(() => tag.count()).toBe(0);
    const client = await BareClient.connect(server);
    const session = /#\/s\/([^/]+)/.exec(page.url())?.[1] ?? '';
    const settings = { permissions: { allow: ['Bash(ls:*)'] } };
    await client.ask('control', { subtype: 'apply_flag_settings', params: { settings } }, { session });
    await tag.getByText('settings that a client changed').waitFor();
  });

  test('ignores the mode in settings files, and says so', async () => {
    const { server, root } = await startEmulatedConsole(chat);
    await mkdir(join(root, '.claude'));
    const settings = { permissions: { defaultMode: 'acceptEdits' } };
    await writeFile(join(root, '.claude', 'settings.json'), JSON.stringify(settings));
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await page.getByText('settings request “Accepts edits”: not used').waitFor();
    await expect.poll(() => page.getByLabel('Permissions').inputValue()).toBe('default');
  });
});
