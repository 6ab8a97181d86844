import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, serviceWorkerOf, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { notifications, openConsole, PHONE, watchNotifications } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

/** What a camera would read from the displayed code. */
async function scan(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: /QR code/ });
  const [size, path] = await Promise.all([
    code.getAttribute('viewBox').then((box) => Number(box?.split(' ').at(-1))),
    code.locator('path').getAttribute('d'),
  ]);
  const SCALE = 4;
  const [width, data] = [size * SCALE, new Uint8Array((size * SCALE) ** 2 * 4).fill(255)];
  for (const [, x, y] of path?.matchAll(/M(\d+) (\d+)/g) ?? []) {
    for (let dy = 0; dy < SCALE; dy += 1) {
      for (let dx = 0; dx < SCALE; dx += 1) {
        const at = (Number(y) * SCALE + dy) * width + Number(x) * SCALE + dx;
        data.fill(0, at * 4, at * 4 + 3);
      }
    }
  }
  return decodeQR({ width, height: width, data });
}

/** Other devices cannot reach a test's console. */
const anyway = (page: Page) => page.getByRole('button', { name: 'Show the code anyway' }).click();

describeUnless(noBrowser, 'a second device', () => {
  const browser = sharedBrowser();

  test('logs in by a QR code, once, with the chosen rights', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page, complaints } = await openConsole(browser, server);
    await page.getByRole('button', { name: 'Add a device' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a device' });
    await dialog.getByText('can be reached only from this machine').waitFor();
    await expect.poll(() => page.getByRole('img', { name: /QR code/ }).count()).toBe(0);
    await anyway(page);
    const address = await scan(page);
    expect(address).toMatch(new RegExp(`^${server.origin}/#token=[\\w-]{43}$`));
    const phone = await openConsole(browser, server, { url: address, viewport: PHONE, hasTouch: true });
    await phone.page.getByText('Operator: you can send messages and answer prompts').waitFor();
    expect(phone.page.url()).not.toContain('token');
    // It cannot invite anyone with more rights than its own.
    await phone.page.getByRole('button', { name: 'Add a device' }).click();
    const offered = phone.page.getByLabel('The device').getByRole('option');
    await expect
      .poll(() => offered.allTextContents())
      .toEqual(['can only view', 'can send messages and answer prompts']);

    const late = await (await browser.newContext()).newPage();
    await late.goto(address);
    await late.getByRole('heading', { name: 'This page needs a key' }).waitFor();
    await late.getByRole('alert').getByText('This address is invalid or has expired.').waitFor();

    await dialog.getByLabel('The device').selectOption('watcher');
    await expect.poll(() => scan(page)).not.toBe(address);
    const wall = await openConsole(browser, server, { url: await scan(page) });
    await wall.page.getByText('Read-only access').waitFor();
    await expect.poll(() => wall.page.getByRole('button', { name: 'Add a device' }).count()).toBe(0);
    // It signs itself out, which takes no rights.
    await wall.page.getByRole('button', { name: 'Sign out' }).click();
    await wall.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await wall.page.getByRole('heading', { name: 'This page needs a key' }).waitFor();
    expect(await wall.page.evaluate('localStorage.length')).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('is listed with its role and last use, and loses the page when it is signed out', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    await page.getByRole('button', { name: 'Add a device' }).click();
    await anyway(page);
    const phone = await openConsole(browser, server, { url: await scan(page), viewport: PHONE });
    await phone.page.getByText('Operator: you can send messages and answer prompts').waitFor();
    // Whoever comes back to the page sees what has changed.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    const list = page.getByRole('region', { name: 'Devices and keys' });
    const row = list.getByRole('listitem').filter({ hasText: 'joined · sends and answers · connected' });
    await row.getByText(/last used .* from .*127\.0\.0\.1/).waitFor();
    await row.getByRole('button', { name: 'Sign out' }).click();
    await page
      .getByRole('dialog', { name: 'Sign this browser out?' })
      .getByRole('button', { name: 'Sign out' })
      .click();
    await phone.page.getByRole('heading', { name: 'This page needs a key' }).waitFor();
    await expect.poll(() => row.count()).toBe(0);
    await list.getByText('this browser').waitFor();
  });

  test('the dialog passes axe, and says when its code has expired', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server, { bypassCSP: true });
    await page.clock.install();
    await page.getByRole('button', { name: 'Add a device' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a device' });
    await anyway(page);
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.clock.fastForward(3 * 60_000);
    await dialog.getByText('This code has expired.').waitFor();
    await expect.poll(() => dialog.getByRole('img', { name: /QR code/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'New code' }).click();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  });

  test('a code that cannot be created is explained, and can be asked for again', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    await page.route('**/api/join', (route) => route.abort());
    await page.getByRole('button', { name: 'Add a device' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a device' });
    const alert = dialog.getByRole('alert');
    await alert.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/api/join');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await anyway(page);
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await expect.poll(() => alert.count()).toBe(0);
  });

  test('the page can be installed; its worker stores nothing and shows notifications', async () => {
    const { server, root } = await startEmulatedConsole([
      onUser([useTool('Bash', { command: 'ls' }, { ask: true })]),
    ]);
    const { page, complaints } = await openConsole(browser, server, { permissions: ['notifications'] });
    const devtools = await page.context().newCDPSession(page);
    const { errors } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Test contexts are private windows, in which browsers install nothing.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
    await page.evaluate('navigator.serviceWorker.ready');
    await watchNotifications(page);
    const loaded = await page.evaluate<number>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    expect(loaded).toBeGreaterThan(10_000);
    expect(loaded).toBeLessThan(400_000);
    // In the background.
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Shed' });
    await client.ask('send', { content: 'Go' }, { session });
    const { prompts } = (
      await client.ever(
        ({ session: each }) => (each as { state?: string } | undefined)?.state === 'needs-you',
      )
    ).session as { prompts: { id: string }[] };
    await page.getByRole('link', { name: /Shed.*needs you/ }).waitFor();
    const shown = async () => [await notifications(page), ...complaints].join('\n');
    await expect.poll(shown).toContain('Shed needs you');
    await client.ask('answer', { prompt: prompts[0]?.id ?? '', answer: { answer: 'allow' } }, { session });
    await expect.poll(shown).toMatch(/^none/);
    expect(await page.evaluate<string[]>('caches.keys()')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a visible page without the focus notifies too, and a click on it opens the session', async () => {
    const { server, root } = await startEmulatedConsole([
      onUser([useTool('Bash', { command: 'ls' }, { ask: true })]),
    ]);
    const { page } = await openConsole(browser, server, { permissions: ['notifications'] });
    await page.evaluate('navigator.serviceWorker.ready');
    await watchNotifications(page);
    await page.evaluate('document.hasFocus = () => false');
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Shed' });
    await client.ask('send', { content: 'Go' }, { session });
    const worker = await serviceWorkerOf(page);
    await expect.poll(() => notifications(page)).toContain('Shed needs you');
    // A browser without a desktop shows no notification that could be clicked.
    await worker.evaluate(`registration.getNotifications().then(([notification]) =>
      dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
    await page.getByRole('heading', { name: 'Shed', level: 1 }).waitFor();
  });

  test('only its own worker can be registered, for the page alone, and a hostile notification leads nowhere else', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server, { permissions: ['notifications'] });
    await page.evaluate('navigator.serviceWorker.ready');
    const registrations = () =>
      page.evaluate<string[]>(`navigator.serviceWorker.getRegistrations().then((all) =>
        all.map(({ scope, active }) => scope + ' ' + active?.scriptURL))`);
    expect(await registrations()).toEqual([`${server.origin}/ ${server.origin}/service-worker.js`]);
    const script = await fetch(`${server.origin}/service-worker.js`);
    expect([script.status, script.headers.get('service-worker-allowed')]).toEqual([200, null]);
    for (const url of [
      `URL.createObjectURL(new Blob([''], { type: 'text/javascript' }))`,
      `'data:text/javascript,'`,
      `'/api/me'`,
      `'/api/v1/openapi.json'`,
      `'/healthz'`,
      `'https://evil.example/worker.js'`,
    ]) {
      const registered = `navigator.serviceWorker.register(${url}).then(() => 'registered', () => 'refused')`;
      expect(await page.evaluate(registered)).toBe('refused');
    }
    expect(await registrations()).toHaveLength(1);

    const worker = await serviceWorkerOf(page);
    const click = (data: string) => `registration.showNotification('x', { data: ${JSON.stringify(data)} })
      .then(() => registration.getNotifications())
      .then(([notification]) => void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`;
    const hostile = [
      'https://evil.example/',
      'javascript:alert(1)',
      '../../../x',
      '" onload="alert(1)',
      '#/settings',
    ];
    await worker.evaluate(`globalThis.opened = []; Object.defineProperties(clients, {
      matchAll: { value: async () => [] }, openWindow: { value: async (url) => void opened.push(url) } })`);
    for (const data of hostile) await worker.evaluate(click(data));
    const opened = () => worker.evaluate<string[]>('opened');
    await expect.poll(opened).toEqual(hostile.map((data) => `./#/s/${encodeURIComponent(data)}`));
  });
});
