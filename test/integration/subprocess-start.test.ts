import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type CliTransport, launchCli } from '../../src/host/cli/launch-cli.js';
import type { CliOptions } from '../../src/host/cli/options/cli-options.js';
import { VersionCache } from '../../src/host/cli/program/cli-version.js';
import { hostKeeper } from '../../src/wire/transport/process/keeper.js';
import { spawnLines } from '../../src/wire/transport/process/spawn-lines.js';
import { realSystem } from '../../src/wire/transport/process/system.js';
import { CoxswainError } from '../../src/wire/util/errors.js';
import { fixture, isRunning, Listener, soon } from './process-helpers.js';

const folder = mkdtempSync(join(tmpdir(), 'start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open: CliTransport[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

async function launch(options: CliOptions, parts = {}): Promise<CliTransport> {
  const transport = await launchCli({ ending: soon, ...options }, parts);
  open.push(transport);
  return transport;
}

function file(name: string, text: string | Uint8Array, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

async function failure(options: object, parts = {}): Promise<CoxswainError> {
  try {
    await launch(options, parts);
  } catch (error) {
    if (error instanceof CoxswainError) return error;
  }
  throw new Error('the launch did not fail as it should');
}

async function facts(options: CliOptions, parts = {}) {
  const transport = await launch({ cli: fixture('says-facts'), ...options }, parts);
  const { argv, env, cwd, execArgv } = await new Listener(transport).json();
  return { argv, cwd, execArgv, env: env as Record<string, string> };
}

describe('a start that cannot work fails at once with the real cause', () => {
  const foreign = new Uint8Array(64);
  new DataView(foreign.buffer).setUint32(0, 0x7f454c46);
  foreign[4] = 2;
  foreign[5] = 1;
  foreign[18] = 0x15;

  const cases: [what: string, code: string, options: () => CliOptions, named: string][] = [
    ['a missing file', 'CLI_NOT_FOUND', () => ({ cli: join(folder, 'gone') }), 'gone'],
    ['a missing name', 'CLI_NOT_FOUND', () => ({ cli: 'no-such-cli-here' }), 'no-such-cli-here'],
    [
      'a file that may not be executed',
      'CLI_NOT_EXECUTABLE',
      () => ({ cli: file('plain', '#!/bin/sh\n', 0o644) }),
      'plain',
    ],
    ['a file that is not a program', 'CLI_NOT_EXECUTABLE', () => ({ cli: file('text', 'exit 0\n') }), 'text'],
    ['a folder', 'CLI_NOT_EXECUTABLE', () => ({ cli: folder }), folder],
    ['a missing working folder', 'CWD_INVALID', () => ({ cwd: join(folder, 'nowhere') }), 'nowhere'],
    ['a file as working folder', 'CWD_INVALID', () => ({ cwd: file('a-file', '') }), 'a-file'],
    [
      'a missing interpreter of a script',
      'INTERPRETER_NOT_FOUND',
      () => ({ cli: file('orphan', '#!/gone/interpreter\n') }),
      '/gone/interpreter',
    ],
    [
      'a missing program behind env',
      'INTERPRETER_NOT_FOUND',
      () => ({ cli: file('orphan-env', '#!/usr/bin/env no-such-interpreter\n') }),
      'no-such-interpreter',
    ],
    [
      'a missing executable for a JavaScript CLI',
      'INTERPRETER_NOT_FOUND',
      () => ({ cli: fixture('says-facts'), executable: '/gone/node' }),
      '/gone/node',
    ],
    [
      'a program for another machine',
      'CLI_WRONG_PLATFORM',
      () => ({ cli: file('foreign', foreign) }),
      'ppc64',
    ],
    ['a program for another system', 'CLI_WRONG_PLATFORM', () => ({ cli: file('win.exe', 'MZ') }), 'Windows'],
    [
      'an environment without PATH',
      'OPTION_INVALID',
      () => ({ cli: 'claude', envMode: 'replace', env: {} }),
      'PATH',
    ],
  ];

  test.each(cases)('%s: %s', async (_what, code, options, named) => {
    const error = await failure(options());
    expect(error.code).toBe(code);
    expect(error.message).toContain(named);
  });

  test('a failed start leaves nothing: no watch, no listener', async () => {
    const before = process.listenerCount('exit');
    const watch = hostKeeper().watch();
    watch.release();
    await failure({ cli: join(folder, 'gone') });
    await failure({
      cli: fixture('says-facts'),
      outputSchema: { x: 'y'.repeat(200_000) },
    });
    await expect(spawnLines({ file: join(folder, 'gone') })).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' });
    // The folder of the keeper's children goes with the last watch.
    expect(existsSync(dirname(watch.folder))).toBe(false);
    expect(process.listenerCount('exit')).toBe(before);
  });

  test('errors that only the system can report are named after the spawn', async () => {
    const huge = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`V${index}`, 'x'.repeat(100_000)]),
    );
    const error = await failure({ cli: fixture('says-facts'), env: huge });
    expect(error.code).toBe('SPAWN_FAILED');
    expect(error.message).toContain('too long');
  });
});

