import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bubblewrap } from '../../src/host/spawners/bubblewrap.js';
import { container } from '../../src/host/spawners/container.js';
import { hostProcess } from '../../src/host/spawners/host-process.js';
import { ssh } from '../../src/host/spawners/ssh.js';
import { spawnerContract } from '../../src/lab/testing/contracts/spawner.js';
import { carriers } from '../faults/leftovers.js';
import { noBubblewrap } from '../support/bubblewrap.js';
import { eventuallyEmpty } from '../support/eventually.js';
import { noSshServer, type SshServer, startSshServer } from '../support/ssh-server.js';

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'spawned-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('a process of this user', () => {
  for (const { name, run } of spawnerContract(() => ({ spawner: hostProcess(), folder: folder() })))
    test(name, run);
});

describe('bubblewrap', () => {
  for (const { name, run } of spawnerContract(() => ({ spawner: bubblewrap(), folder: folder() })))
    test(name, async ({ skip }) => {
      if (noBubblewrap !== undefined) skip(noBubblewrap);
      await run();
    });
});

/** A home with a config folder, a folder for temporary files, and a working folder, as a user has them. */
function userFolders() {
  const base = folder();
  const [home, tmp, work] = [join(base, 'home'), join(base, 'tmp'), join(base, 'work')];
  const config = join(home, '.claude');
  for (const each of [config, tmp, work]) mkdirSync(each, { recursive: true });
  return { base, home, config, tmp, work, env: { HOME: home, TMPDIR: tmp, CLAUDE_CONFIG_DIR: config } };
}

describe.each([
  ['bubblewrap', bubblewrap({ program: '/bin/true' })],
  ['a container', container({ image: 'any', program: '/bin/true' })],
])('%s', (_name, spawner) => {
  test('refuses a folder that would show the home, the config folder or private files', async () => {
    const { base, home, config, tmp, work, env } = userFolders();
    vi.stubEnv('HOME', home);
    vi.stubEnv('TMPDIR', tmp);
    onTestFinished(() => void vi.unstubAllEnvs());
    const link = join(work, 'link');
    symlinkSync(home, link);
    const inConfig = join(config, 'projects');
    mkdirSync(inConfig);
    for (const cwd of ['/', '/tmp', base, home, config, inConfig, tmp, link]) {
      const prepared = spawner.prepare({ ...REQUEST, cwd, env });
      await expect(prepared, cwd).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
      const more = spawner.prepare({ ...REQUEST, cwd: work, writable: [cwd], env });
      await expect(more, cwd).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
    }
    await spawner.prepare({ ...REQUEST, cwd: work, env });
    const project = join(home, 'project');
    mkdirSync(project);
    await spawner.prepare({ ...REQUEST, cwd: project, env });
  });
});

/** A repository with a commit, and a worktree of it. */
function worktree() {
  const { home, work: repository, base, env } = userFolders();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x', ...args], {
      env: { PATH: process.env.PATH, HOME: home },
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'The first one');
  const cwd = join(base, 'tree');
  git('worktree', 'add', '--quiet', cwd);
  return { base, cwd, home, repository, git: join(repository, '.git'), env };
}

