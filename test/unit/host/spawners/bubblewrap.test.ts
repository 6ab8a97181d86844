import { expect, onTestFinished, test } from 'vitest';
import { bubblewrap } from '../../../../src/host/spawners/bubblewrap.js';

test.each(['darwin', 'win32'])(
  'on %s it is refused with the reason, before anything starts',
  async (platform) => {
    const real = Object.getOwnPropertyDescriptor(process, 'platform');
    onTestFinished(() => void Object.defineProperty(process, 'platform', real ?? {}));
    Object.defineProperty(process, 'platform', { ...real, value: platform });
    const prepared = bubblewrap({ program: '/no/such/bwrap' }).prepare({
      ...{ file: '/no/such/cli', cli: '/no/such/cli', args: [], env: {}, cwd: '/no/such/folder', id: 'x' },
      ...{ conversation: undefined, files: [], writable: [], readable: [] },
    });
    await expect(prepared).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      message: `bubblewrap needs Linux, and this is ${platform}.`,
    });
  },
);
