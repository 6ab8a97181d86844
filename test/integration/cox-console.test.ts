import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import type { PromptAnswer, PromptView } from '../../src/entry/remote/contract.js';
import { hashOf } from '../../src/server/console/keys/key.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { LastUses, USES_FILE } from '../../src/server/console/keys/last-uses.js';
import { LOGINS_FILE, Logins } from '../../src/server/console/keys/logins.js';
import { makeCertificate } from '../support/certificate.js';
import { temporaryFolder } from '../support/console.js';
import { EMULATED_CLI, ranCox, startCoxProcess, type Watched } from '../support/cox-process.js';
import { isRunning } from './process-helpers.js';

interface Printed {
  readonly url: string;
  readonly watchUrl?: string;
  readonly token: string;
  readonly cli: string;
}

async function started(args: readonly string[], env: Record<string, string>): Promise<[Watched, Printed]> {
  const cox = startCoxProcess(['console', '--json', '--port', '0', ...args], { env });
  onTestFinished(() => cox.kill('SIGKILL'));
  await cox.until('\n');
  return [cox, JSON.parse(cox.out)];
}

/** How the demo is answered: allow everything, and the first choice of each question. */
function answerTo(prompt: PromptView): PromptAnswer {
  if (prompt.kind === 'plan') return { answer: 'approve' };
  if (prompt.kind !== 'question') return { answer: 'allow' };
  const chosen = prompt.questions.map(({ question, options, multiSelect }) => {
    const label = options[0]?.label ?? '';
    return [question, multiSelect ? [label] : label];
  });
  return { answer: 'choices', choices: Object.fromEntries(chosen) };
}

test('coxswain console --demo runs its whole conversation, and leaves nothing running', async () => {
  const tmp = await temporaryFolder();
  const [cox, { url, cli }] = await started(['--demo', '--root', tmp], { TMPDIR: tmp });
  expect(cli).toContain('emulated');
  const client = new ConsoleClient({ url, name: 'the test' });
  await client.ready;
  const kinds = new Set<string>();
  const results = { count: 0, wake: () => {} };
  client.on('session', ({ id, prompts }) => {
    for (const prompt of prompts) {
      kinds.add(prompt.kind);
      void client.command('answer', { prompt: prompt.id, answer: answerTo(prompt) }, { session: id });
    }
  });
  const { session } = await client.command('open', { cwd: tmp });
  client.attach(session, 0, {
    onEvent: ({ line }) => {
      if (line?.from !== 'cli' || !line.text.includes('"type":"result"')) return;
      results.count += 1;
      results.wake();
    },
  });
  const suggestions = client.server?.suggestions ?? [];
  for (const [index, content] of suggestions.entries()) {
    await client.command('send', { content }, { session });
    while (results.count <= index) {
      await new Promise<void>((wake) => {
        results.wake = wake;
      });
    }
  }
  expect([...kinds].sort()).toEqual(['permission', 'plan', 'question']);
  const { servers } = await client.command('mcp.status', {}, { session });
  expect(servers).toMatchObject([{ name: 'clock', status: 'connected' }]);
  await client.close();
  cox.kill('SIGTERM');
  expect(await cox.exited).toBe(0);
  expect(readdirSync(tmp)).toEqual([]);
});

test('coxswain console finds the CLI, reads the token from the environment, and keeps its state', async () => {
  const folder = await temporaryFolder();
  const token = 'a token from the environment';
  const args = ['--cli', EMULATED_CLI, '--root', folder];
  const [cox, printed] = await started(args, {
    COXSWAIN_TOKEN: token,
    XDG_STATE_HOME: join(folder, 'state'),
  });
  expect(printed).toMatchObject({ token, cli: expect.stringContaining(EMULATED_CLI) });
  await using client = new ConsoleClient({ url: printed.url });
  await client.ready;
  const { session, cliVersion } = await client.command('open', { cwd: folder });
  expect(cliVersion).toBe('2.1.326');
  expect(existsSync(join(folder, 'state', 'coxswain', 'console', 'sessions', session))).toBe(true);
  cox.kill('SIGINT');
  expect(await cox.exited).toBe(0);
});

