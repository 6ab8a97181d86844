import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';

test('offline.mjs of the guide runs as it stands, and prints what the page says', async ({ skip }) => {
  if (knownRealClis().length === 0) skip('no real CLI is installed in test/real-clis');
  const page = readFileSync('docs/how-to/test-your-app-without-a-key.md', 'utf8');
  const [, code = ''] = /`offline\.mjs`:\n\n```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  expect(code).toContain('realCli');
  // Inside the package, so that its own name leads to the build, and CLIs near it are found.
  mkdirSync('.cache', { recursive: true });
  const folder = mkdtempSync(resolve('.cache/pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'offline.mjs'), code);
  const { PATH } = process.env;
  const options = { cwd: folder, env: { PATH, HOME: folder } };
  const { stdout } = await promisify(execFile)(process.execPath, ['offline.mjs'], options);
  expect(stdout).toBe('asked for Bash\nThe file is there.\nsuccess\n');
}, 60_000);
