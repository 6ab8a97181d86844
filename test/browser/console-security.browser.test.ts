import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser, noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole, trySocket } from '../support/console.js';
import { openConsole } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

/** A page of another site, on this machine too. */
async function otherSite(html: string, got: IncomingHttpHeaders[] = []): Promise<string> {
  const server = createServer(({ headers }, response) => {
    got.push(headers);
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describeUnless(noBrowser, 'who may use the console from a browser', () => {
  const browser = sharedBrowser();

  test('a page without the token shows only how to log in', async () => {
    const { server } = await startEmulatedConsole([]);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.origin}/#token=wrong-wrong-wrong-wrong-wrong`);
    await page.getByRole('heading', { name: 'This page needs a key' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'New session', exact: true }).count()).toBe(0);
    const alert = page.getByRole('alert');
    await alert.getByText('This address is invalid or has expired.').waitFor();
    await page.getByLabel('Key').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await alert.getByText('This key is invalid or has expired.').waitFor();
    // An unreachable server says nothing about the key.
    await page.route('**/api/login', (route) => route.abort());
    await page.getByRole('button', { name: 'Log in' }).click();
    await alert.getByText('The server cannot be reached.').waitFor();
  });

  test('the token is exchanged for a secret of this origin, and removed from the address', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server, { url: server.pageUrl });
    expect(page.url()).toBe(`${server.origin}/#/`);
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'New session', exact: true }).waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([...Object.entries(sessionStorage), ...Object.entries(localStorage)]),
    );
    expect(stored).not.toContain(server.token);
  });

  test('addresses in the browser history do not work again', async () => {
    const { server } = await startEmulatedConsole([]);
    const url = server.pageUrl;
    const first = await openConsole(browser, server, { url });
    expect(await first.page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'This page needs a key' }).waitFor();
    await page.getByLabel('Key').fill(server.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'New session', exact: true }).waitFor();
  });

  test('a server on another port gets nothing that gives access to the console', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    const got: IncomingHttpHeaders[] = [];
    await page.goto(await otherSite('<p>hello</p>', got));
    expect(got.length).toBeGreaterThan(0);
    for (const { host: _host, upgrade: _upgrade, connection: _connection, ...headers } of got) {
      const replayed = { ...(headers as Record<string, string>), origin: server.origin };
      expect(await trySocket(server, replayed)).toBe('401');
      expect(headers.cookie).toBeUndefined();
    }
  });

  test('only the page’s own scripts run, whatever is injected', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page, complaints } = await openConsole(browser, server);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = true';
      document.body.append(script);
      const picture = document.createElement('img');
      picture.setAttribute('onerror', 'window.hacked = true');
      picture.setAttribute('src', 'https://tracker.example/x.png');
      document.body.append(picture);
    });
    await expect
      .poll(() => complaints.filter((each) => each.includes('Content Security Policy')).length)
      .toBeGreaterThanOrEqual(2);
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    const sent = await page.evaluate(() =>
      fetch('http://127.0.0.1:9/').then(
        () => 'sent',
        () => 'refused',
      ),
    );
    expect(sent).toBe('refused');
  });

  test('another site can neither open a socket, nor read, nor frame the console', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    const evil = await otherSite(`<iframe src="${server.origin}/"></iframe>`);
    await page.goto(evil);
    const socket = await page.evaluate(
      (origin) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/socket`);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
      server.origin,
    );
    expect(socket).toBe('refused');
    const read = await page.evaluate(
      (origin) =>
        fetch(`${origin}/api/me`, { credentials: 'include' }).then(
          () => 'read',
          () => 'refused',
        ),
      server.origin,
    );
    expect(read).toBe('refused');
    const [, frame] = page.frames();
    expect(await frame?.evaluate(() => document.getElementById('root') === null)).toBe(true);
  });

  test('a host name that points here by DNS rebinding is refused', async () => {
    const { server } = await startEmulatedConsole([]);
    const rebound = await launchBrowser(['--host-resolver-rules=MAP evil.example 127.0.0.1']);
    onTestFinished(() => rebound.close());
    const page = await (await rebound.newContext()).newPage();
    const response = await page.goto(`http://evil.example:${server.port}/#token=${server.token}`);
    expect(response?.status()).toBe(403);
    const socket = await page.evaluate(
      (port) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`ws://evil.example:${port}/api/socket`);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
      server.port,
    );
    expect(socket).toBe('refused');
  });
});