test('coxswain console --watch prints an address for read-only access', async () => {
  const folder = await temporaryFolder();
  const watchToken = 'a token to watch with, from outside';
  const args = ['--cli', EMULATED_CLI, '--root', folder, '--state', folder];
  for (const [more, env] of [
    [['--watch'], {}],
    [[], { COXSWAIN_WATCH_TOKEN: watchToken }],
  ] as const) {
    const [cox, { watchUrl = '' }] = await started([...args, ...more], env);
    if (more.length === 0) expect(watchUrl).toMatch(new RegExp(`#token=${watchToken}$`));
    await using watcher = new ConsoleClient({ url: watchUrl });
    await watcher.ready;
    const opening = watcher.command('open', { cwd: folder });
    await expect(opening).rejects.toMatchObject({ code: 'ROLE_REFUSED' });
    expect(watcher.server?.role).toBe('watcher');
    cox.kill('SIGTERM');
    await cox.exited;
  }
});

test('a console that is killed takes its CLIs with it', async () => {
  const folder = await temporaryFolder();
  const [cox, { url }] = await started(['--cli', EMULATED_CLI, '--root', folder, '--state', folder], {});
  await using client = new ConsoleClient({ url });
  await client.ready;
  const { info } = await client.command('open', { cwd: folder });
  const pid = Number(info.pid);
  expect(isRunning(pid)).toBe(true);
  cox.kill('SIGKILL');
  await cox.exited;
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
});

test('a demo says how to reach it from a terminal, since it is not your own console', async () => {
  const cox = startCoxProcess(['console', '--demo', '--no-open', '--port', '0']);
  onTestFinished(() => cox.kill('SIGKILL'));
  await cox.until('Ctrl-C', 'err');
  const [, state = ''] = /coxswain ps --state (\S+)/.exec(cox.err) ?? [];
  expect(await ranCox(['ps', '--state', state])).toMatchObject({ exitCode: 0 });
  cox.kill('SIGTERM');
  await cox.exited;
});

test('coxswain console says why it does not start', async () => {
  const open = await ranCox(['console', '--demo', '--no-open', '--host', '0.0.0.0', '--port', '0']);
  expect(open).toMatchObject({ exitCode: 1, out: '' });
  expect(open.err).toContain('in COXSWAIN_TOKEN');
  const noCli = await ranCox(['console', '--cli', '/nowhere/claude']);
  expect(noCli).toMatchObject({ exitCode: 7, out: '' });
  const noRoot = await ranCox(['console', '--demo', '--root', '/nowhere']);
  expect(noRoot.err).toContain('/nowhere');
});

test('coxswain console says that certificate and key are swapped, and ends; the right way round, it ends when asked', async ({
  skip,
}) => {
  const folder = await temporaryFolder();
  const files = makeCertificate(folder);
  if (files === undefined) return skip('openssl is not here');
  const args = ['--cli', EMULATED_CLI, '--root', folder, '--state', join(folder, 'state')];
  const tls = (cert: string, key: string) => ['--tls-cert', cert, '--tls-key', key];
  const swapped = await ranCox(['console', '--json', ...args, ...tls(files.key, files.cert)]);
  expect(swapped.exitCode).toBe(1);
  expect(swapped.err).toContain('they may be swapped');
  expect(swapped.err).not.toContain('bug');
  const [cox, { url }] = await started([...args, ...tls(files.cert, files.key)], {});
  expect(url).toMatch(/^https:/);
  cox.kill('SIGTERM');
  expect(await cox.exited).toBe(0);
});

