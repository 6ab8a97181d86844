import { expect, test } from 'vitest';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { DESKTOP, openConsole, PHONE } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { assistant, id, projectOf, putTranscript, user } from '../support/transcripts.js';

describeUnless(noBrowser, 'usage over all conversations', () => {
  const browser = sharedBrowser();

  test('is a chart by day and folder, with tables of the numbers', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const put = (number: number, cwd: string, output: number) => {
      const usage = { input_tokens: 1, output_tokens: output };
      const entry = assistant(3, 2, 'Yes.');
      const timestamp = new Date().toISOString();
      const answered = { ...entry, timestamp, message: { ...(entry.message as object), usage } };
      const lines = [user(2, null, 'Go'), answered].map((line) => ({ ...line, cwd, sessionId: id(number) }));
      return putTranscript(root, `${id(number)}.jsonl`, lines, projectOf(cwd));
    };
    for (let folder = 0; folder < 7; folder += 1)
      await put(100 + folder, `${root}/f${folder}`, 1_000 * (folder + 1));
    const { page, complaints } = await openConsole(browser, server, { bypassCSP: true });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('7 folders').waitFor();
    const chart = page.getByRole('img', { name: /Tokens per day, up to 28/ });
    // Five folders have their own segment, and the others share one.
    await expect.poll(() => chart.locator('rect').count()).toBe(6);
    const folders = page.getByRole('region', { name: 'By folder' }).getByRole('row');
    await expect.poll(() => folders.count()).toBe(9);
    await expect.poll(() => folders.last().allTextContents()).toEqual(['Total7028.0k']);
    await expect.poll(() => folders.nth(1).textContent()).toContain('f6');
    await expect.poll(() => page.getByRole('region', { name: 'By day' }).getByRole('row').count()).toBe(2);
    for (const [colorScheme, size] of [
      ['light', DESKTOP],
      ['dark', PHONE],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      expect(await axeProblems(page)).toEqual([]);
      // The text of the chart is not scaled, no label covers another, and the newest day has one.
      const labels = chart.locator('text');
      const heights = await labels.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().height),
      );
      expect(Math.min(...heights)).toBeGreaterThan(11);
      const days = await labels
        .filter({ hasText: '-' })
        .evaluateAll((all) =>
          all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
        );
      expect(days.filter(({ left }, index) => left < (days[index - 1]?.right ?? 0))).toEqual([]);
      expect(days.at(-1)?.right).toBeLessThanOrEqual(size.width);
      const today = new Date();
      const two = (value: number) => String(value).padStart(2, '0');
      await expect
        .poll(() => labels.last().textContent())
        .toBe(`${two(today.getMonth() + 1)}-${two(today.getDate())}`);
    }
    await page.getByLabel('Days').selectOption('7');
    await page.getByText('7 folders').waitFor();
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
