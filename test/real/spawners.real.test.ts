import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { container } from '../../src/host/spawners/container.js';
import { ssh } from '../../src/host/spawners/ssh.js';
import { noSshServer, type SshServer, startSshServer } from '../support/ssh-server.js';
import { converse } from './support/converse.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeRealClis('a session over ssh', (cli) => {
  let server: SshServer | undefined;
  beforeAll(async () => {
    if (noSshServer === undefined) server = await startSshServer();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test('works as any other: version, tools, servers, hooks, prompts, settings, interrupt, resume', async ({
    skip,
  }) => {
    if (noSshServer !== undefined) skip(noSshServer);
    await using place = await realPlace(cli);
    await converse(place, cli, { spawner: ssh({ host: '127.0.0.1', args: server?.args ?? [] }) });
  });
});

describeRealClis('a session in a container', (cli) => {
  const state = mkdtempSync(join(tmpdir(), 'docker-state-'));
  beforeAll(() => vi.stubEnv('DOCKER_STATE', state));
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(state, { recursive: true });
  });

  test('works as any other, with a docker that plays the stream', async () => {
    await using place = await realPlace(cli);
    const program = resolve('test/fixtures/spawners/docker.mjs');
    const env = { CLAUDE_CONFIG_DIR: join(place.folders.home, '.claude') };
    await converse(place, cli, { spawner: container({ image: 'made-up:1', program }), env });
    expect(readdirSync(state).filter((name) => name.startsWith('coxswain-'))).toEqual([]);
  });
});
