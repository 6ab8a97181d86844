import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { composer, conversation, newSession, openConsole, shown, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { assistant, putTranscript, SESSION, user } from '../support/transcripts.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Drops a text file on the page; returns whether the page took it. */
function drop(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['remember the milk'], 'notes.txt', { type: 'text/plain' }));
    const events = ['dragover', 'drop'].map((type) =>
      new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    for (const event of events) document.querySelector('main').dispatchEvent(event);
    return events.every((event) => event.defaultPrevented);
  })()`);
}

describeUnless(noBrowser, 'attached files', () => {
  const browser = sharedBrowser();
  const attached = (page: Page) => page.getByRole('list', { name: 'Attached' });

  test('a file dropped on any view is attached to the open session, or the page says why not', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    expect(await drop(page)).toBe(true);
    await page.getByText('Open a session first').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(await drop(page)).toBe(true);

    await newSession(page, root);
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('region', { name: 'Changes' }).waitFor();
    expect(await drop(page)).toBe(true);
    await page.getByText('Attached to the next message of this session.').waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await attached(page).getByText('notes.txt').waitFor();

    const client = await BareClient.connect(server);
    await client.ask('close', {}, { session: page.url().split('/').at(-1) ?? '' });
    await page.getByText('This session has ended.', { exact: true }).waitFor();
    expect(await drop(page)).toBe(true);
    await page.getByText('This session has ended. Resume it, then drop the files again.').waitFor();
  });

  test('attachments stay with their session while other views are shown, and are gone once sent', async () => {
    const { server, root } = await startEmulatedConsole(() => [
      onUser(undefined, [say('Seen.')], { times: 'any' }),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await drop(page);
    await attached(page).getByText('notes.txt').waitFor();
    const address = page.url();
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await attached(page).getByText('notes.txt').waitFor();
    await newSession(page, root);
    await expect.poll(() => attached(page).count()).toBe(0);
    await page.goto(address);
    await attached(page).getByText('notes.txt').waitFor();
    await tell(page, 'See it');
    await conversation(page).getByText('Seen.').waitFor();
    await expect.poll(() => attached(page).count()).toBe(0);
  });

  test('text that is pasted with a picture of itself is only text', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    const paste = (text: string) =>
      page.evaluate(
        `(() => {
          const clipboardData = new DataTransfer();
          clipboardData.items.add(new File(['x'], 'cells.png', { type: 'image/png' }));
          if (${JSON.stringify(text)} !== '') clipboardData.setData('text/plain', ${JSON.stringify(text)});
          document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
        })()`,
      );
    await paste('1\t2');
    await paste('');
    await attached(page).getByText('cells.png').waitFor();
    await expect.poll(() => attached(page).getByRole('listitem').count()).toBe(1);
  });

  test('editing a message brings back its pictures and documents', async () => {
    const { server, root, clis } = await startEmulatedConsole(() => [
      onUser(undefined, [say('Better.')], { times: 'any' }),
    ]);
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' };
    const lines = [
      user(2, null, [picture]),
      assistant(3, 2, 'A dot.'),
      user(4, 3, [
        { type: 'document', title: 'plan.pdf', source: pdf },
        { type: 'text', text: 'And this?' },
      ]),
      assistant(5, 4, 'A plan.'),
    ].map((line) => ({ ...line, cwd: root }));
    await putTranscript(root, `${SESSION}.jsonl`, lines, root.replaceAll(/[^A-Za-z0-9]/g, '-'));
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, resume: SESSION, title: 'Shed' });
    const { page } = await openConsole(browser, server);
    await page.goto(`${server.origin}/#/s/${session}`);
    const rows = page.locator('.row[data-kind=user]');
    await rows.nth(1).getByRole('button', { name: 'Edit and resend' }).click();
    await attached(page).getByText('plan.pdf').waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe('And this?');
    await tell(page, 'And that?');
    await conversation(page).getByText('Better.').waitFor();
    const sent = clis.at(-1)?.received.findLast(({ type }) => type === 'user')?.message;
    expect(sent).toMatchObject({
      content: [
        { type: 'document', title: 'plan.pdf', source: pdf },
        { type: 'text', text: 'And that?' },
      ],
    });
    // A message may be a picture only.
    await page.goto(`${server.origin}/#/s/${session}`);
    await shown(page);
    await rows.first().getByRole('button', { name: 'Edit and resend' }).click();
    await attached(page).getByText('Picture').waitFor();
  });
});
