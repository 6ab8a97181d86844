import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished, test, vi } from 'vitest';
import { type ContainerOptions, container } from '../../src/host/spawners/container.js';
import { spawnerContract } from '../../src/lab/testing/contracts/spawner.js';
import { PODMAN_IMAGE, type Podman, preparePodman } from '../support/podman.js';

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