describe('bad input is refused before the spawn, with the name of the option', () => {
  test.each<[string, object]>([
    ['modle', { modle: 'x' }],
    ['maxTurns', { maxTurns: 'three' }],
    ['fallbackModel', { model: 'x', fallbackModel: 'x' }],
    ['extraArgs', { extraArgs: { '--x': null } }],
    ['env', { env: { A: 1 } }],
    ['onStderr', { onStderr: 1 }],
  ])('%s', async (option, options) => {
    const error = await failure({ cli: fixture('says-facts'), ...options });
    expect(error).toMatchObject({ code: 'OPTION_INVALID', option });
  });

  test('root with bypassPermissions', async () => {
    const parts = { system: { ...realSystem(), uid: 0 } };
    const options: CliOptions = {
      cli: fixture('says-facts'),
      permissionMode: 'bypassPermissions',
      env: { IS_SANDBOX: undefined },
    };
    expect((await failure(options, parts)).code).toBe('ROOT_BYPASS');
    const { env } = await facts({ permissionMode: 'bypassPermissions', sandboxed: true }, parts);
    expect(env.IS_SANDBOX).toBe('1');
  });
});

describe('what the CLI gets', () => {
  test('its arguments one by one, whatever they contain: there is no shell', async () => {
    const odd = `a b "c" 'd' $HOME \`x\` %PATH% * ; & | > \\ -e`;
    const { argv } = await facts({ model: odd, extraArgs: { flag: odd } });
    expect(argv).toEqual([
      process.execPath,
      fixture('says-facts'),
      '--output-format=stream-json',
      '--verbose',
      '--input-format=stream-json',
      `--model=${odd}`,
      `--flag=${odd}`,
    ]);
  });

  test('the working folder', async () => {
    expect((await facts({ cwd: folder })).cwd).toBe(folder);
    expect((await facts({})).cwd).toBe(process.cwd());
  });

  test('arguments for Node before the script', async () => {
    expect((await facts({ executableArgs: ['--no-warnings'] })).execArgv).toEqual(['--no-warnings']);
    expect((await facts({ executable: 'node' })).argv).toContain(fixture('says-facts'));
  });

  test('an environment by explicit merge, our entry point and a mark; the host’s own is not modified', async () => {
    const before = { ...process.env };
    const extended = await facts({ env: { MINE: '1', HOME: undefined } });
    expect(extended.env).toMatchObject({
      MINE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'coxswain',
      PATH: process.env.PATH,
    });
    expect(extended.env).not.toHaveProperty('HOME');
    expect(extended.env.COXSWAIN_MARK).toMatch(/^[0-9a-f]{32}-\d+$/);
    const replaced = await facts({ envMode: 'replace', env: { PATH: '/bin' } });
    expect(Object.keys(replaced.env).sort()).toEqual(['CLAUDE_CODE_ENTRYPOINT', 'COXSWAIN_MARK', 'PATH']);
    const isolated = await facts(
      { envMode: 'isolated', env: { A: '1' } },
      hostWith({ SECRET: 's', LANG: 'C' }),
    );
    expect(isolated.env).toMatchObject({ A: '1', LANG: 'C' });
    expect(isolated.env).not.toHaveProperty('SECRET');
    expect(process.env).toEqual(before);
  });

  test('the host’s Node flags and entry point stay with the host', async () => {
    const host = hostWith({ NODE_OPTIONS: '--no-warnings', CLAUDE_CODE_ENTRYPOINT: 'cli' });
    const { env } = await facts({}, host);
    expect(env).not.toHaveProperty('NODE_OPTIONS');
    expect(env.CLAUDE_CODE_ENTRYPOINT).toBe('coxswain');
    const own = await facts(
      { env: { CLAUDE_CODE_ENTRYPOINT: 'mine', NODE_OPTIONS: '--no-deprecation' } },
      host,
    );
    expect(own.env).toMatchObject({ CLAUDE_CODE_ENTRYPOINT: 'mine', NODE_OPTIONS: '--no-deprecation' });
    expect((await facts({ entrypoint: 'sdk-ts' })).env.CLAUDE_CODE_ENTRYPOINT).toBe('sdk-ts');
  });

  test('a host that is itself a child passes its own mark on', async () => {
    const { env } = await facts({}, hostWith({ COXSWAIN_MARK: 'outer-3' }));
    expect(env.COXSWAIN_MARK).toMatch(/^outer-3\/[0-9a-f]{32}-\d+$/);
  });

  function hostWith(env: Record<string, string>) {
    const system = realSystem();
    return { system: { ...system, env: { ...system.env, ...env } } };
  }
});

