import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hostProcess } from '../../src/host/spawners/host-process.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { type Console, startConsole } from '../../src/server/console/start-console.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { composer, newSession, openConsole, openView, PHONE, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { programOf } from '../support/emulated-program.js';
import { putTranscript, SESSION, user } from '../support/transcripts.js';

describeUnless(noBrowser, 'the list of sessions', () => {
  const browser = sharedBrowser();

  test('sessions of one folder without messages are distinguishable until they have names', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    const rows = page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => rows.locator('.session-mark').count()).toBe(0);
    await newSession(page, root);
    await expect.poll(() => rows.locator('.session-mark').allTextContents()).toEqual(['(2)']);
    await page.getByRole('heading', { level: 1 }).getByText('(2)').waitFor();
    await openView(page, 'Usage');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await rows.getByText('Mine').waitFor();
    await expect.poll(() => rows.locator('.session-mark').count()).toBe(0);
  });

  test('on a phone, a session says how many prompts wait in others', async () => {
    const { server, root } = await startEmulatedConsole(() => [
      onUser([useTool('Bash', { command: 'ls' }, { ask: true })]),
    ]);
    const { page } = await openConsole(browser, server, { viewport: PHONE });
    await newSession(page, root);
    const back = page.getByRole('link', { name: 'All sessions' });
    await expect.poll(() => back.textContent()).toBe('‹');
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Shed' });
    await client.ask('send', { content: 'Go' }, { session });
    await back.getByText('1').waitFor();
    await page.getByRole('link', { name: 'All sessions: 1 waiting for you' }).click();
    await page.getByRole('region', { name: 'Needs you' }).getByText('Shed').click();
    await page.getByRole('heading', { name: 'Shed', level: 1 }).waitFor();
    await expect.poll(() => back.textContent()).toBe('‹');
  });

  /** A page that is loaded, but hears nothing from the server until it is connected. */
  async function openUnconnected({ url }: Pick<Console, 'url'>) {
    const page = await (await browser.newContext()).newPage();
    const held: (() => void)[] = [];
    let isHeld = true;
    await page.routeWebSocket(/api\/socket/, (socket) => {
      socket.connectToServer().onMessage((text) => {
        if (isHeld) held.push(() => socket.send(text));
        else socket.send(text);
      });
    });
    await page.goto(url);
    const connect = () => {
      isHeld = false;
      for (const pass of held) pass();
    };
    return { page, connect };
  }

  test('a new session gets its folder even if the user is faster than the server', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const { page, connect } = await openUnconnected(server);
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await expect.poll(() => page.getByLabel('Folder').inputValue()).toBe('');
    connect();
    await expect.poll(() => page.getByLabel('Folder').inputValue()).toBe(root);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await composer(page).waitFor();
  });

  test('what is asked for before the page is connected is done once it is', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const line = { ...user(2, null, 'Paint the shed'), cwd: root };
    await putTranscript(root, `${SESSION}.jsonl`, [line], root.replaceAll(/[^A-Za-z0-9]/g, '-'));
    const { page, connect } = await openUnconnected(server);
    await page.getByRole('button', { name: 'Earlier, on disk' }).click();
    await page.getByLabel('Search sessions').fill('shed');
    await page.getByRole('button', { name: 'Find “shed” in all messages' }).click();
    // Whom a device may be let in as is not known yet.
    await expect.poll(() => page.getByRole('button', { name: 'Add a device' }).count()).toBe(0);
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await page.getByLabel('Folder').fill(root);
    const open = page.getByRole('button', { name: 'Open', exact: true });
    await expect.poll(() => open.isDisabled()).toBe(true);
    connect();
    await open.click();
    await composer(page).waitFor();
    const earlier = page.getByRole('region', { name: 'Earlier conversations' });
    await earlier.getByText('Paint the shed').waitFor();
    await page.getByRole('region', { name: 'In messages' }).getByText('1 found.').waitFor();
    await page.getByRole('button', { name: 'Add a device' }).click();
    await expect.poll(() => page.getByLabel('The device').inputValue()).toBe('operator');
  });

  test('what does not fit in a row is left out, and the time stays', async () => {
    const { server, root } = await startEmulatedConsole([
      onUser([useTool('Bash', { command: 'ls' }, { ask: true })]),
    ]);
    const page = await (await browser.newContext()).newPage();
    const memory = '"memory":{"bytes":3210000000,"growing":true,"over":true}';
    await page.routeWebSocket(/api\/socket/, (socket) => {
      socket.connectToServer().onMessage((text) => {
        socket.send(String(text).replace(/"costUsd":[\d.]+/g, `"costUsd":1234.56,${memory}`));
      });
    });
    await page.goto(server.url);
    await newSession(page, root);
    await tell(page, 'Go');
    const row = page
      .getByRole('region', { name: 'Sessions', exact: true })
      .getByRole('link', { name: /needs you/ });
    await row
      .getByText(/[MG]iB/)
      .first()
      .waitFor({ state: 'attached' });
    const { width, right } = await row.evaluate((element) => ({
      width: element.scrollWidth - element.clientWidth,
      right: element.getBoundingClientRect().right,
    }));
    expect(width).toBe(0);
    const time = await row.getByText('now').boundingBox();
    expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThan(right);
  });

  test('sessions are pinned, tagged and archived for every page, and rows have one height', async () => {
    const { server, root } = await startEmulatedConsole(() => [onUser([say('Done.')])]);
    const { page } = await openConsole(browser, server);
    const other = (await openConsole(browser, server)).page;
    const client = await BareClient.connect(server);
    for (const title of ['Shed', 'Fence', 'Roof'])
      await client.ask('send', { content: title }, await client.ask('open', { cwd: root, title }));
    const list = (of: Page) => of.getByRole('region', { name: 'Sessions', exact: true });
    const names = (of: Page, section: string) =>
      list(of).getByRole('region', { name: section }).locator('.session-title').allTextContents();
    const mark = async (title: string, item: string) => {
      await list(page)
        .getByRole('button', { name: `Menu of ${title}` })
        .click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await mark('Shed', 'Pin');
    await expect.poll(() => names(other, 'Pinned')).toEqual(['Shed']);
    await mark('Roof', 'Tags…');
    await page.getByLabel('Tags, separated by commas').fill('paint, #old house');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await other.getByRole('button', { name: '#old house' }).click();
    await expect.poll(() => list(other).locator('.session-title').allTextContents()).toEqual(['Roof']);
    await other.getByRole('button', { name: '#old house' }).click();
    const heights = await list(other)
      .locator('.session-row')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(3);
    expect(new Set(heights).size).toBe(1);
    await mark('Fence', 'Archive');
    await other.getByRole('button', { name: 'Archived (1)' }).click();
    await expect.poll(() => names(other, 'Archived (1)')).toEqual(['Fence']);
    await expect.poll(() => list(page).getByText('Fence').count()).toBe(0);
    await page.getByLabel('Search sessions').fill('fence');
    await mark('Fence', 'Take out of the archive');
    await expect.poll(() => other.getByRole('button', { name: /^Archived/ }).count()).toBe(0);
  });

  test('an ended session without messages is out of the way, and no row has an id as its name', async () => {
    const { server, root } = await startEmulatedConsole([]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    await client.ask('open', { cwd: root });
    const { page } = await openConsole(browser, server);
    const rows = page.getByRole('region', { name: 'Sessions', exact: true }).locator('.session-row');
    await expect.poll(() => rows.count()).toBe(2);
    expect((await rows.allTextContents()).join()).not.toContain(session.slice(0, 4));
    await client.ask('close', {}, { session });
    await page.getByRole('button', { name: 'Archived (1)' }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goto(`${server.origin}/#/s/${session}`);
    await expect.poll(() => rows.count()).toBe(2);
  });

  test('the memory of a CLI is in the list and in the details, in red above the limit', async (context) => {
    if (!existsSync('/proc/self/status')) context.skip('this system does not tell the memory of processes');
    const root = await temporaryFolder();
    const server = await startConsole({
      roots: [root],
      stateFolder: await temporaryFolder(),
      configDir: root,
      session: { cli: programOf('2.1.326'), env: { COXSWAIN_SESSIONS: root } },
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
    await openView(page, 'Usage');
    await page.getByText(/MiB of memory by the CLI.*, more than the limit/).waitFor();
  });

  test('a session says in which sandbox it runs', async () => {
    const root = await temporaryFolder();
    const server = await startConsole({
      roots: [root],
      stateFolder: await temporaryFolder(),
      configDir: root,
      session: { cli: programOf('2.1.326'), spawner: { ...hostProcess(), name: 'a sandbox' } },
    });
    onTestFinished(() => server.close());
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await page.locator('.session-head').getByText('in a sandbox', { exact: true }).waitFor();
  });
});
