import { expect, test } from 'vitest';
import { sandboxOf } from '../../../../src/command/console/sandbox-flag.js';

test('without the option there is no sandbox', async () => {
  expect(await sandboxOf(undefined)).toBeUndefined();
});

test.each(['', 'none', 'bubblewrap:x', 'container', 'container:', 'podman:', 'ssh:host'])(
  '"%s" is refused before anything starts',
  async (text) => {
    await expect(sandboxOf(text)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  },
);

test('an image that does not exist is refused before anything starts', async () => {
  await expect(sandboxOf('container:no-such-image:0')).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
});
