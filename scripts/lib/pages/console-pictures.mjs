// The screenshots of the console: a real server on emulated CLIs, with three conversations that each wait for somebody.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emulateCli } from '../../../src/lab/testing/index.ts';
import { startConsole } from '../../../src/server/console/index.ts';
import { makeFolders } from './console-folders.mjs';
import { consoleStory, planStory, questionStory } from './console-story.mjs';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844, touch: true };
/** The displayed working folder: the real one has another name each time. */
const SHOWN = '/home/ada/code';

/** Starts a server and returns the screenshots to take of it, and how to stop it. */
export async function consolePictures() {
  const root = mkdtempSync(join(tmpdir(), 'coxswain-console-'));
  const stories = [];
  const server = await startConsole({
    roots: [root],
    stateFolder: join(root, '.state'),
    configDir: join(root, '.claude'),
    session: { transport: () => emulateCli(stories.shift(), { partialMessages: true }).transport },
  });
  let begun = false;
  const begin = async (page) => {
    if (begun) return;
    begun = true;
    stories.push(questionStory(), planStory(), consoleStory());
    const change = makeFolders(root);
    await open(page, `${SHOWN}/shop`, ['Set up the order service']);
    await page.getByRole('heading', { name: 'Questions for you' }).waitFor();
    await open(page, `${SHOWN}/docs`, ['Plan the rewrite of the guide']);
    await page.getByRole('heading', { name: /plan/i }).first().waitFor();
    await open(page, `${SHOWN}/blog`, ['slugify drops accents. Please fix it.', 'Run the tests']);
    change();
  };
  const show = (name, size, { title, dark = false, act = async () => {} }) => ({
    name,
    ...size,
    dark,
    url: server.url,
    prepare: (page) => showAs(page, root),
    act: async (page) => {
      await page.getByRole('button', { name: 'New session', exact: true }).waitFor();
      await begin(page);
      await page.goto(`${server.origin}/#/`);
      await page.getByRole('region', { name: 'Sessions', exact: true }).getByText(title).click();
      await page.locator('.prompt').waitFor();
      await page.mouse.move(640, 2);
      await act(page);
      await page.waitForTimeout(300);
    },
  });
  const slugs = 'slugify drops accents. Please fix it.';
  return {
    pictures: [
      show('console', DESKTOP, { title: slugs }),
      show('console-dark', DESKTOP, { title: slugs, dark: true }),
      show('console-always', DESKTOP, { title: slugs, act: alwaysAllow }),
      show('console-tools', DESKTOP, { title: slugs, dark: true, act: seeFailure }),
      show('console-changes', DESKTOP, { title: slugs, act: seeChanges }),
      show('console-composer', DESKTOP, { title: slugs, act: nameFile }),
      show('console-find', DESKTOP, { title: slugs, act: findWord }),
      show('console-usage', DESKTOP, { title: slugs, act: seeUsage }),
      show('console-question', DESKTOP, { title: 'Set up the order service' }),
      show('console-phone', PHONE, { title: slugs }),
      show('console-phone-dark', PHONE, { title: slugs, dark: true, act: seeChanges }),
      show('console-inspector', DESKTOP, {
        title: slugs,
        act: async (page) => {
          await page.getByRole('button', { name: 'More views' }).click();
          await page.getByRole('menuitem', { name: 'Inspector' }).click();
          await page.getByRole('listbox').getByRole('option').first().waitFor();
        },
      }),
    ],
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** What can be allowed from now on. */
async function alwaysAllow(page) {
  await page.getByRole('button', { name: 'Always allow…' }).click();
  await page.getByRole('region', { name: 'Always allow' }).waitFor();
}

/** The failed command, and its output. */
async function seeFailure(page) {
  await page.locator('.tool', { hasText: 'npx vitest' }).evaluate((tool) => tool.scrollIntoView());
}

async function seeChanges(page) {
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page
    .getByRole('list', { name: 'Changed files' })
    .getByRole('button', { name: /slug.ts/ })
    .click();
  await page.mouse.move(640, 2);
}

async function nameFile(page) {
  await page.getByLabel('Message', { exact: true }).pressSequentially('Then do the same in @f');
  await page.getByRole('option', { name: 'src/feed.ts' }).waitFor();
}

async function findWord(page) {
  await page.getByLabel('Message', { exact: true }).press('Control+f');
  await page.getByLabel('Find in this conversation').fill('slugify');
  await page.getByRole('search').getByText(/of \d/).waitFor();
  await page.getByLabel('Find in this conversation').press('Enter');
}

async function seeUsage(page) {
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('img', { name: /Tokens per day/ }).waitFor();
  await page.getByText('3 folders').waitFor();
}

/** Gives the working folder its displayed name on the way to the page, and removes it on the way back. */
async function showAs(page, root) {
  await page.routeWebSocket(/api\/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => socket.send(text.replaceAll(root, SHOWN)));
    socket.onMessage((text) => server.send(text.replaceAll(SHOWN, root)));
  });
}

async function open(page, folder, texts) {
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  await page.getByLabel('Folder').fill(folder);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1, name: /^New session/ }).waitFor();
  for (const text of texts) {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.getByLabel('Message', { exact: true }).press('Enter');
    await page
      .getByRole('button', { name: 'Interrupt' })
      .waitFor({ state: text === texts.at(-1) ? 'visible' : 'hidden' });
  }
}
