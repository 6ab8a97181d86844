import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/console.js';
import { composer, openConsole } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

withNats('the page of a gateway', () => {
  describeUnless(noBrowser, 'in a browser', () => {
    const browser = sharedBrowser();

    test('opens a session on a worker with a label and a CLI, and offers no worktree', async () => {
      const { url: nats } = await natsServer();
      const root = await temporaryFolder();
      const plain = await startEmulatedWorker(chat, { nats, root, cliVersion: '2.0.73' });
      const other = await startEmulatedWorker(chat, { nats, root, cliVersion: '2.1.326', labels: ['gpu'] });
      const server = await startTestGateway({ fleet: { nats } });
      const { page, complaints } = await openConsole(browser, server);
      await page.getByRole('button', { name: 'New session', exact: true }).click();
      await page.getByRole('dialog').getByText('More', { exact: true }).click();
      await page.getByLabel('Labels of its worker').fill('gpu');
      await page.getByLabel('CLI version').selectOption('2.1.326');
      await page.getByLabel('Priority').fill('2');
      expect(await page.getByLabel('Worktree').count()).toBe(0);
      await page.getByLabel('Folder').fill(root);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await composer(page).waitFor();
      expect([plain.clis.length, other.clis.length]).toEqual([0, 1]);
      expect(complaints).toEqual([]);
    });
  });
});
