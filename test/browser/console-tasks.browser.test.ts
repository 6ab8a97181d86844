import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { onTestFinished, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { type Deferred, deferred } from '../../src/wire/util/deferred.js';
import { describeInstalledClis } from '../real/support/each-real-cli.js';
import { javaScriptClis } from '../real/support/patched-clis.js';
import { realPlace } from '../real/support/real-session.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { conversation, newSession, openConsole, REAL_CLI_MS, tell } from '../support/console-page.js';
import { Watched } from '../support/cox-process.js';

const AGENT = { description: 'Long work', prompt: 'the job', subagent_type: 'general-purpose' };

describeInstalledClis(
  `tasks in the console, on patched CLI $version ${noBrowser}`,
  (cli) => {
    const browser = sharedBrowser();

    test('an agent is moved to the background, shown there, and stopped', async () => {
      const { place, works } = await placeWithAgent(cli);
      const cacheFolder = await throwawayFolder();
      const { cwd, home } = place.folders;
      const server = await startConsole({
        roots: [cwd],
        stateFolder: join(home, 'state'),
        configDir: join(home, '.claude'),
        session: place.options({ patched: { cacheFolder }, allowedTools: ['Task'] }),
      });
      onTestFinished(() => server.close());
      const { page } = await openConsole(browser, server);
      const task = await moved(page, cwd, works);
      await page.getByRole('tab', { name: 'Tasks' }).click();
      await task.getByRole('button', { name: 'Stop' }).click();
      await task.getByText('stopped').first().waitFor();
    });

    test('coxswain console --patched starts patched copies', async () => {
      const { place, works } = await placeWithAgent(cli);
      const { cwd, home } = place.folders;
      const { env = {} } = place.options();
      const args = ['console', '--patched', '--json', '--port', '0', '--cli', cli.path, '--root', cwd];
      const cox = new Watched(
        spawn(process.execPath, ['dist/command.js', ...args, '--state', join(home, 'state')], {
          env: { ...env, COXSWAIN_CACHE: await throwawayFolder() },
        }),
      );
      onTestFinished(async () => {
        cox.kill('SIGTERM');
        await cox.exited;
      });
      await cox.until('\n');
      const { url }: { readonly url: string } = JSON.parse(cox.out);
      const { page } = await openConsole(browser, { url });
      await moved(page, cwd, works);
    });
  },
  { clis: javaScriptClis(), cannot: noBrowser },
);

/** A setup whose model starts an agent that never ends, and a promise for when it runs. */
async function placeWithAgent(cli: KnownRealCli) {
  const place = await realPlace(cli);
  onTestFinished(() => place[Symbol.asyncDispose]());
  const works = deferred<void>();
  place.model.play(async ({ messages, toolResults }) => {
    const said = JSON.stringify(messages.at(-1));
    if (said.includes('the job')) {
      works.resolve();
      await new Promise(() => {});
    }
    const isBegin = said.includes('start') && toolResults.length === 0;
    return isBegin ? toolUse('Task', AGENT, 'toolu_agent') : text('It runs on.');
  });
  return { place, works };
}

async function throwawayFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-patched-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the agent in a new session and moves it to the background, as a person does; returns its task. */
async function moved(page: Page, cwd: string, works: Deferred<void>): Promise<Locator> {
  page.setDefaultTimeout(REAL_CLI_MS);
  await newSession(page, cwd);
  await tell(page, 'start');
  await works.promise;
  await page.getByRole('tab', { name: 'Tasks' }).click();
  await page.getByRole('button', { name: 'Move all running work to the background' }).click();
  const task = page.getByRole('listitem').filter({ hasText: 'Long work' });
  await task.getByText('in the background').waitFor();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await conversation(page).getByText('It runs on.').first().waitFor();
  return task;
}
