import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type RealCli,
  type RealCliOptions,
  realCli,
} from '../../../../../src/lab/testing/real-cli/real-cli.js';

const path = fileURLToPath(new URL('../../../../fixtures/cli/says-its-surroundings.mjs', import.meta.url));
const model = { url: 'http://127.0.0.1:1' };

let tmpFolder = '';
beforeEach(async () => {
  tmpFolder = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
});
afterEach(() => rm(tmpFolder, { recursive: true }));

const start = (options: Partial<RealCliOptions> = {}) => realCli({ path, model, ...options }, { tmpFolder });

interface Surroundings {
  readonly env: Record<string, string>;
  readonly args: string[];
  readonly cwd: string;
}

function surroundingsOf(cli: RealCli): Promise<Surroundings> {
  return new Promise((resolve) => cli.start(([line]) => resolve(JSON.parse(line ?? '') as Surroundings)));
}

describe('realCli', () => {
  test('gives a CLI throwaway folders, the model, and nothing else from this machine', async () => {
    await using cli = await start();
    const { env, cwd } = await surroundingsOf(cli);
    expect([cwd, env.HOME, env.TMPDIR].every((folder) => folder?.startsWith(tmpFolder))).toBe(true);
    expect([cli.cwd, cli.home]).toEqual([cwd, env.HOME]);
    expect(env.ANTHROPIC_BASE_URL).toBe(model.url);
    const inherited = Object.keys(env).filter((name) => name !== 'PATH' && env[name] === process.env[name]);
    expect(inherited).toEqual([]);
  });

  test('lets a CLI read no settings and sends permission prompts to the host', async () => {
    await using cli = await start();
    const { args } = await surroundingsOf(cli);
    expect(flagsOf(args)).toMatchObject({
      '--setting-sources': '',
      '--permission-prompt-tool': 'stdio',
      '--model': 'sonnet',
    });
  });

  test('passes on options, variables and another model', async () => {
    await using cli = await start({
      maxTurns: 3,
      modelName: 'opus',
      env: { MINE: '1' },
      settingSources: ['user'],
    });
    const { args, env } = await surroundingsOf(cli);
    expect(flagsOf(args)).toMatchObject({
      '--max-turns': '3',
      '--model': 'opus',
      '--setting-sources': 'user',
    });
    expect(env.MINE).toBe('1');
  });

  test('removes its folders when it is closed, even twice', async () => {
    const cli = await start();
    await surroundingsOf(cli);
    expect(existsSync(cli.home)).toBe(true);
    await Promise.all([cli.close(), cli.close()]);
    expect(await readdir(tmpFolder)).toEqual([]);
  });

  test('keeps a given home and working folder', async () => {
    const [home, cwd] = [join(tmpFolder, 'my-home'), join(tmpFolder, 'my-work')];
    await Promise.all([mkdir(home), mkdir(cwd)]);
    const cli = await start({ home, cwd });
    const said = await surroundingsOf(cli);
    expect([said.env.HOME, said.cwd]).toEqual([home, cwd]);
    await cli.close();
    expect((await readdir(tmpFolder)).sort()).toEqual(['my-home', 'my-work']);
  });

  test.each<[string, Partial<RealCliOptions>, string]>([
    ['a file that is missing', { path: '/no/such/cli.js' }, 'CLI_NOT_FOUND'],
    ['a folder that is missing', { cwd: '/no/such/folder' }, 'CWD_INVALID'],
    ['an option that does not exist', { maxTurn: 1 } as never, 'OPTION_INVALID'],
    ['an option of the wrong type', { maxTurns: 'many' } as never, 'OPTION_INVALID'],
  ])('leaves nothing running if it fails to start because of %s', async (_, options, code) => {
    await expect(start(options)).rejects.toThrow(expect.objectContaining({ code }));
    expect(await readdir(tmpFolder)).toEqual([]);
  });

  test('names the installed versions, and where it searched, if one is missing', async () => {
    const asking = realCli({ version: '9.9.9', model, clisFolder: tmpFolder });
    await expect(asking).rejects.toThrow(
      expect.objectContaining({
        code: 'CLI_NOT_FOUND',
        message: expect.stringContaining(`9.9.9 is not installed. Installed: none. Looked in ${tmpFolder}`),
      }),
    );
  });

  test('needs an installed CLI, and a model', async () => {
    await expect(realCli({ model, clisFolder: tmpFolder })).rejects.toThrow(
      /^No real CLI is installed.*npm install/,
    );
    await expect(realCli({ path } as never)).rejects.toThrow(/"model" must be/);
  });
});

/** The values of flags that are written as `--flag=value`. */
function flagsOf(args: readonly string[]): Record<string, string> {
  return Object.fromEntries(args.map((word) => [word.replace(/=.*/s, ''), word.replace(/^[^=]*=?/, '')]));
}
