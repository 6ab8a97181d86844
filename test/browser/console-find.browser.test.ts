import { expect, test, vi } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { conversation, newSession, openConsole, PHONE, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { assistant, id, projectOf, putTranscript, user } from '../support/transcripts.js';

describeUnless(noBrowser, 'finding in the console', () => {
  const browser = sharedBrowser();

  test('words are found in a conversation by keyboard, even in folded results and off screen', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => say(`Line ${index}.`));
    const { server, root } = await startEmulatedConsole([
      onUser([
        say('The first needle.'),
        ...filler,
        useTool('Bash', { command: 'ls' }, { result: 'hay and a NEEDLE' }),
        say('The end.'),
      ]),
    ]);
    const { page } = await openConsole(browser, server, { bypassCSP: true });
    await newSession(page, root);
    await tell(page, 'Go');
    await conversation(page).getByText('The end.').waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Message', { exact: true }).press('Control+f');
    const field = page.getByLabel('Find in this conversation');
    await field.fill('needle');
    const bar = page.getByRole('search');
    await bar.getByText('2 of 2').waitFor();
    const found = page.locator('.row[data-found="true"]');
    await found.getByText('ls').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await field.press('Enter');
    await bar.getByText('1 of 2').waitFor();
    await found.getByText('The first needle.').waitFor();
    await expect.poll(() => found.isVisible()).toBe(true);
    expect(await page.evaluate<number>("CSS.highlights.get('find').size")).toBeGreaterThan(0);
    await field.press('Enter');
    await bar.getByText('2 of 2').waitFor();
    await field.fill('needle hay');
    await bar.getByText('1 of 1').waitFor();
    await field.fill('nowhere');
    await bar.getByText('None').waitFor();
    await field.press('Escape');
    await expect.poll(() => bar.count()).toBe(0);
    // From anywhere: the list of sessions, or nowhere.
    await page.getByLabel('Search sessions').press('Control+f');
    await bar.waitFor();
    await page.getByLabel('Find in this conversation').press('Escape');
    await page.evaluate<void>('document.activeElement.blur()');
    await page.keyboard.press('Control+f');
    await bar.waitFor();
    await field.press('Escape');
    expect(await page.evaluate<boolean>("document.activeElement.matches('.conversation')")).toBe(true);
    expect(await page.evaluate<boolean>("CSS.highlights.has('find')")).toBe(false);
  });

  test('words stay marked in code that gets its colours after they were found', async () => {
    const edit = { file_path: '/w/a.ts', old_string: 'const quince = 1;', new_string: 'const quince = 2;' };
    const filler = Array.from({ length: 60 }, (_, index) => say(`Line ${index}.`));
    const { server, root } = await startEmulatedConsole([
      onUser([useTool('Edit', edit, { result: 'ok' }), ...filler, say('The end.')]),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Go');
    await conversation(page).getByText('The end.').waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Message', { exact: true }).press('Control+f');
    await page.getByLabel('Find in this conversation').fill('quince');
    await page.getByRole('search').getByText('1 of 1').waitFor();
    await page.locator('.row[data-found="true"] .diff .hljs-keyword').first().waitFor();
    const marked = () => page.evaluate<string[]>("[...CSS.highlights.get('find')].map(String)");
    await expect.poll(marked).toEqual(['quince', 'quince']);
  });

  test('the search of a phone stays usable while earlier messages load', async () => {
    const { server, root } = await startEmulatedConsole([
      onUser([
        useTool('Bash', { command: 'one' }, { result: 'long '.repeat(80_000) }),
        useTool('Bash', { command: 'two' }, { result: 'long '.repeat(80_000) }),
        say('The end.'),
      ]),
    ]);
    const { page } = await openConsole(browser, server, { viewport: PHONE });
    await newSession(page, root);
    await tell(page, 'Go');
    await conversation(page).getByText('The end.').waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'hidden' });
    // Earlier events are announced, and never arrive.
    let attached = 0;
    await page.routeWebSocket(/api\/socket/, (socket) => {
      socket.connectToServer().onMessage((text) => {
        if (String(text).startsWith('{"type":"attached"')) attached += 1;
        if (attached < 2 || !String(text).startsWith('{"type":"event"')) socket.send(text);
      });
    });
    await page.reload();
    await page.getByText('Loading earlier messages…').waitFor();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    // It would fail if something else were in front.
    await page.getByLabel('Find in this conversation').click();
  });

  test('words are found in all conversations on disk, and shown in their place', async () => {
    const { server, root, clis } = await startEmulatedConsole(() => []);
    const put = (number: number, said: string) =>
      putTranscript(
        root,
        `${id(number)}.jsonl`,
        [user(2, null, `Question ${number}`), assistant(3, 2, said)].map((line) => ({
          ...line,
          cwd: root,
          sessionId: id(number),
        })),
        projectOf(root),
      );
    await put(100, `${'\u001b[31mlong before it\u001b[0m '.repeat(9)}The needle is <b>here</b>.`);
    await put(101, 'Only hay.');
    for (let number = 200; number < 225; number += 1) await put(number, `Thread ${number}`);
    const { page } = await openConsole(browser, server, { bypassCSP: true });
    await page.getByLabel('Search sessions').fill('needle');
    await page.getByRole('button', { name: 'Find “needle” in all messages' }).click();
    const section = page.getByRole('region', { name: 'In messages' });
    await section.getByText('1 found.').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await expect.poll(() => section.locator('mark').allTextContents()).toEqual(['needle']);
    await expect.poll(() => section.locator('.found-text').textContent()).not.toContain('[31m');
    // The first two lines, which are all that is shown, have the word.
    const isShown = section.locator('mark').evaluate((mark) => {
      const line = mark.closest('.found-text')?.getBoundingClientRect();
      return line !== undefined && mark.getBoundingClientRect().bottom <= line.bottom;
    });
    expect(await isShown).toBe(true);
    await section.getByText('is <b>here</b>').waitFor();
    expect(clis).toEqual([]);
    await section.getByRole('listitem').getByRole('button').click();
    await page.getByRole('search').getByText('1 of 1').waitFor();
    await page.locator('.row[data-found="true"]').getByText('The needle is').waitFor();
    // A conversation has one name, wherever it is listed.
    const client = await BareClient.connect(server);
    // It may be listed a moment after its rows are shown.
    const session = await vi.waitFor(async () => {
      const [own] = (await client.ask('history.search', { text: 'needle' })).found;
      return own?.session ?? Promise.reject(new Error('The conversation has no session.'));
    }, 20_000);
    await client.ask('rename', { title: 'Haystack' }, { session });
    await page.getByRole('heading', { name: 'Haystack' }).waitFor();
    await page.getByLabel('Search sessions').fill('NEEDLE');
    await page.getByRole('button', { name: 'Find “NEEDLE” in all messages' }).click();
    await section.getByText('Haystack').waitFor();
    // Results beyond one response arrive too.
    await page.getByLabel('Search sessions').fill('thread');
    await page.getByRole('button', { name: 'Find “thread” in all messages' }).click();
    await section.getByText('25 found.').waitFor();
    await page.getByLabel('Search sessions').fill('');
    await expect.poll(() => section.count()).toBe(0);
  });
});
