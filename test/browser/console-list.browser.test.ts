import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startConsole } from '../../src/server/console/start-console.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { composer, newSession, openConsole } from '../support/console-page.js';
import { programOf } from '../support/emulated-program.js';

describe.skipIf(systemBrowser === undefined)(`the list of sessions ${noBrowser}`, () => {
  const browser = sharedBrowser();

  test('sessions of one folder without messages are distinguishable until they have names', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    const rows = page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem');
    expect(await rows.locator('.session-mark').count()).toBe(0);
    await newSession(page, root);
    await expect.poll(() => rows.locator('.session-mark').count()).toBe(2);
    const marks = await rows.locator('.session-mark').allTextContents();
    expect(new Set(marks).size).toBe(2);
    await page.getByRole('heading', { level: 1 }).getByText(String(marks[0])).waitFor();
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await rows.getByText('Mine').waitFor();
    expect(await rows.locator('.session-mark').count()).toBe(0);
  });

  test('a new session gets its folder even if the user is faster than the server', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const page = await (await browser.newContext()).newPage();
    const held: (() => void)[] = [];
    let isHeld = true;
    await page.routeWebSocket(/api\/socket/, (socket) => {
      socket.connectToServer().onMessage((text) => {
        if (isHeld) held.push(() => socket.send(text));
        else socket.send(text);
      });
    });
    await page.goto(server.url);
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    expect(await page.getByLabel('Folder').inputValue()).toBe('');
    isHeld = false;
    for (const pass of held) pass();
    await expect.poll(() => page.getByLabel('Folder').inputValue()).toBe(root);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await composer(page).waitFor();
  });

  test('the memory of a CLI is in the list and in the details, in red above the limit', async (context) => {
    if (!existsSync('/proc/self/status')) context.skip('this system does not tell the memory of processes');
    const root = await temporaryFolder();
    const server = await startConsole({
      roots: [root],
      stateFolder: await temporaryFolder(),
      configDir: root,
      session: { cli: programOf('2.1.325'), env: { COXSWAIN_SESSIONS: root } },
      limits: { memory: 1 },
    });
    onTestFinished(() => server.close());
    const opener = await BareClient.connect(server);
    await opener.ask('open', { cwd: root });
    await opener.close();
    const { page } = await openConsole(browser, server);
    const memory = page.getByRole('navigation').getByText(/^\d+ MiB, too much$/);
    await memory.waitFor();
    await page.getByRole('link', { name: /New session in/ }).click();
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByText(/MiB of memory by the CLI.*, more than the limit/).waitFor();
  });
});
