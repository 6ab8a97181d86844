import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const run = promisify(execFile);

withNats('the example of a program on a fleet', () => {
  test('runs unchanged, on the built package', async () => {
    const nats = await natsServer();
    mkdirSync('.cache', { recursive: true });
    // Inside the package, so that its own name leads to what was built.
    const folder = mkdtempSync(resolve('.cache/example-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { outputText } = ts.transpileModule(readFileSync('examples/28-fleet-program.ts', 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    const path = join(folder, 'example.js');
    writeFileSync(path, outputText);
    const { PATH } = process.env;
    const env = { PATH, HOME: folder, NATS_URL: nats.url };
    await expect(run(process.execPath, [path], { env, cwd: folder })).resolves.toMatchObject({ stderr: '' });
  }, 60_000);
});
