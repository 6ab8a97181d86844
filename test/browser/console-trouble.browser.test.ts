import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { composer, conversation, newSession, openConsole, openView, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

/** Keeps answers to commands back until they are released. */
async function holdAnswers(page: Page): Promise<{ hold: () => void; release: () => void }> {
  let isHeld = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/api\/socket/, (socket) => {
    socket.connectToServer().onMessage((text) => {
      if (isHeld && String(text).includes('"type":"done"')) held.push(() => socket.send(text));
      else socket.send(text);
    });
  });
  const release = () => {
    isHeld = false;
    for (const pass of held.splice(0)) pass();
  };
  return {
    hold: () => {
      isHeld = true;
    },
    release,
  };
}

describeUnless(noBrowser, 'the page when something goes wrong', () => {
  const browser = sharedBrowser();
  const echo = () => [onUser(undefined, (text) => [say(`You said: ${text.length}`)], { times: 'any' })];

  test('a part whose code cannot be loaded says so, and the rest keeps working', async () => {
    const { server, root } = await startEmulatedConsole(echo());
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await page.route(/(usage-page|inspector-tab)-.*\.js$/, (route) => route.abort());
    await page.getByRole('link', { name: 'Usage' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'This part of the page cannot be shown' });
    await alert.waitFor();
    await page.getByRole('link', { name: /New session in/ }).click();
    await alert.waitFor({ state: 'hidden' });
    await openView(page, 'Inspector');
    await alert.waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await tell(page, 'four');
    await conversation(page).getByText('You said: 4').waitFor();

    await page.getByRole('link', { name: 'Usage' }).click();
    await page.unroute(/(usage-page|inspector-tab)-.*\.js$/);
    await alert.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
  });

  test('an address that is cut off leads to the start', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page, complaints } = await openConsole(browser, server);
    await page.goto(`${server.origin}/#/s/%E0%A4%A`);
    await page.getByRole('heading', { name: 'Session not found' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('what you write or attach while a message is being sent stays', async () => {
    const { server, root } = await startEmulatedConsole(echo());
    const { page } = await openConsole(browser, server);
    const { hold, release } = await holdAnswers(page);
    await page.reload();
    await newSession(page, root);
    hold();
    await tell(page, 'First');
    await conversation(page).getByText('You said: 5').waitFor();
    await page.keyboard.type(' and more');
    await page.getByLabel('Files to attach').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('milk'),
    });
    const attached = page.getByRole('list', { name: 'Attached' });
    await attached.getByText('notes.txt').waitFor();
    release();
    await expect.poll(() => composer(page).inputValue()).toBe(' and more');
    await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator(':enabled')).waitFor();
    await expect.poll(() => attached.getByText('notes.txt').count()).toBe(1);
  });

  test('a message that is too large for the server is refused once and stays in the field', async () => {
    const { server, root } = await startEmulatedConsole(echo(), { limits: { message: 100_000 } });
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'x'.repeat(200_000));
    await page.getByText('This is too large for the server. Nothing was sent.').waitFor();
    expect((await composer(page).inputValue()).length).toBe(200_000);
    await page.getByText('The connection to the server is lost').waitFor({ state: 'hidden' });
    await tell(page, 'four');
    await conversation(page).getByText('You said: 4').waitFor();
  });

  test('the end of the conversation stays in view while a long answer is rendered', async () => {
    // Short lines are lower than the page expects of a text of this length, and long ones higher.
    const answer = [`${'short '.repeat(6)}\n`.repeat(1_500), `${'long '.repeat(300)}\n\n`.repeat(60)].join(
      '\n',
    );
    const { server, root } = await startEmulatedConsole([
      onUser(undefined, (text) => [say(`${answer}\n\nEnd of ${text}.`, { chunk: 2_000, delayMs: 5 })], {
        times: 'any',
      }),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    const said = conversation(page);
    const gap = () =>
      said.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    for (const turn of [1, 2]) {
      await tell(page, `Turn ${turn}`);
      const last = said.locator('.row', { hasText: `End of Turn ${turn}.` });
      await last.locator('+ .row[data-kind="turn-end"]').waitFor();
      await expect.poll(gap).toBeLessThan(40);
    }
  });
});
