import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { describeInstalledClis } from '../real/support/each-real-cli.js';
import { type RealPlace, realPlace } from '../real/support/real-session.js';
import { pidServer } from '../real/support/tool-turn.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { newSession, openConsole, openView, REAL_CLI_MS, serverIs, tell } from '../support/console-page.js';

const NO_TOOL = /No such tool available/;
const allowedTools = ['mcp__pid__whoami'];

describeInstalledClis(
  `MCP servers in the console, on CLI $version ${noBrowser}`,
  (cli) => {
    const browser = sharedBrowser();
    const can = capabilitiesOf(cli);

    async function begin(own = {}) {
      const place = await realPlace(cli);
      onTestFinished(() => place[Symbol.asyncDispose]());
      const { cwd, home } = place.folders;
      const settings = { mcpServers: { settled: pidServer } };
      await writeFile(join(home, '.claude.json'), JSON.stringify(settings));
      const server = await startConsole({
        roots: [cwd],
        stateFolder: join(home, 'state'),
        configDir: join(home, '.claude'),
        session: place.options({ allowedTools, ...own }),
      });
      onTestFinished(() => server.close());
      const { page, complaints } = await openConsole(browser, server);
      page.setDefaultTimeout(REAL_CLI_MS);
      await newSession(page, cwd);
      return { place, page, complaints };
    }

    test('a server given at the start is reconnected, disabled, stays listed, and is enabled again', async () => {
      const { page, place, complaints } = await begin({ mcpServers: { pid: pidServer } });
      const pid = await openServer(page, 'pid');
      const button = (name: string) => pid.getByRole('button', { name, exact: true });
      await connected(page, 'pid');
      const before = await whoami(page, place);
      expect(before).toMatch(/^pid \d+$/);
      await openServer(page, 'pid');
      await connected(page, 'pid');
      if (await pressIfOffered(page, 'pid', 'Reconnect')) {
        await connected(page, 'pid');
        expect(await whoami(page, place)).not.toBe(before);
      }
      await openServer(page, 'pid');
      await connected(page, 'pid');
      // A change that outlives the session is announced before it is made.
      await expect
        .poll(() => pid.getByText(/The CLI remembers Disable for/).count())
        .toBe(can.has('switchesServers') ? 1 : 0);
      if (!(await pressIfOffered(page, 'pid', 'Disable'))) return;
      await pid.getByText('disabled', { exact: true }).waitFor();
      await expect.poll(() => button('Reconnect').isDisabled()).toBe(true);
      expect(await whoami(page, place)).toMatch(NO_TOOL);
      await openServer(page, 'pid');
      await pid.getByText('disabled', { exact: true }).waitFor();
      await button('Enable').click();
      await connected(page, 'pid');
      expect(await whoami(page, place)).toMatch(/^pid \d+$/);
      expect(complaints).toEqual([]);
    });

    test('a server from settings files is switched, or the page says why not', async () => {
      const { page } = await begin({ settingSources: ['user', 'local'] });
      await openServer(page, 'settled');
      await connected(page, 'settled');
      const settled = rowOf(page, 'settled');
      await expect.poll(() => settled.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
      const canDisable = await pressIfOffered(page, 'settled', 'Disable');
      await settled
        .getByText(
          `Servers from settings files ${canDisable ? 'can be disabled, but not' : 'cannot be'} removed here`,
        )
        .waitFor();
      if (!canDisable) {
        await settled
          .getByText(`Servers from settings files cannot be disabled with CLI ${cli.version}`)
          .waitFor();
        return;
      }
      await settled.getByText('disabled', { exact: true }).waitFor();
      await settled.getByRole('button', { name: 'Enable' }).click();
      await connected(page, 'settled');
    });

    test('a server is added, its tool is called, and it is removed', async () => {
      const { page, place } = await begin();
      await openView(page, 'MCP');
      await page.getByText('This session has no MCP servers.').waitFor();
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByLabel('Server name').fill('pid');
      await page.getByLabel('Command or address').fill([pidServer.command, ...pidServer.args].join(' '));
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await connected(page, 'pid');
      expect(await whoami(page, place)).toMatch(/^pid \d+$/);
      await openServer(page, 'pid');
      await connected(page, 'pid');
      const tools = rowOf(page, 'pid').getByRole('button', { name: 'Tools' });
      await expect.poll(() => tools.isEnabled()).toBe(can.has('listsToolsInStatus'));
      if (await tools.isEnabled()) {
        await tools.click();
        await rowOf(page, 'pid').getByText('whoami').waitFor();
        await rowOf(page, 'pid').getByText('without descriptions').waitFor();
      } else {
        await rowOf(page, 'pid').getByText('The tools of a server cannot be listed').waitFor();
      }
      await rowOf(page, 'pid').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('This session has no MCP servers.').waitFor();
      expect(await whoami(page, place)).toMatch(NO_TOOL);
    });
  },
  { cannot: noBrowser },
);

function rowOf(page: Page, server: string) {
  return page.getByRole('listitem').filter({ hasText: server }).first();
}

async function openServer(page: Page, server: string) {
  await openView(page, 'MCP');
  return rowOf(page, server);
}

const connected = (page: Page, server: string) => serverIs(page, rowOf(page, server), 'connected');

/** Presses a button; if it is disabled, a reason must be shown. */
async function pressIfOffered(page: Page, server: string, name: string): Promise<boolean> {
  const button = rowOf(page, server).getByRole('button', { name, exact: true });
  if (await button.isEnabled()) {
    await button.click();
    return true;
  }
  const id = await button.getAttribute('aria-describedby');
  await expect.poll(() => page.locator(`[id="${id}"]`).textContent()).toMatch(/\w+/);
  return false;
}

/** The result of the server's tool in a separate turn. */
async function whoami(page: Page, place: RealPlace): Promise<string> {
  const script = place.model.play([
    { when: 'call it', reply: toolUse('mcp__pid__whoami', {}) },
    { when: { toolResult: /./ }, reply: text('Called.') },
  ]);
  const { requests } = place.model.model;
  const calls = requests.length;
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await tell(page, 'call it');
  await expect.poll(() => requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(calls + 2);
  const busy = () => page.getByRole('button', { name: 'Interrupt' }).count();
  await expect.poll(busy, { timeout: 30_000 }).toBe(0);
  script.assertFinished();
  return requests.at(-1)?.toolResults.at(-1)?.text ?? '';
}
