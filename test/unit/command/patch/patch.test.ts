import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCox } from '../../../support/cox.js';
import { tinyCli } from '../../host/patches/tiny-cli.js';

let folder = '';
let cli = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
  cli = join(folder, 'cli.js');
  await writeFile(cli, tinyCli);
});
afterAll(() => rm(folder, { recursive: true }));

async function patch(...args: string[]) {
  const { output, exitCode } = startCox(['patch', ...args], {
    env: { COXSWAIN_CACHE: join(folder, 'cache') },
  });
  return { exitCode: await exitCode, ...output };
}

describe('coxswain patch', () => {
  test('list prints the patches in order', async () => {
    const { out, exitCode } = await patch('list');
    expect(exitCode).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(7);
    const { patches } = JSON.parse((await patch('list', '--json')).out);
    expect(patches[0]).toMatchObject({ id: '001-run-in-background', priority: 10, required: false });
  });

  test('status writes nothing, apply creates the copy, and both say what applies', async () => {
    const before = JSON.parse((await patch('status', '--cli', cli, '--json')).out);
    expect(before).toMatchObject({ schema: 1, exitCode: 0, from: cli, written: false });
    expect((await patch('status', '--cli', cli)).out).toContain('does not exist yet');
    const { out, exitCode } = await patch('apply', '--cli', cli);
    expect(exitCode).toBe(0);
    expect(out).toContain(before.path);
    expect(out).toContain('004-mcp-reconnect: reconnects by connectAnew');
    expect(JSON.parse((await patch('status', '--cli', cli, '--json')).out).written).toBe(true);
  });

  test('a patch that does not fit is shown with its anchor, and the exit code says so', async () => {
    const other = join(folder, 'other.js');
    await writeFile(other, tinyCli.replaceAll('Error during reconnection', 'Oh'));
    const { out, exitCode } = await patch('status', '--cli', other);
    expect(exitCode).toBe(10);
    expect(out).toContain('not found: the function around "Error during reconnection"');
  });

  test('accepts a folder of patches, and refuses a CLI that cannot be patched', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    const source = "{ id: 'mine', description: 'd', apply: () => ({ success: true, details: ['done'] }) }";
    await writeFile(join(own, 'mine.mjs'), `export const patch = ${source};`);
    expect((await patch('status', '--cli', cli, '--folder', own)).out).toContain('mine: done');
    expect((await patch('list', '--folder', own)).out).toContain('mine');
    const binary = join(folder, 'claude.js');
    await writeFile(binary, Buffer.alloc(600));
    const refused = await patch('apply', '--cli', binary);
    expect(refused.err).toContain('native binary');
    expect(refused.exitCode).not.toBe(0);
  });
});
