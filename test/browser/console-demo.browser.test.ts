import { expect, onTestFinished, test } from 'vitest';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/console.js';
import { conversation, openConsole, prompt } from '../support/console-page.js';
import { startCoxProcess } from '../support/cox-process.js';
import { describeUnless } from '../support/describe-unless.js';

describeUnless(noBrowser, 'the demo of the console', () => {
  const browser = sharedBrowser();

  test('shows the failed tests as failed, and edits a file that can be viewed and compared', async () => {
    const cox = startCoxProcess(['console', '--demo', '--json', '--port', '0'], {
      env: { TMPDIR: await temporaryFolder() },
    });
    onTestFinished(() => cox.kill('SIGKILL'));
    await cox.until('\n');
    const { page } = await openConsole(browser, JSON.parse(cox.out));
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('button', { name: 'The greeting test fails. Please fix it.' }).click();
    const allow = (tool: string) =>
      prompt(page, `May ${tool} run?`).getByRole('button', { name: 'Allow once', exact: true }).click();
    await allow('Bash');
    const failed = conversation(page).locator('.tool', { hasText: 'npm test' }).first();
    await failed.getByText(/^exit 1/).waitFor();
    await expect.poll(() => failed.getAttribute('data-failed')).toBe('true');
    await page.getByLabel('Hello, Ada!').check();
    await page.getByLabel('Web page').check();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await allow('Edit');
    await allow('Bash');
    await conversation(page).getByText('All tests pass.').waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    const changed = page.getByRole('list', { name: 'Changed files' });
    await changed.getByRole('button', { name: 'View' }).click();
    await page.getByRole('dialog', { name: 'src/greet.js' }).getByText('"Hello, "').waitFor();
  });
});
