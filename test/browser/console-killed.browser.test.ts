import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { readProcFolder } from '../../src/wire/transport/process/process-table.js';
import { stillRunning } from '../integration/process-helpers.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { type RealPlace, realPlace } from '../real/support/real-session.js';
import { noBrowser, sharedBrowser, systemBrowser } from '../support/browser.js';
import { conversation, newSession, openConsole, prompt, REAL_CLI_MS, tell } from '../support/console-page.js';
import { Watched } from '../support/cox-process.js';

/** Starts the console as a separate process, so that it can be killed. */
async function startProcess(place: RealPlace, stateFolder: string) {
  const { cwd } = place.folders;
  const { cli, env } = place.options();
  const args = [
    '--no-open',
    '--json',
    '--port',
    '0',
    '--cli',
    String(cli),
    '--root',
    cwd,
    '--state',
    stateFolder,
  ];
  const child = spawn(process.execPath, ['dist/command.js', 'console', ...args], { env: { ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const cox = new Watched(child);
  await cox.until('\n');
  return { cox, url: String(JSON.parse(cox.out).url) };
}

/** All descendants of a process. */
async function descendantsOf(pid: number): Promise<number[]> {
  const children = (await readProcFolder()).filter(({ parent }) => parent === pid);
  const below = await Promise.all(children.map((child) => descendantsOf(child.pid)));
  return [...children.map((child) => child.pid), ...below.flat()];
}

describeRealClis(
  'a console that is killed',
  (cli) => {
    const browser = sharedBrowser();

    // Two consoles, two browsers' pages and three starts of a CLI.
    test('leaves no CLI running, and the next one shows what happened to its session and continues it', {
      timeout: 180_000,
    }, async ({ skip }) => {
      if (systemBrowser === undefined) return skip(noBrowser);
      const place = await realPlace(cli);
      onTestFinished(() => place[Symbol.asyncDispose]());
      const { cwd, home } = place.folders;
      const stateFolder = join(home, 'state');
      const killed = await startProcess(place, stateFolder);
      place.model.play([
        { when: 'run it', reply: toolUse('Bash', { command: 'touch runs; tail -f /dev/null' }) },
      ]);
      const { page } = await openConsole(browser, { url: killed.url } as never);
      page.setDefaultTimeout(REAL_CLI_MS);
      await newSession(page, cwd);
      await tell(page, 'run it');
      await prompt(page, /May Bash run/)
        .getByRole('button', { name: 'Allow once', exact: true })
        .click();
      await place.until(() => existsSync(join(cwd, 'runs')));
      await tell(page, 'and then?');
      await conversation(page).getByText('and then?').waitFor();
      await conversation(page).getByText('running…').waitFor();
      const [session = ''] = readdirSync(join(stateFolder, 'sessions'));
      const record = join(stateFolder, 'sessions', session, 'session.json');
      const saved = () => JSON.parse(readFileSync(record, 'utf8')).summary;
      await place.until(() => saved().conversation !== undefined && saved().queued.length === 1);
      const { conversation: id } = saved();

      const started = await descendantsOf(killed.cox.child.pid ?? 0);
      expect(started.length).toBeGreaterThan(2);
      killed.cox.kill('SIGKILL');
      await once(killed.cox.child, 'exit');
      // How long that takes depends on the load of the machine; the keeper's own pause is tested with the keeper.
      expect(await stillRunning(started, 15_000)).toEqual([]);

      place.model.play([{ when: 'are you there', reply: text('In the terminal I am.') }]);
      const elsewhere = await place.open({ resume: id });
      expect(await elsewhere.send('are you there?').text()).toBe('In the terminal I am.');
      await elsewhere.close();

      place.model.play([{ when: 'and then', reply: text('Then comes this.'), times: 'any' }]);
      const server = await startConsole({
        roots: [cwd],
        stateFolder,
        configDir: join(home, '.claude'),
        session: place.options(),
      });
      onTestFinished(() => server.close());
      const { page: next } = await openConsole(browser, server);
      next.setDefaultTimeout(REAL_CLI_MS);
      await next.getByRole('link', { name: /run it/ }).click();
      // A message that no CLI had received is sent by the next server, after everything sent meanwhile.
      await conversation(next).getByText('Then comes this.').waitFor();
      await expect.poll(() => next.getByText('running…').count()).toBe(0);
      await expect.poll(() => next.getByText(/console server was stopped/).count()).toBe(1);
      const waited = conversation(next).locator('.user', { hasText: 'and then?' });
      expect([await waited.count(), await waited.getByText('not sent').count()]).toEqual([1, 0]);
      await conversation(next).getByText('In the terminal I am.').waitFor();
      await expect.poll(() => next.getByRole('tab', { name: 'Tasks' }).textContent()).toBe('Tasks');
      place.model.play([{ when: 'go on', reply: text('I go on.') }]);
      await tell(next, 'go on');
      await conversation(next).getByText('I go on.').waitFor();
    });
  },
  ['2.0.73', '2.1.326'],
);
