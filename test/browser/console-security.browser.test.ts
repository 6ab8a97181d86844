import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser, noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { openConsole } from '../support/console-page.js';

/** A page of another site, on this machine too. */
async function otherSite(html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(systemBrowser === undefined)(`who may use the console from a browser ${noBrowser}`, () => {
  const browser = sharedBrowser();

  test('a page without the token shows nothing but how to get in', async () => {
    const { server } = await startEmulatedConsole([]);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.origin}/#token=wrong-wrong-wrong-wrong-wrong`);
    await page.getByRole('heading', { name: 'This page needs its key' }).waitFor();
    expect(await page.getByRole('button', { name: 'New session' }).count()).toBe(0);
  });

  test('the token is changed for a cookie that scripts cannot read, and leaves the address', async () => {
    const { server } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    expect(page.url()).toBe(`${server.origin}/#/`);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toContain(server.token);
    await page.reload();
    await page.getByRole('button', { name: 'New session' }).waitFor();
    expect(
      await page.evaluate(() =>
        JSON.stringify([...Object.entries(sessionStorage), ...Object.entries(localStorage)]),
      ),
    ).not.toContain(server.token);
  });

  test('no script but the page’s own runs, whatever gets into the page', async () => {
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

  test('another site can neither open a socket, nor read, nor show the console in a frame', async () => {
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

  test('a name that was made to point here is turned away', async () => {
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
