import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const run = promisify(execFile);

withNats('the example of a program on a fleet', () => {
  test('runs unchanged, on the built package', async () => {
    const nats = await natsServer();
    const folder = mkdtempSync(join(tmpdir(), 'example-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = resolve('dist/examples/28-fleet-program.mjs');
    const { PATH } = process.env;
    const env = { PATH, HOME: folder, NATS_URL: nats.url };
    await expect(run(process.execPath, [path], { env, cwd: folder })).resolves.toMatchObject({ stderr: '' });
  }, 60_000);
});
