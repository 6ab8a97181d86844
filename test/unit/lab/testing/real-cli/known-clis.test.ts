import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knownRealClis } from '../../../../../src/lab/testing/real-cli/known-clis.js';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Installs a made-up package: its version, and the file that is the CLI. */
async function install(
  path: string,
  version: string,
  file: string,
  name = '@anthropic-ai/claude-code',
): Promise<string> {
  const folder = join(root, path);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version }));
  await writeFile(join(folder, file), '');
  return join(folder, file);
}

const here = { platform: 'linux', arch: 'x64', env: {} };

describe('knownRealClis', () => {
  test('finds aliases, the package and the binary for this system, oldest first', async () => {
    const native = await install('n/@anthropic-ai/claude-code-linux-x64', '2.1.326', 'claude');
    const newer = await install('n/claude-2.1.17', '2.1.17', 'cli.js');
    const older = await install('n/claude-2.1.9', '2.1.9', 'cli.js');
    const plain = await install('n/@anthropic-ai/claude-code', '2.0.73', 'cli.js');
    expect(knownRealClis({ ...here, folder: join(root, 'n') })).toEqual([
      { version: '2.0.73', path: plain },
      { version: '2.1.9', path: older },
      { version: '2.1.17', path: newer },
      { version: '2.1.326', path: native },
    ]);
  });

  test('leaves out binaries for other systems, foreign packages, packages without a CLI, and broken manifests', async () => {
    await install('n/@anthropic-ai/claude-code-darwin-arm64', '2.1.326', 'claude');
    await install('n/claude-nothing', '1.0.0', 'README.md');
    await install('n/claude-flow', '1.0.0', 'cli.js', 'claude-flow');
    const broken = await install('n/claude-broken', '1.0.0', 'cli.js');
    await writeFile(join(dirname(broken), 'package.json'), 'no JSON');
    expect(knownRealClis({ ...here, folder: join(root, 'n') })).toEqual([]);
  });

  test('finds the binary for Windows by its own name', async () => {
    const path = await install('n/@anthropic-ai/claude-code-win32-x64', '2.1.326', 'claude.exe');
    const found = knownRealClis({ ...here, platform: 'win32', folder: join(root, 'n') });
    expect(found).toEqual([{ version: '2.1.326', path }]);
  });

  test('searches COXSWAIN_REAL_CLIS before it searches near the project', async () => {
    const named = await install('named/claude-2.0.73', '2.0.73', 'cli.js');
    await install('project/test/real-clis/node_modules/claude-2.0.73', '2.0.73', 'cli.js');
    const options = { ...here, cwd: join(root, 'project'), env: { COXSWAIN_REAL_CLIS: join(root, 'named') } };
    expect(knownRealClis(options)).toEqual([{ version: '2.0.73', path: named }]);
  });

  test('searches near the project from any folder in it', async () => {
    const side = await install('project/test/real-clis/node_modules/claude-2.0.73', '2.0.73', 'cli.js');
    const own = await install('project/node_modules/@anthropic-ai/claude-code', '2.1.17', 'cli.js');
    const cwd = join(root, 'project', 'src', 'deep');
    expect(knownRealClis({ ...here, cwd })).toEqual([
      { version: '2.0.73', path: side },
      { version: '2.1.17', path: own },
    ]);
  });

  test('finds none if there are none', () => {
    expect(knownRealClis({ ...here, folder: join(root, 'absent') })).toEqual([]);
  });
});
