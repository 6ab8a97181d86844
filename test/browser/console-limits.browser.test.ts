import { expect, test } from 'vitest';
import { rateLimitEvent } from '../../src/lab/testing/builders/system.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { openConsole } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

describeUnless(noBrowser, 'what a session may not do', () => {
  const browser = sharedBrowser();

  test('the header has a meter of the usage limits, and auto mode tells what it denies', async () => {
    const resetsAt = Math.ceil(Date.now() / 1000) + 3_600;
    const unifiedWindows = {
      five_hour: { utilization: 0.93, resetsAt },
      seven_day: { utilization: 0.4, resetsAt },
    };
    const report = rateLimitEvent({ status: 'allowed', utilization: undefined, unifiedWindows });
    const call = useTool('Bash', { command: 'rm x' }, { denied: 'It deletes files.', result: 'It is gone.' });
    const { server, root } = await startEmulatedConsole(() => [
      onUser(undefined, [send(report), call, call, say('ok'), done()], { times: 'any' }),
    ]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('setPermissionMode', { mode: 'auto' }, { session });
    await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ limits }) => limits !== undefined);
    const { page, complaints } = await openConsole(browser, server, { bypassCSP: true });
    await page
      .getByRole('navigation', { name: 'Sessions' })
      .getByRole('link', { name: 'hello' })
      .first()
      .click();
    const meter = page.getByText('93 % of 5 hours');
    await meter.waitFor();
    await expect.poll(() => meter.getAttribute('title')).toContain('7 days: 40 %');
    await expect.poll(() => meter.getAttribute('data-over')).toBe('true');
    await page.getByText('The CLI denied Bash itself: It deletes files.').waitFor();
    const card = page.getByRole('region', { name: 'The CLI denied Bash itself' });
    await card.getByText('the model may make the same call again').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Allowed by you').waitFor();
    await page.getByText('It is gone.').waitFor();
    expect(complaints).toEqual([]);
  });
});
