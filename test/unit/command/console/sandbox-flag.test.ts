import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxOf } from '../../../../src/command/console/sandbox-flag.js';
import { temporaryFolder } from '../../../support/console.js';

const HERE = { cwd: process.cwd(), env: {} };

test('without the option there is no sandbox', async () => {
  expect(await sandboxOf({}, HERE)).toBeUndefined();
});

test.each(['', 'none', 'bubblewrap:x', 'bubblewrap:host', 'container', 'container:', 'podman:', 'ssh:host'])(
  '"%s" is refused before anything starts',
  async (text) => {
    await expect(sandboxOf({ sandbox: text }, HERE)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  },
);

test('an image that does not exist is refused before anything starts', async () => {
  await expect(sandboxOf({ sandbox: 'container:no-such-image:0' }, HERE)).rejects.toMatchObject({
    code: 'SPAWN_FAILED',
  });
});

test('a root that contains the home or the stored sessions is refused before anything starts', async () => {
  const cwd = await temporaryFolder();
  for (const root of ['/', homedir(), cwd]) {
    const started = sandboxOf({ sandbox: 'container:any', root: [root], state: join(cwd, 'state') }, HERE);
    await expect(started).rejects.toThrow(`cannot show ${root}`);
  }
});
