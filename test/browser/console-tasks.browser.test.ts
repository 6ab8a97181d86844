import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { javaScriptClis } from '../real/support/patched-clis.js';
import { realPlace } from '../real/support/real-session.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { conversation, newSession, openConsole, tell } from '../support/console-page.js';

const AGENT = { description: 'Long work', prompt: 'the job', subagent_type: 'general-purpose' };

describe.skipIf(systemBrowser === undefined).each(javaScriptClis())(
  `tasks in the console, on patched CLI $version ${noBrowser}`,
  (cli) => {
    const browser = sharedBrowser();

    test('an agent is moved to the background, shown there, and stopped', async () => {
      const place = await realPlace(cli);
      onTestFinished(() => place[Symbol.asyncDispose]());
      const cacheFolder = await mkdtemp(join(tmpdir(), 'coxswain-patched-'));
      onTestFinished(() => rm(cacheFolder, { recursive: true, force: true }));
      const { cwd, home } = place.folders;
      const server = await startConsole({
        roots: [cwd],
        stateFolder: join(home, 'state'),
        configDir: join(home, '.claude'),
        session: place.options({ patched: { cacheFolder }, allowedTools: ['Task'] }),
      });
      onTestFinished(() => server.close());
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
      const { page } = await openConsole(browser, server);
      page.setDefaultTimeout(30_000);
      await newSession(page, cwd);
      await tell(page, 'start');
      await works.promise;
      await page.getByRole('tab', { name: 'Tasks' }).click();
      await page.getByRole('button', { name: 'Move all running work to the background' }).click();
      const task = page.getByRole('listitem').filter({ hasText: 'Long work' });
      await task.getByText('in the background').waitFor();
      await page.getByRole('tab', { name: 'Conversation' }).click();
      await conversation(page).getByText('It runs on.').first().waitFor();
      await page.getByRole('tab', { name: 'Tasks' }).click();
      await task.getByRole('button', { name: 'Stop' }).click();
      await task.getByText('stopped').first().waitFor();
    });
  },
);
