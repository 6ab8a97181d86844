import { readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startCoxProcess, type Watched } from '../support/cox-process.js';
import { natsProgram, withNats } from '../support/nats/with-nats.js';

interface Started {
  readonly cox: Watched;
  readonly folder: string;
  readonly pids: readonly number[];
  readonly origin: string;
  readonly token: string;
}

withNats('coxswain fleet dev', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'runs a conversation, and leaves nothing running after %s',
    async (signal) => {
      const { cox, folder, pids, origin, token } = await start();
      expect(pids).toHaveLength(3);
      const client = await BareClient.connect({ origin, token });
      const { session } = await client.ask('open', { cwd: folder });
      client.attach(session);
      await client.ask('send', { content: 'hello' }, { session });
      await client.event('prompt');
      cox.kill(signal);
      expect(await cox.exited).toBe(0);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test('leaves no process running when it is killed', async () => {
    const { cox, pids } = await start();
    cox.kill('SIGKILL');
    await cox.exited;
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test('ends with the reason if its workers cannot start', async () => {
    const folder = await temporaryFolder();
    const given = ['fleet', 'dev', '--nats-server', natsProgram ?? '', '--cli', '/no/such/cli'];
    const cox = startCoxProcess(given, { env: { TMPDIR: folder } });
    onTestFinished(() => end(cox));
    expect(await cox.exited).toBe(7);
    expect(cox.err).toContain('[CLI_NOT_FOUND]');
    expect(await readdir(folder)).toEqual([]);
  });

  test('prints where to look and what to try', async () => {
    const folder = await temporaryFolder();
    const cox = startCoxProcess(flags(folder), { env: { TMPDIR: folder } });
    onTestFinished(() => end(cox));
    await cox.until('Ctrl-C', 'err');
    expect(cox.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n$/);
    expect(cox.err).toMatch(/NATS: nats:\/\/127\.0\.0\.1:\d+ \(process \d+\)\nWorkers: processes \d+, \d+\n/);
    expect(cox.err).toContain('kill its worker');
  });
});

function flags(folder: string): readonly string[] {
  return ['fleet', 'dev', '--demo', '--nats-server', natsProgram ?? '', '--root', folder];
}

async function start(): Promise<Started> {
  const folder = await temporaryFolder();
  const cox = startCoxProcess([...flags(folder), '--json'], { env: { TMPDIR: folder } });
  onTestFinished(() => end(cox));
  await cox.until('\n');
  const { natsPid, workers, url } = JSON.parse(cox.out) as {
    readonly natsPid: number;
    readonly workers: readonly number[];
    readonly url: string;
  };
  const { origin, hash } = new URL(url);
  return { cox, folder, pids: [natsPid, ...workers], origin, token: hash.replace('#token=', '') };
}

async function end(cox: Watched): Promise<void> {
  cox.kill('SIGKILL');
  await cox.exited;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
