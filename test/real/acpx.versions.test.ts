import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { acpPlace } from '../support/acp-places.js';
import { AcpxRun, processesOf } from '../support/acpx.js';
import { obstacleOf } from '../support/programs-of-others.js';
import { describeRealClis } from './support/each-real-cli.js';

// A third-party client. It starts agents by itself, ends them when idle, and resumes their sessions.
describeRealClis('acpx on coxswain acp', (cli) => {
  test('allows and denies, answers a question, cancels, and continues with another agent', async ({
    skip,
  }) => {
    const obstacle = obstacleOf('acpx');
    if (obstacle !== undefined) skip(obstacle);
    await using place = await acpPlace(cli.path);
    const agent = `${process.execPath} ${resolve('dist/command.js')} acp --cli ${cli.path}`;
    const start = (...words: readonly string[]) =>
      new AcpxRun(place, ['--agent', agent, '--ttl', '2', '--format', 'json', ...words]);
    const run = async (...words: readonly string[]) => {
      const started = start(...words);
      expect(await started.exited, started.err).toBe(0);
      return started.out;
    };
    const untilGone = async () => {
      await expect.poll(() => processesOf(place)).toEqual([]);
    };

    await run('sessions', 'new');
    const allowed = await run('--approve-all', 'make a file');
    expect(allowed).toMatch(/"method":"session\/request_permission"/);
    expect(allowed).toMatch(/"status":"completed"/);
    expect(allowed).toMatch(/"stopReason":"end_turn"/);
    expect(existsSync(join(place.cwd, 'made'))).toBe(true);
    // It exits with 5 if its agent was idle for too long and another one had to be started, otherwise with 0.
    const denied = start('--deny-all', 'make another');
    expect([0, 5], denied.err).toContain(await denied.exited);
    expect(denied.out).toMatch(/"status":"failed"/);
    expect(existsSync(join(place.cwd, 'another'))).toBe(false);
    // It has no forms: it chooses the first option.
    expect(await run('--approve-all', 'ask me')).toMatch(/Which colour\?.*Red/);

    const waits = start('wait forever');
    await waits.until('Waiting');
    await run('cancel');
    await waits.exited;
    expect(waits.out).toMatch(/"stopReason":"cancelled"/);

    // Its agent ends when idle; the next one continues the same conversation.
    await untilGone();
    const resumed = await run('say hello');
    expect(resumed).toMatch(/"method":"session\/resume"/);
    expect(resumed).toMatch(/Hello\./);
    expect(JSON.stringify(place.requests.at(-1)?.messages)).toContain('make a file');
    await run('sessions', 'close');
    await untilGone();
  });
});
