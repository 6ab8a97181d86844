import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

eachRealCli(
  'a CLI that does not start says why, as a code with a hint',
  async (cli) => {
    await using place = await realPlace(cli);
    await writeFile(join(place.folders.home, '.claude.json'), '{broken');
    await expect(place.open()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      startupFailure: 'config_file_invalid',
      hint: expect.stringContaining('file'),
    });
  },
  ['2.1.326'],
);