test('git in a worktree in bubblewrap reads the repository, and cannot leave hooks there', async ({
  skip,
}) => {
  if (noBubblewrap !== undefined) skip(noBubblewrap);
  const { cwd, git, env } = worktree();
  const script = `git log --format=%s; git status --short; touch ${git}/hooks/post-commit || echo refused`;
  const command = await bubblewrap().prepare({
    ...{ ...REQUEST, cwd, args: ['-c', script], env: { ...env, PATH: '/usr/bin:/bin' } },
  });
  const out = execFileSync(command.file, [...command.args], {
    env: command.env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(out).toBe('The first one\nrefused\n');
});

describe.each([
  ['bubblewrap', (readable: string[]) => bubblewrap({ program: '/bin/true', readable })],
  ['a container', (readable: string[]) => container({ image: 'any', program: '/bin/true', readable })],
])('%s', (_name, spawner) => {
  test('shows the repository of a worktree read-only, and no folder that the worktree only claims', async () => {
    const { cwd, home, git, env } = worktree();
    const { args } = await spawner([]).prepare({ ...REQUEST, cwd, env });
    expect(args.join(' ')).toMatch(new RegExp(`ro-bind ${git} |source=${git},target=${git},readonly`));
    writeFileSync(join(cwd, '.git'), `gitdir: ${home}/a/b\n`);
    mkdirSync(join(home, 'a', 'b'), { recursive: true });
    const claimed = await spawner([]).prepare({ ...REQUEST, cwd, env });
    expect(claimed.args.join(' ')).not.toMatch(new RegExp(`bind ${home} |=${home},|${git}`));
  });

  test('mounts the folders that tools may work in, and names other paths in options that it does not show', async () => {
    const { base, work, env } = userFolders();
    const [more, plugin] = [join(base, 'more'), join(base, 'plugin')];
    for (const each of [more, plugin]) mkdirSync(each);
    const request = { ...REQUEST, cwd: work, writable: [more], env };
    const { args } = await spawner([]).prepare(request);
    expect(args.join(' ')).toMatch(new RegExp(`--bind ${more} |source=${more},target=${more} `));
    await expect(spawner([]).prepare({ ...request, readable: [plugin] })).rejects.toThrow(
      `does not show ${plugin}`,
    );
    await spawner([plugin]).prepare({ ...request, readable: [plugin, join(more, 'its-plugin')] });
    const missing = join(base, 'missing');
    await expect(spawner([]).prepare({ ...request, writable: [missing] })).rejects.toThrow(missing);
  });
});

test('bubblewrap refuses a CLI whose folder is the home', async () => {
  const { home, work, env } = userFolders();
  const cli = join(home, 'claude');
  writeFileSync(cli, '');
  const prepared = bubblewrap({ program: '/bin/true' }).prepare({ ...REQUEST, cli, cwd: work, env });
  await expect(prepared).rejects.toThrow(home);
});

describe('a container', () => {
  const state = mkdtempSync(join(tmpdir(), 'docker-state-'));
  beforeAll(() => {
    vi.stubEnv('DOCKER_STATE', state);
    vi.stubEnv('CLAUDE_CONFIG_DIR', join(state, 'config'));
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(state, { recursive: true });
  });
  const program = resolve('test/fixtures/spawners/docker.mjs');
  const made = () => ({ spawner: container({ image: 'made-up:1', program }), folder: folder() });

  for (const { name, run } of spawnerContract(made)) test(name, run);

  test('has the limits, the network and the mounts that were asked for, and nothing else of this machine', async () => {
    const cwd = folder();
    const spawner = container({
      ...{ image: 'made-up:1', program, network: 'none', memory: '2g', cpus: 1.5, pids: 99, user: '5:6' },
      readable: [resolve('test/fixtures')],
    });
    const { args, env } = await spawner.prepare({ ...REQUEST, cwd, env: { KEY: 's3cret' } });
    expect(args.join(' ')).not.toContain('s3cret');
    expect(env.KEY).toBe('s3cret');
    const text = args.join(' ');
    for (const part of ['--network none', '--memory 2g', '--cpus 1.5', '--pids-limit 99', '--user 5:6'])
      expect(text).toContain(part);
    for (const part of ['--cap-drop ALL', 'no-new-privileges', `--workdir ${cwd}`])
      expect(text).toContain(part);
    const mounts = args
      .filter((word) => word.startsWith('type=bind'))
      .map((word) => /source=([^,]*)/.exec(word)?.[1]);
    expect(mounts.filter((path) => path?.includes('/projects/') === false)).toEqual([
      cwd,
      resolve('test/fixtures'),
    ]);
  });

  test('has an empty folder for temporary files, also where the environment names one of this machine', async () => {
    const env = { TMPDIR: '/var/folders/of/this-machine' };
    const { args } = await container({ image: 'made-up:1', program }).prepare({
      ...{ ...REQUEST, cwd: folder(), env },
    });
    const empty = args.filter((_word, index) => args[index - 1] === '--tmpfs');
    expect(empty.map((word) => word.split(':')[0])).toEqual(expect.arrayContaining(['/tmp', env.TMPDIR]));
  });

  test('finds a CLI in a mounted folder also when only its version is asked for', async () => {
    const readable = [resolve('test/fixtures/cli')];
    const spawner = container({ image: 'made-up:1', program, readable });
    const { args } = await spawner.prepare({ ...REQUEST, cwd: '.' });
    expect(args.join(' ')).toContain(`source=${readable[0]},target=${readable[0]},readonly`);
    expect(args).not.toContain('--workdir');
  });

  test('of an unknown image, or without docker, is an error before anything starts', async () => {
    const unknown = container({ image: 'nothing:2', program });
    await expect(unknown.prepare({ ...REQUEST, cwd: folder() })).rejects.toThrow('nothing:2 cannot be used');
    const missing = container({ image: 'made-up:1', program: 'no-docker' });
    await expect(missing.prepare({ ...REQUEST, cwd: folder() })).rejects.toThrow(
      'no-docker, which is not installed',
    );
    expect(readdirSync(state).filter((name) => name.startsWith('coxswain-'))).toEqual([]);
  });
});

describe('ssh', () => {
  let server: SshServer | undefined;
  beforeAll(async () => {
    if (noSshServer === undefined) server = await startSshServer();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  const made = () => ({ spawner: ssh({ host: '127.0.0.1', args: server?.args ?? [] }), folder: folder() });

  for (const { name, run } of spawnerContract(made))
    test(name, async ({ skip }) => {
      if (noSshServer !== undefined) skip(noSshServer);
      await run();
    });

  test('to an unknown host, folder or program is an error before anything starts', async ({ skip }) => {
    if (noSshServer !== undefined) skip(noSshServer);
    const { spawner } = made();
    await expect(spawner.prepare({ ...REQUEST, cwd: '/no/such/folder' })).rejects.toMatchObject({
      code: 'CWD_INVALID',
    });
    await expect(spawner.prepare({ ...REQUEST, file: 'no-such-cli' })).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
    });
    const nobody = ssh({ host: 'no-such-host.invalid', args: ['-F', '/dev/null'] });
    await expect(nobody.prepare(REQUEST)).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
    await expect(ssh({ host: '-oProxyCommand=x' }).prepare(REQUEST)).rejects.toThrow(
      'not the name of a host',
    );
  });

  test('leaves no copied file behind', async ({ skip }) => {
    if (noSshServer !== undefined) skip(noSshServer);
    const { spawner } = made();
    const { end, args } = await spawner.prepare({ ...REQUEST, env: { KEY: 's3cret' } });
    const copied = /sh '(.*)\/start'/.exec(args.at(-1) ?? '')?.[1] ?? '';
    expect(readFileSync(join(copied, 'start'), 'utf8')).toContain('s3cret');
    await end?.();
    expect(existsSync(copied)).toBe(false);
  });
});

describe('a host that is killed while its CLI is busy leaves neither a process nor a file', () => {
  const docker = resolve('test/fixtures/spawners/docker.mjs');
  const cases = [
    ['hostProcess', undefined, () => ({})],
    ['bubblewrap', noBubblewrap, () => ({ readable: [resolve('test/fixtures')] })],
    ['container', undefined, () => ({ image: 'made-up:1', program: docker })],
    ['ssh', noSshServer, (args: readonly string[]) => ({ host: '127.0.0.1', args })],
  ] as const;

  test.for(cases)('%s', async ([name, problem, options], { skip }) => {
    if (problem !== undefined) skip(problem);
    await using server = name === 'ssh' ? await startSshServer() : undefined;
    const { base, home, tmp, work } = userFolders();
    const args = [resolve('test/fixtures/cli/has-faults.sh'), 'tool', 'stays', name];
    const host = spawn(
      process.execPath,
      [
        resolve('test/fixtures/cli/hosts-a-session.mjs'),
        ...args,
        JSON.stringify(options(server?.args ?? [])),
      ],
      {
        cwd: work,
        env: {
          ...{ PATH: process.env.PATH, HOME: home, TMPDIR: tmp, DOCKER_STATE: join(base, 'docker') },
          ...{ FAULT_AT: 'tool', FAULT: 'while :; do sleep 1; done' },
          ...(name === 'ssh' ? { TMPDIR_THERE: tmp } : {}),
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => void host.kill('SIGKILL'));
    const [ready] = await Promise.race([
      once(createInterface({ input: host.stdout }), 'line'),
      once(host, 'exit').then(() => ['it ended']),
    ]);
    expect(ready).toBe('ready');
    expect(carriers(base).length).toBeGreaterThan(2);
    expect(readdirSync(tmp)).not.toEqual([]);
    host.kill('SIGKILL');
    await eventuallyEmpty(() => carriers(base));
    await eventuallyEmpty(() => readdirSync(tmp, { recursive: true, encoding: 'utf8' }));
  });
});

const REQUEST = {
  ...{ file: '/bin/sh', cli: '/bin/sh', args: [], env: {}, cwd: '/tmp' },
  ...{ conversation: undefined, files: [], writable: [], readable: [], id: 'test-1' },
};