describe('what is known about the CLI', () => {
  test('a CLI that is a link in PATH, with a first line for node and no extension', async () => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const real = file('real-cli', '#!/usr/bin/env node\nconsole.log(JSON.stringify(process.argv))\n');
    symlinkSync(real, join(bin, 'claude'));
    const transport = await launch({ cli: 'claude', env: { PATH: `${bin}:${process.env.PATH}` } });
    expect(transport.cli).toEqual({ path: join(bin, 'claude'), how: 'option' });
    expect(transport.commandLine.file).toBe(process.execPath);
  });

  test('a native program is started directly', async () => {
    const script = file('native', '#!/bin/sh\necho "$0 $1"\n');
    const transport = await launch({ cli: script });
    expect(transport.commandLine.file).toBe(script);
    expect(await new Listener(transport).count(1)).toEqual([`${script} --output-format=stream-json`]);
  });

  test('its process id, its command line with secrets masked', async () => {
    const transport = await launch({
      cli: fixture('says-facts'),
      cwd: folder,
      model: 'sonnet',
      mcpServers: { a: { command: 'x', env: { TOKEN: 'hush' } } },
      settings: { env: { KEY: 'hush' } },
      extraArgs: { 'api-key': 'hush' },
    });
    expect(isRunning(transport.pid)).toBe(true);
    const { file: program, args, cwd, masked } = transport.commandLine;
    expect({ program, cwd }).toEqual({ program: process.execPath, cwd: folder });
    expect(args.join(' ')).toContain('hush');
    expect(masked).toContain('--model=sonnet');
    expect(masked).toContain('--mcp-config=');
    expect(masked).not.toContain('hush');
  });

  test('its version, from the package next to it, without running it', async () => {
    const packaged = mkdtempSync(join(folder, 'pkg-'));
    const cli = join(packaged, 'cli.js');
    writeFileSync(cli, 'process.stdin.resume()');
    writeFileSync(join(packaged, 'package.json'), '{"name":"@anthropic-ai/claude-code","version":"2.1.17"}');
    const versions = new VersionCache(() => Promise.reject(new Error('must not run')));
    expect(await (await launch({ cli }, { versions })).version).toBe('2.1.17');
    const error = await failure({ cli, effort: 'low' });
    expect(error).toMatchObject({ code: 'OPTION_INVALID', option: 'effort' });
    expect(error.message).toContain('2.1.17');
  });

  test('otherwise by running it in parallel, which does not delay the start', async () => {
    const cli = file(
      'versioned',
      '#!/bin/sh\ncase "$1" in --version) echo "2.1.99 (Claude Code)";; *) cat;; esac\n',
    );
    const transport = await launch({ cli, effort: 'low' });
    const listener = new Listener(transport);
    await transport.send('hello');
    expect(await listener.count(1)).toEqual(['hello']);
    expect(await transport.version).toBe('2.1.99');
  });

  test('a CLI that prints no version is used anyway, and that run ends with the transport', async () => {
    const cli = file('mute', '#!/bin/sh\ncase "$1" in --version) sleep 300;; *) cat;; esac\n');
    const transport = await launch({ cli });
    await transport.close();
    expect(await transport.version).toBeUndefined();
  });
});

describe('long values', () => {
  test('are passed in a private file that exists while the CLI runs and is removed afterwards', async () => {
    const { existsSync, readFileSync } = await import('node:fs');
    const mcpServers = { a: { command: 'x', env: { BIG: 'y'.repeat(200_000) } } };
    const settings = { env: { BIG: 'z'.repeat(200_000) } };
    const transport = await launch({ cli: fixture('says-facts'), mcpServers, settings });
    const { argv } = await new Listener(transport).json();
    const paths = (argv as string[])
      .filter((each) => /^--(mcp-config|settings)=/.test(each))
      .map((each) => each.slice(each.indexOf('=') + 1));
    expect(paths.map((path) => JSON.parse(readFileSync(path, 'utf8')))).toEqual([{ mcpServers }, settings]);
    await transport.close();
    expect(paths.filter(existsSync)).toEqual([]);
  });
});
