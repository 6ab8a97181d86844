import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';

const ORIGINAL = readFileSync('test/projects/today/program.mjs', 'utf8');
const MOVED = ORIGINAL.replace('@anthropic-ai/claude-agent-sdk', 'coxswain/compat');
const run = promisify(execFile);

const bun = resolve(
  `test/runtimes/node_modules/@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}/bin/bun`,
);

// The environment is that of a shell: the CLI is the one in the project's own packages.
describe.each([
  ['today', 'the platform package with a binary', '2.1.326'],
  ['before', 'cli.js', '2.0.77'],
])('a project of %s (%s)', (name, _what, version) => {
  test.each([
    ['Node', process.execPath],
    ['Bun', bun],
  ])('runs on its own CLI after changing only the import, on %s', async (_runtime, runtime) => {
    const packages = resolve('test/projects', name, 'node_modules/@anthropic-ai');
    expect(existsSync(join(packages, 'claude-agent-sdk')), `test/projects/${name} is installed`).toBe(true);
    expect(existsSync(runtime), 'test/runtimes is installed').toBe(true);
    const said = [`version ${version}`, 'success Written. Write', ''].join('\n');
    expect(await output({ packages, runtime, program: ORIGINAL })).toBe(said);
    expect(await output({ packages, runtime, program: MOVED })).toBe(said);
  });
});

interface Run {
  readonly packages: string;
  readonly runtime: string;
  readonly program: string;
}

/** The output of a program in a throwaway project that has these packages, and ours. */
async function output({ packages, runtime, program }: Run): Promise<string> {
  const { cwd, home, tmp, remove } = await makeThrowawayFolders();
  const file = join(cwd, 'made.txt');
  await using model = await scriptModel([
    toolUse('Write', { file_path: file, content: 'a' }),
    text('Written.'),
  ]);
  try {
    await mkdir(join(cwd, 'node_modules'));
    await symlink(packages, join(cwd, 'node_modules/@anthropic-ai'));
    await symlink(resolve('.'), join(cwd, 'node_modules/coxswain'));
    await writeFile(join(cwd, 'program.mjs'), program);
    // No `claude` in PATH, only the runtimes and the system's own programs.
    const host = { PATH: [dirname(runtime), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };
    const env = scrubbedEnvironment({ home, tmp, modelUrl: model.url, host, extra: { IS_SANDBOX: '1' } });
    const { stdout } = await run(runtime, ['program.mjs'], { cwd, env, timeout: 60_000 });
    expect(readFileSync(file, 'utf8')).toBe('a');
    return stdout;
  } finally {
    await remove();
  }
}
