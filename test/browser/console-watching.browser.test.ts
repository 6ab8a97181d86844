import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { composer, conversation, openConsole, openView } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

describeUnless(noBrowser, 'a read-only page', () => {
  const browser = sharedBrowser();

  test('says so, shows events live, and has no controls', async () => {
    const { server, root, clis } = await startEmulatedConsole(
      [
        onUser([
          say('I will look.'),
          useTool('Bash', { command: 'ls -la' }, { ask: true }),
          say('All done.'),
        ]),
      ],
      { watchToken: true },
    );
    const actor = await BareClient.connect(server);
    const { session } = await actor.ask('open', { cwd: root });
    await actor.ask('send', { content: 'Go' }, { session });
    const asking = await actor.summary(({ state }) => state === 'needs-you');
    const asked = clis[0]?.received.length;

    const { page, complaints } = await openConsole(browser, server, {
      url: server.watchUrl,
      bypassCSP: true,
    });
    await page.getByText('Read-only access').waitFor();
    await page.getByRole('region', { name: 'Needs you' }).getByRole('link').click();
    await conversation(page).getByText('I will look.').waitFor();
    await page.getByText('waits for somebody who may answer').waitFor();
    await expect.poll(() => composer(page).count()).toBe(0);
    const buttons = async () => (await page.getByRole('button').allTextContents()).join(' | ');
    const fields = page.locator(
      'main select, main input:not([type=search], [aria-label="Filter frames"]), main textarea',
    );
    for (const view of ['Tasks', 'Usage', 'Inspector', 'Conversation']) {
      await openView(page, view);
      expect(await buttons()).not.toMatch(
        /Allow|Deny|New|Send|Interrupt|Rewind|Take|Close|Rename|Set|Stop|Move|again|context/,
      );
      await expect.poll(() => fields.count()).toBe(0);
    }
    await page.getByRole('button', { name: 'More views' }).click();
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Usage', 'Inspector']);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('tab', { name: /MCP|Chrome|Changes/ }).count()).toBe(0);
    // The address of a hidden tab leads to the conversation.
    await page.goto(`${server.origin}/#/s/${session}/mcp`);
    await conversation(page).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    expect(clis[0]?.received.length).toBe(asked);
    expect(await axeProblems(page)).toEqual([]);

    const [prompt] = Array.isArray(asking.prompts) ? asking.prompts.filter(isObject) : [];
    const allow = { prompt: String(prompt?.id), answer: { answer: 'allow' } } as const;
    await actor.ask('answer', allow, { session });
    await conversation(page).getByText('All done.').waitFor();
    await page.reload();
    await page.getByText('Read-only access').waitFor();
    await actor.ask('close', {}, { session });
    await page.getByText('This session has ended.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