test('coxswain console explains what a public address means', async () => {
  const strong = { COXSWAIN_TOKEN: 'quite-a-long-token-of-24-characters' };
  const said = async (host: string) => {
    const cox = startCoxProcess(['console', '--demo', '--no-open', '--port', '0', '--host', host], {
      env: strong,
    });
    onTestFinished(() => cox.kill('SIGKILL'));
    await cox.until('Ctrl-C', 'err');
    cox.kill('SIGTERM');
    await cox.exited;
    return cox;
  };
  const open = await said('0.0.0.0');
  expect(open.err).toContain('Anyone who can reach this machine can reach the console');
  expect(open.err).toContain('Nothing is encrypted');
  expect(open.err).toContain('--tls-cert');
  // An address that a browser elsewhere can use.
  expect(open.out).toMatch(/^http:\/\/[^/]+:\d+\/#token=/);
  expect(open.out).not.toContain('0.0.0.0');
  const closed = await said('127.0.0.1');
  expect(closed.err).not.toMatch(/Everybody|encrypted/);
  expect(closed.out).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const weak = await ranCox(['console', '--demo', '--no-open', '--host', '0.0.0.0', '--port', '0'], {
    env: { COXSWAIN_TOKEN: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
  });
  expect(weak).toMatchObject({ exitCode: 1, out: '' });
  expect(weak.err).toMatch(/COXSWAIN_TOKEN .*different/);
});

test.skipIf(process.platform !== 'linux')(
  'the token does not stay in the environment of the console',
  async () => {
    const folder = await temporaryFolder();
    const token = 'a token that no tool should read';
    const args = ['--cli', EMULATED_CLI, '--root', folder, '--state', folder];
    const [cox, { url }] = await started(args, {
      COXSWAIN_TOKEN: token,
      COXSWAIN_WATCH_TOKEN: `${token} (watch)`,
    });
    await using client = new ConsoleClient({ url });
    await client.ready;
    const { info } = await client.command('open', { cwd: folder });
    for (const pid of [cox.child.pid, Number(info.pid)]) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('no tool should read');
    }
  },
);

test('the list of keys says when each was last used, by a program or a browser', async () => {
  const state = await temporaryFolder();
  const keys = new KeyFile(state);
  for (const name of ['program', 'browser', 'nobody']) keys.add(name, 'owner');
  const [program, browser] = keys.all;
  if (program === undefined || browser === undefined) throw new Error('the keys are missing');
  const secret = new Logins(join(state, LOGINS_FILE)).add(browser, Date.now());
  const uses = new LastUses(join(state, USES_FILE));
  uses.note(program.hash, { at: Date.UTC(2026, 0, 1) });
  uses.note(hashOf(secret), { at: Date.UTC(2026, 1, 1) });
  uses.close();
  const { out } = await ranCox(['console', 'keys', 'list', '--state', state]);
  const used = out.split('\n').map((line) => line.split('\t').at(-1));
  expect(used).toEqual(['used 2026-01-01 00:00', 'used 2026-02-01 00:00', 'never used', '']);
});

test('keys created by concurrent commands are all kept', async () => {
  const state = await temporaryFolder();
  const names = ['one', 'two', 'three', 'four'];
  const add = (name: string) =>
    ranCox(['console', 'keys', 'add', name, '--role', 'watcher', '--state', state]);
  const made = await Promise.all(names.map(add));
  expect(made.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  const { out } = await ranCox(['console', 'keys', 'list', '--state', state]);
  const listed = out
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0]);
  expect(listed.sort()).toEqual([...names].sort());
});

test('coxswain console refuses options that would do nothing: of CLIs at a gateway, of gateways elsewhere', async () => {
  const gateway = await ranCox([
    'console',
    '--nats',
    'nats://127.0.0.1:1',
    '--max-budget-usd',
    '5',
    '--idle',
    '1m',
  ]);
  expect(gateway.err).toContain(
    '--idle, --max-budget-usd cannot be used with --nats: a gateway has no CLIs.',
  );
  expect(gateway.exitCode).toBe(2);
  const alone = await ranCox(['console', '--demo', '--no-open', '--keep', '90d', '--label', 'gpu']);
  expect(alone.err).toContain('--label, --keep can only be used with --nats.');
  expect(alone.exitCode).toBe(2);
});

test('coxswain console --chrome starts CLIs with Chrome, and refuses one that cannot', async () => {
  const tmp = await temporaryFolder();
  const log = join(tmp, 'arguments');
  const cli = join(tmp, 'claude');
  writeFileSync(cli, `#!/bin/sh\necho "$@" >> "${log}"\n`, { mode: 0o755 });
  const state = join(tmp, 'state');
  const [cox, { url }] = await started(['--chrome', '--cli', cli, '--root', tmp, '--state', state], {});
  const client = new ConsoleClient({ url, name: 'the test' });
  await client.ready;
  await client.command('open', { cwd: tmp }).catch(() => {});
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toContain('--chrome');
  await client.close();
  cox.kill('SIGTERM');
  await cox.exited;
  writeFileSync(join(tmp, 'package.json'), '{"name":"@anthropic-ai/claude-code","version":"2.0.44"}');
  const refused = await ranCox(['console', '--chrome', '--json', '--cli', cli, '--root', tmp]);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.err).toContain('--chrome');
});
