import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { conversation, openConsole, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { assistant, SESSION, user } from '../support/transcripts.js';

const chat = () => [onUser(undefined, (text) => [say(`Again: ${text}`)], { times: 'any' as const })];

describeUnless(noBrowser, 'the page with long conversations', () => {
  const browser = sharedBrowser();

  /** Shows a conversation from disk: alternating messages of the person and the model, or other entries. */
  async function resumed(entries: (cwd: string) => readonly Record<string, unknown>[]) {
    const { server, root } = await startEmulatedConsole(chat);
    const project = join(root, 'projects', root.replaceAll(/[^a-zA-Z0-9]/g, '-'));
    await mkdir(project, { recursive: true });
    const lines = entries(root).map((entry) => JSON.stringify({ ...entry, cwd: root }));
    await writeFile(join(project, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, resume: SESSION, title: 'long' });
    const { page, complaints } = await openConsole(browser, server);
    const frames: Record<string, unknown>[] = [];
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => frames.push(JSON.parse(String(payload)))),
    );
    await page.reload();
    await page.getByRole('link', { name: /long/ }).click();
    const numbers = () => frames.filter(({ type }) => type === 'event').map(({ n }) => Number(n));
    const texts = () => frames.flatMap((frame) => JSON.stringify(frame).match(/number \d+ /) ?? []);
    return { page, complaints, session, numbers, texts, client };
  }

  const talk = (count: number) => () =>
    Array.from({ length: count }, (_, index) => {
      const parent = index === 0 ? null : index + 1;
      const words = `number ${index + 1} ${'word '.repeat(200)}`;
      return index % 2 === 0 ? user(index + 2, parent, words) : assistant(index + 2, parent, words);
    });

  const scrollUp = (page: Page) =>
    conversation(page).evaluate((element) => {
      element.scrollTop = 0;
    });

  /** Records in each frame how far below the upper edge a row is; undefined if it is not rendered. */
  async function watchPlace(page: Page, text: string) {
    await conversation(page).evaluate((frame, words) => {
      const places: (number | undefined)[] = [];
      Object.assign(window, { places });
      const look = () => {
        const row = [...frame.querySelectorAll('.row')].find((each) => each.textContent?.includes(words));
        const { top } = frame.getBoundingClientRect();
        places.push(row && row.getBoundingClientRect().top - top);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, text);
    return () => page.evaluate(() => (window as unknown as { places: (number | undefined)[] }).places);
  }

  test('the end loads first; earlier messages load on scrolling up, and nothing jumps', async () => {
    const { page, numbers, texts, complaints } = await resumed(talk(600));
    await conversation(page).getByText('number 600 ').waitFor();
    const [first = 0] = numbers();
    expect(first).toBeGreaterThan(100);
    expect(numbers()).toEqual(numbers().map((_, index) => first + index));
    const places = await watchPlace(page, texts()[0] ?? '');
    await scrollUp(page);
    await expect.poll(() => Math.min(...numbers()), { timeout: 20_000 }).toBeLessThan(first);
    await page.locator('.fetching').waitFor({ state: 'detached' });
    await expect.poll(() => conversation(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(500);
    // The row that was the first one stays in place, in every frame that the page has drawn.
    await expect.poll(async () => (await places()).at(-1)).toBeDefined();
    const seen = (await places()).filter((place) => place !== undefined);
    expect(Math.max(...seen) - Math.min(...seen)).toBeLessThan(2);
    await expect
      .poll(
        async () => {
          await scrollUp(page);
          return conversation(page).getByText('number 1 ', { exact: false }).first().isVisible();
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    expect(Math.min(...numbers())).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('sending a message scrolls back to the end', async () => {
    const { page } = await resumed(talk(100));
    await conversation(page).getByText('number 100 ').waitFor();
    await scrollUp(page);
    await page.getByRole('button', { name: '↓ To the end' }).waitFor();
    await tell(page, 'Where is this?');
    const mine = conversation(page).locator('.user', { hasText: 'Where is this?' });
    await expect.poll(() => mine.isVisible()).toBe(true);
    await expect
      .poll(() =>
        mine.evaluate((element) => {
          const { bottom } = element.getBoundingClientRect();
          return bottom <= (element.closest('.conversation')?.getBoundingClientRect().bottom ?? 0);
        }),
      )
      .toBe(true);
  });

  test('the list stays at the end when the conversation gets less room', async () => {
    const { page } = await resumed(talk(100));
    await conversation(page).getByText('number 100 ').waitFor();
    const left = () =>
      conversation(page).evaluate(
        ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
      );
    await expect.poll(left).toBeLessThan(2);
    // A prompt appears below it, and only then does the page scroll to the end.
    await conversation(page).evaluate((frame) => {
      frame.style.cssText = 'flex: none; height: 200px';
      frame.dispatchEvent(new Event('scroll'));
    });
    await expect
      .poll(() => conversation(page).evaluate(({ clientHeight }) => clientHeight))
      .toBeLessThan(201);
    await expect.poll(left).toBeLessThan(2);
  });

  test('earlier messages show their original times', async () => {
    const { page } = await resumed(talk(4));
    const time = conversation(page).locator('time').first();
    await time.waitFor();
    await expect.poll(() => time.getAttribute('dateTime')).toBe(new Date(1_767_225_602_000).toISOString());
    await page.getByText('since the resume').waitFor();
  });

  test('a long answer is rendered only as far as it is visible', async () => {
    const text = Array.from(
      { length: 3_000 },
      (_, index) => `## Part ${index}\n\nWords of **part ${index}**.`,
    ).join('\n\n');
    const { page } = await resumed(() => [user(2, null, 'Tell me all'), assistant(3, 2, text)]);
    await conversation(page).getByText('Words of part 2999.').waitFor();
    await expect.poll(() => conversation(page).getByRole('heading').count()).toBeLessThan(1_500);
    await scrollUp(page);
    await conversation(page).getByText('Words of part 0.').waitFor();
  });

  test('"Show all" of a long result renders only the visible part', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of the file`).join('\n');
    const use = [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'cat file' } }];
    const { page } = await resumed(() => [
      user(2, null, 'Read it'),
      assistant(3, 2, use),
      user(4, 3, [{ type: 'tool_result', tool_use_id: 't1', content: lines }]),
    ]);
    await page.getByRole('button', { name: /cat file/ }).click();
    await page.getByRole('button', { name: /^Show all/ }).click();
    const text = page.locator('.long-text pre').last();
    await text.getByText('line 0 of the file').waitFor();
    expect((await text.textContent())?.length).toBeLessThan(200_000);
    await text.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await text.getByText('line 39999 of the file').waitFor();
  });
});
