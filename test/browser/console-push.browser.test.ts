import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { toolUse } from '../../src/lab/testing/model/replies.js';
import type { Console } from '../../src/server/console/start-console.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { openConsole } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { eventually } from '../support/eventually.js';
import { startPushService } from '../support/push-service.js';
import { startRealConsole } from '../support/real-console.js';

/** The push service of these tests is on this machine. */
const HERE = { webhookHosts: ['127.0.0.1'] };

describeUnless(noBrowser, 'messages while no page is open', () => {
  const browser = sharedBrowser();

  test('are turned on in the page, delivered by the browser, and open their session', async () => {
    const scenario = [onUser([useTool('Bash', { command: 'ls' }, { ask: true })])];
    await tellWithoutPage(browser, await startEmulatedConsole(scenario, HERE));
  });
});

describeRealClis(
  'messages while no page is open',
  (cli) => {
    const browser = sharedBrowser();

    test('come when a real CLI asks', async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const { place, server, cwd } = await startRealConsole(cli, {}, HERE);
      place.model.play([
        { when: 'go', reply: toolUse('Bash', { command: 'touch made.txt', description: 'Makes a file' }) },
      ]);
      await tellWithoutPage(browser, { server, root: cwd });
    });
  },
  ['2.1.17', '2.1.326'],
);

/** Turns messages on in a page, leaves it, and lets a session ask. */
async function tellWithoutPage(
  browser: Pick<Browser, 'newContext'>,
  { server, root }: { readonly server: Console; readonly root: string },
): Promise<void> {
  const service = await startPushService();
  const { page, complaints } = await openConsole(browser, server, { permissions: ['notifications'] });
  await subscribeAt(page, service.subscription);
  const box = page.getByRole('checkbox', { name: 'Notify me when no page is open' });
  await expect.poll(() => box.isChecked()).toBe(false);
  await box.click();
  await page.getByText('You also get a notification when no page is open.').waitFor();
  // The page asks the server: what this browser says about itself may be outdated.
  await page.reload();
  await expect.poll(() => box.isChecked()).toBe(true);

  const worker = await workerOf(page);
  // The worker lives without a page.
  await page.goto('about:blank');
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'go' }, { session });
  await eventually(() => service.taken.length === 1);
  await worker.deliver(service.taken[0]?.text ?? '');
  await page.goto(server.origin);
  const shown = () =>
    page.evaluate<{ title: string; body: string; data: string }[]>(
      `navigator.serviceWorker.ready.then(async (worker) => (await worker.getNotifications()).map(({ title, body, data }) => ({ title, body, data })))`,
    );
  await expect.poll(shown).toEqual([
    {
      title: expect.stringMatching(/^A session in \S+ needs you$/),
      body: 'It asks whether Bash may run.',
      data: session,
    },
  ]);
  await box.click();
  await page.getByText('No more without an open page.').waitFor();
  expect((await client.ask('push', { endpoint: service.subscription.endpoint })).on).toBe(false);
  expect(complaints).toEqual([]);
}

/** No push service can be reached from a test: the browser says that it has subscribed at ours. */
async function subscribeAt(
  page: Page,
  { endpoint, p256dh, auth }: Record<'endpoint' | 'p256dh' | 'auth', string>,
) {
  const subscription = JSON.stringify({ endpoint, keys: { p256dh, auth } });
  await page.addInitScript(`{
    const subscription = { ...${subscription}, toJSON: () => (${subscription}), unsubscribe: async () => localStorage.removeItem('subscribed') };
    PushManager.prototype.subscribe = async (options) => {
      if (options.applicationServerKey.length !== 87) throw new Error('this is no key');
      localStorage.setItem('subscribed', 'yes');
      return subscription;
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem('subscribed') === 'yes' ? subscription : null;
  }`);
  await page.reload();
}

/** The page's service worker, as Chromium's own tools see it. */
async function workerOf(page: Page) {
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  const tools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) =>
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) found(first.registrationId);
    }),
  );
  await tools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return {
    deliver: (data: string) =>
      tools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }),
  };
}
