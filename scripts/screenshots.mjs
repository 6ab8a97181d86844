// Takes the screenshots of the pages in docs/images with the system's Chromium.
// Usage: npm run screenshots -- [name…]; default: all of them.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { consolePictures } from './lib/pages/console-pictures.mjs';
import { recordingPictures } from './lib/pages/recording-pictures.mjs';

const FOLDER = 'docs/images';
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'coxswain-pictures-'));
const browser = await chromium.launch({
  executablePath: process.env.COXSWAIN_BROWSER ?? '/usr/bin/chromium',
  args: [
    '--disable-gpu',
    '--disable-background-networking',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
});
const theConsole = await consolePictures();
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const picture of [...(await recordingPictures(saved)), ...theConsole.pictures]) await take(picture);
} finally {
  await theConsole.close();
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a page to a file while the screenshots are taken; returns its address. */
function saved(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

/**
 * A screenshot: `name`, `url`, `width`, `height`, `dark`, `touch`, `prepare` for a page before it is opened, and `act`, which
 * prepares the opened page.
 */
async function take({
  name,
  url,
  width,
  height,
  dark = false,
  touch = false,
  prepare = async () => {},
  act,
}) {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: touch,
    isMobile: touch,
  });
  const page = await context.newPage();
  await prepare(page);
  await page.goto(url);
  await act(page);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await context.close();
  console.log(`${path}: ${Math.round(statSync(path).size / 1024)} KB`);
}
