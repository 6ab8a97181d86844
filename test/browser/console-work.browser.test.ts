import { expect, test } from 'vitest';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { startTask } from '../../src/lab/testing/emulator/steps/task-steps.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { conversation, newSession, openConsole, openView, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

describeUnless(noBrowser, 'Chrome and tasks in the console', () => {
  const browser = sharedBrowser();

  async function begin(scenario: Scenario, version?: string) {
    const emulate = version === undefined ? {} : { version };
    const started = await startEmulatedConsole(scenario, { emulate });
    const opened = await openConsole(browser, started.server);
    await newSession(opened.page, started.root);
    return { ...started, ...opened };
  }

  const chrome = { name: 'claude-in-chrome', status: 'connected' };
  const dialog = { installed: true, connected: true, enabled_by_default: true };

  test('one of several browsers can be selected and reconnected', async () => {
    const list = (current: string) => ({
      browsers: ['Work', 'Home'].map((name) => ({ device_id: name, name, current: name === current })),
    });
    const { page, clis } = await begin([
      onRequest('mcp_status', [answer({ mcpServers: [chrome] })], { times: 'any' }),
      onRequest('get_chrome_dialog', [answer(dialog)], { times: 'any' }),
      onRequest('get_chrome_browsers', [answer(list('Work'))], { times: 2 }),
      onRequest('select_chrome_browser', [answer({})]),
      onRequest('get_chrome_browsers', [answer(list('Home'))], { times: 'any' }),
      onRequest('mcp_reconnect', [answer({})]),
    ]);
    await openView(page, 'Chrome');
    const choice = page.getByLabel('Browser');
    await expect.poll(() => choice.inputValue()).toBe('Work');
    await choice.selectOption('Home');
    await expect.poll(() => choice.inputValue()).toBe('Home');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    const requests = () => (clis[0]?.received ?? []).map(({ request }) => request).filter(isObject);
    const sent = (subtype: string) => requests().filter((each) => each.subtype === subtype);
    await expect.poll(() => sent('mcp_reconnect')).toMatchObject([{ serverName: 'claude-in-chrome' }]);
    expect(sent('select_chrome_browser')).toMatchObject([{ device_id: 'Home' }]);
  });

  test('a dialog that says connected does not count without a browser', async () => {
    const { page } = await begin([
      onRequest('mcp_status', [answer({ mcpServers: [chrome] })], { times: 'any' }),
      onRequest('get_chrome_dialog', [answer(dialog)], { times: 'any' }),
      onRequest('get_chrome_browsers', [answer({ browsers: [] })], { times: 'any' }),
    ]);
    await openView(page, 'Chrome');
    const facts = page.locator('.facts > div').filter({ hasText: /^Connected/ });
    await facts.getByText('no', { exact: true }).waitFor();
  });

  test('without Chrome, the page says what is missing', async () => {
    const { page } = await begin([], '2.1.17');
    await openView(page, 'Chrome');
    await page.getByText('This session has no connection to Chrome').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Reconnect' }).isDisabled()).toBe(true);
  });

  test('a task in the background is listed and stopped', async () => {
    const { page, clis } = await begin([
      onUser([startTask('t1', { description: 'Long work', output: 'half done' }), say('It runs.')]),
    ]);
    await tell(page, 'go');
    await conversation(page).getByText('It runs.').waitFor();
    await page.getByRole('tab', { name: 'Tasks' }).click();
    const task = page.getByRole('listitem').filter({ hasText: 'Long work' });
    await task.getByText('in the background').waitFor();
    await task.getByRole('button', { name: 'Output' }).click();
    await task.getByText('half done').waitFor();
    await task.getByRole('button', { name: 'Stop' }).click();
    await task.getByText('stopped').first().waitFor();
    await expect.poll(() => task.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    expect(clis[0]?.failures).toEqual([]);
  });

  test('what an old CLI cannot do with its tasks is greyed out, with the reason', async () => {
    const { page } = await begin([onUser([say('Working.'), hang()])], '2.1.17');
    await tell(page, 'go');
    await conversation(page).getByText('Working.').waitFor();
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await page.getByText('Running work cannot be moved to the background with CLI 2.1.17').waitFor();
    const move = page.getByRole('button', { name: 'Move all running work to the background' });
    await expect.poll(() => move.isDisabled()).toBe(true);
  });
});
