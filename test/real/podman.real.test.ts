import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { type ContainerOptions, container } from '../../src/host/spawners/container.js';
import { spawnerContract } from '../../src/lab/testing/contracts/spawner.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { PODMAN_IMAGE, type Podman, preparePodman } from '../support/podman.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

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

const running = () =>
  execFileSync('podman', ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' }).trim();

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

describeRealClis('a session in podman', (cli) => {
  const readable = [dirname(cli.path), dirname(process.execPath), resolve('test/fixtures/mcp')];

  test('works, has its limits, sees nothing else of the machine, and leaves no container', async ({
    skip,
  }) => {
    if (podman.problem !== undefined) skip(podman.problem);
    await using place = await realPlace(cli);
    const { cwd, home } = place.folders;
    const config = join(home, '.claude');
    mkdirSync(join(config, 'projects', '-other-folder'), { recursive: true });
    writeFileSync(join(config, 'projects', '-other-folder', 'talk.jsonl'), 'a secret conversation');
    writeFileSync(join(home, 'notes.txt'), 'a secret note');
    const options: SessionOptions = {
      // The scripted model is on loopback.
      spawner: inPodman({ network: 'host', readable }),
      env: { CLAUDE_CONFIG_DIR: config, PLANTED_KEY: undefined },
      settings: { env: { FROM_SETTINGS: 'yes' } },
      allowedTools: ['Bash'],
    };
    const attack = `cat ${home}/notes.txt ${config}/projects/-other-folder/talk.jsonl /proc/${process.pid}/environ; ls ${home}; touch /usr/x; (setsid sleep 4242 &); echo "$FROM_SETTINGS" > made.txt; grep CapEff /proc/self/status; echo end`;
    place.model.play([
      toolUse('Bash', { command: attack }),
      { when: { toolResult: /end/ }, reply: text('Done.') },
    ]);
    const session = await place.open(options);
    expect(session.version).toBe(cli.version);
    expect(await session.send('Go').text()).toBe('Done.');
    const seen = place.model.model.requests.findLast(({ toolResults }) => toolResults.length > 0);
    const out = seen?.toolResults[0]?.text ?? '';
    expect(out).not.toContain('a secret');
    expect(out).toMatch(/Read-only file system/);
    expect(out).toMatch(/CapEff:\s*0{16}/);
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('yes\n');
    await session.close();
    expect(running()).toBe('');
    expect(execFileSync('ps', ['-axo', 'args='], { encoding: 'utf8' })).not.toContain('sleep 4242');
    place.model.play([text('Still here.')]);
    await using again = await place.open({ ...options, resume: session.id ?? '' });
    expect(await again.send('And now?').text()).toBe('Still here.');
    expect(readdirSync(cwd)).toContain('made.txt');
  });
});
