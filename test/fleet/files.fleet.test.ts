import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { BareClient, eventIn } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { startFleet, startTestGateway } from '../support/fleet.js';
import { withNats } from '../support/nats/with-nats.js';
import { startPushService } from '../support/push-service.js';

withNats('files and messages on a fleet', () => {
  test('a gateway reads, writes, stages and commits where the worker has the folder', async () => {
    const { server, root } = await startFleet([() => []]);
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, stdio: 'pipe', encoding: 'utf8' });
    git('init', '-q', '--initial-branch=main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    const to = { session };
    const saved = await client.ask('file.save', { path: 'a.txt', text: 'one\n', version: null }, to);
    expect((await client.ask('file', { path: 'a.txt' }, to)).version).toBe(saved.version);
    expect((await client.ask('folder', {}, to)).entries).toContainEqual({ name: 'a.txt', kind: 'file' });
    const { hunks = [] } = await client.ask('git.hunks', { path: 'a.txt' }, to);
    await client.ask('git.stage', { path: 'a.txt', hunks: hunks.map(({ id }) => id) }, to);
    const { index } = await client.ask('git.status', {}, to);
    await client.ask('git.commit', { message: 'first', index }, to);
    expect(git('log', '--format=%s')).toBe('first\n');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('a gateway tells browsers without an open page about prompts of its workers', async () => {
    const service = await startPushService();
    const ask = () => [onUser([useTool('Bash', { command: 'ls' }, { ask: true })])];
    const { engine, root } = await startFleet([ask]);
    const server = await startTestGateway({ fleet: engine, webhookHosts: ['127.0.0.1'] });
    const client = await BareClient.connect(server);
    await client.ask('push.add', service.subscription);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: 'go' }, { session });
    const { prompt } = eventIn(await client.event('prompt'));
    await eventually(() => service.taken.length === 1);
    expect(JSON.parse(service.taken[0]?.text ?? '')).toMatchObject({
      session,
      tag: (prompt as { id: string }).id,
    });
  });
});
