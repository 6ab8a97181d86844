import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ContainerOptions, container } from '../../src/host/spawners/container.js';
import { spawnerContract } from '../../src/lab/testing/contracts/spawner.js';
import { eventuallyEmpty } from '../support/eventually.js';
import { PODMAN_IMAGE, type Podman, preparePodman } from '../support/podman.js';
import { attacksThatWork, leaveAProcess } from './support/attacks.js';
import { converse } from './support/converse.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

let podman: Podman;
beforeAll(() => {
  podman = preparePodman();
  for (const [name, value] of Object.entries(podman.env)) vi.stubEnv(name, value);
});
afterAll(() => {
  vi.unstubAllEnvs();
  podman[Symbol.dispose]();
});

const inPodman = ({ readable = [], ...options }: Partial<ContainerOptions> = {}) =>
  container({ image: PODMAN_IMAGE, program: 'podman', ...options, readable: ['/usr', ...readable] });

describe('podman', () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'podman-work-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  beforeAll(() => {
    const config = mkdtempSync(join(tmpdir(), 'podman-config-'));
    vi.stubEnv('CLAUDE_CONFIG_DIR', config);
    return () => rmSync(config, { recursive: true });
  });

  for (const { name, run } of spawnerContract(() => ({
    spawner: inPodman({ network: 'none' }),
    folder: folder(),
  })))
    test(name, async ({ skip }) => {
      if (podman.problem !== undefined) skip(podman.problem);
      await run();
    });
});

test('a host that is killed while its CLI is busy leaves no container', async ({ skip }) => {
  if (podman.problem !== undefined) skip(podman.problem);
  const base = mkdtempSync(join(tmpdir(), 'podman-work-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [work, config] = [join(base, 'work'), join(base, 'config')];
  mkdirSync(work);
  const { PATH, HOME, CONTAINERS_CONF } = process.env;
  const fixtures = resolve('test/fixtures');
  const options = { image: PODMAN_IMAGE, program: 'podman', network: 'none', readable: ['/usr', fixtures] };
  const script = [join(fixtures, 'cli', 'hosts-a-session.mjs'), join(fixtures, 'cli', 'has-faults.sh')];
  const host = spawn(process.execPath, [...script, 'tool', 'stays', 'container', JSON.stringify(options)], {
    cwd: work,
    env: {
      ...{ PATH, HOME, CONTAINERS_CONF, CLAUDE_CONFIG_DIR: config },
      ...{ FAULT_AT: 'tool', FAULT: 'while :; do sleep 1; done' },
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  const [ready] = await once(createInterface({ input: host.stdout }), 'line');
  expect(ready).toBe('ready');
  expect(containers()).toHaveLength(1);
  host.kill('SIGKILL');
  await eventuallyEmpty(containers);
});

describeRealClis('a session in podman', (cli) => {
  const readable = [dirname(cli.path), resolve('test/fixtures/mcp')];
  const inPlace = ({ folders }: RealPlace) => ({ CLAUDE_CONFIG_DIR: join(folders.home, '.claude') });

  test('works as any other: version, tools, servers, hooks, prompts, settings, interrupt, resume', async ({
    skip,
  }) => {
    if (podman.problem !== undefined) skip(podman.problem);
    await using place = await realPlace(cli);
    await converse(place, cli, { spawner: inPodman({ network: 'host', readable }), env: inPlace(place) });
    expect(containers()).toEqual([]);
  });

  test('is refused everything that works without it, but the ports of this machine on its network', async ({
    skip,
  }) => {
    if (podman.problem !== undefined) skip(podman.problem);
    await using place = await realPlace(cli);
    const spawner = inPodman({ network: 'host', readable });
    const worked = await attacksThatWork(place, { spawner, env: inPlace(place) });
    expect(worked).toEqual(['reach a port of the host']);
    await eventuallyEmpty(await leaveAProcess(place, { spawner, env: inPlace(place) }));
    expect(containers()).toEqual([]);
  });
});

/** The containers of sessions, running or not. */
function containers(): readonly string[] {
  const all = execFileSync('podman', ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' });
  return all.split('\n').filter((name) => name.startsWith('coxswain-'));
}
