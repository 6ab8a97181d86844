import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Keyboard } from '../../src/command/terminal/keyboard.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { startCox } from '../support/cox.js';
import { ranCox } from '../support/cox-process.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const asking = () => [
  onUser([useTool('Bash', { command: 'npm test' }, { ask: true, result: 'ok' }), say('Done.')]),
];

async function ran(args: readonly string[], overrides: Parameters<typeof startCox>[1] = {}) {
  const cox = startCox(args, overrides);
  const exitCode = await cox.exitCode;
  return { exitCode, ...cox.output };
}

/** A person who types these lines, each when asked; then nothing more. */
function typing() {
  const typed: string[] = [];
  let wake = () => {};
  let over = false;
  const keyboard: Keyboard = {
    readLine: async (signal) => {
      while (typed.length === 0 && !over && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      return signal.aborted ? undefined : typed.shift();
    },
  };
  const type = (line: string) => {
    typed.push(line);
    wake();
  };
  const leave = () => {
    over = true;
    wake();
  };
  return { keyboard, type, leave };
}

describe('finding a console', () => {
  test('works through its state folder, and the temporary key is revoked', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Greeting' });
    const { exitCode, out } = await ran(['ps', '--state', stateFolder]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(new RegExp(`^${session.slice(0, 8)}  idle .*Greeting\n$`));
    expect(new KeyFile(stateFolder).all).toEqual([]);
    const json = await ran(['ps', '--json', '--url', server.origin], {
      env: { COXSWAIN_TOKEN: server.token },
    });
    expect(JSON.parse(json.out)).toMatchObject({ schema: 1, id: session, title: 'Greeting', state: 'idle' });
  });

  test('that is not running gives a clear error, even after one was killed', async () => {
    const folder = await temporaryFolder();
    const none = await ran(['ps', '--state', folder]);
    expect(none).toMatchObject({ exitCode: 1, out: '' });
    expect(none.err).toContain('CONSOLE_NOT_FOUND');
    expect(none.err).toContain('npx coxswain console');
    await mkdir(join(folder, 'running'));
    const killed = { pid: process.pid, started: 'long ago', origin: 'http://127.0.0.1:9' };
    await writeFile(join(folder, 'running', 'left.json'), JSON.stringify(killed));
    expect((await ran(['ps', '--state', folder])).err).toContain('CONSOLE_NOT_FOUND');
  });

  test('does not work any more once it was closed', async () => {
    const { server, stateFolder } = await startEmulatedConsole(chat);
    await server.close();
    expect((await ran(['ps', '--state', stateFolder])).err).toContain('CONSOLE_NOT_FOUND');
  });

  test('needs a choice if there are several', async () => {
    const { server, stateFolder } = await startEmulatedConsole(chat);
    const { server: other } = await startEmulatedConsole(chat, { stateFolder });
    const { exitCode, err } = await ran(['ps', '--state', stateFolder]);
    expect(exitCode).toBe(1);
    expect(err).toContain(server.origin);
    expect(err).toContain(other.origin);
  });

  test('says why the console refuses the command', async () => {
    const { server, root } = await startEmulatedConsole(chat, { watchToken: true });
    await (await BareClient.connect(server)).ask('open', { cwd: root, title: 'One' });
    const wrong = await ran(['ps', '--url', server.origin], { env: { COXSWAIN_TOKEN: 'wrong' } });
    expect(wrong).toMatchObject({ exitCode: 1, out: '' });
    expect(wrong.err).toContain('token');
    const watcher = { env: { COXSWAIN_TOKEN: String(server.watchToken) } };
    const refused = await ran(['send', '--url', server.origin, 'One', 'hi'], watcher);
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('ROLE_REFUSED');
  });
});

describe('coxswain send', () => {
  test('waits for the answer and prints it', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat);
    await (await BareClient.connect(server)).ask('open', { cwd: root, title: 'Greeting' });
    const said = await ran(['send', '--state', stateFolder, '--wait', 'Greeting', 'hello', 'there']);
    expect(said).toEqual({ exitCode: 0, out: 'You said: hello there\n', err: '' });
    const json = await ran(['send', '--state', stateFolder, '--wait', '--json', 'Greeting', '-'], {
      readInput: async () => 'from a pipe',
    });
    const lines = json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toContain('assistant');
    expect(lines.at(-1)).toMatchObject({ outcome: 'success', exitCode: 0, text: 'You said: from a pipe' });
  });

  test('returns at once without --wait, and resumes a session that has ended', async () => {
    const { server, root, stateFolder, clis } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    await client.ask('close', {}, { session });
    const { exitCode, out } = await ran([
      'send',
      '--state',
      stateFolder,
      '--json',
      session.slice(0, 6),
      'go',
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ session });
    expect(clis).toHaveLength(2);
    await expect.poll(() => clis[1]?.received.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  test('says who has to answer, and how a turn failed', async () => {
    const dying = () => [onUser([useTool('Bash', { command: 'npm test' }, { ask: true }), die()])];
    const { server, root, stateFolder } = await startEmulatedConsole(dying);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Tests' });
    const cox = startCox(['send', '--state', stateFolder, '--wait', 'Tests', 'run them']);
    await cox.until(({ err }) => err.includes('coxswain attach'));
    expect(cox.output.err).toContain('It asks: Bash: npm test');
    const { prompts } = await client.summary(({ state }) => state === 'needs-you');
    const [prompt] = prompts as readonly { id: string }[];
    await client.ask('answer', { prompt: String(prompt?.id), answer: { answer: 'allow' } }, { session });
    expect(await cox.exitCode).toBe(1);
    expect(cox.output.err).toContain('The turn ended: cli-ended');
  });

  test('waits for a message that is sent again', async () => {
    const limit = apiFailure({ error: 'rate_limit', status: 429, text: 'limit reached|1000000000' });
    const scenarios = [[onUser(undefined, [die({ code: 3 })])], [onUser(undefined, [limit])], chat()];
    const { server, root, stateFolder, clis } = await startEmulatedConsole(() => scenarios.shift() ?? [], {
      limitSpreadMs: 0,
    });
    await (await BareClient.connect(server)).ask('open', { cwd: root, title: 'Greeting' });
    const said = await ran(['send', '--state', stateFolder, '--wait', 'Greeting', 'hello']);
    expect(said).toMatchObject({ exitCode: 0, out: 'You said: hello\n' });
    expect(said.err).toMatch(/^A usage limit is reached, or nearly\. The message is sent after .*\n$/);
    expect(clis).toHaveLength(3);
  });

  test('stops waiting when its time is up, and the turn continues', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(asking);
    const client = await BareClient.connect(server);
    await client.ask('open', { cwd: root, title: 'Tests' });
    const args = ['send', '--state', stateFolder, '--wait', '--timeout', '50ms', 'Tests', 'run them'];
    const { exitCode, err } = await ran(args);
    expect(exitCode).toBe(3);
    expect(err).toContain('continues in the console');
    await client.summary(({ state }) => state === 'needs-you');
  });

  test('refuses a session that does not exist, and an ambiguous name', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server);
    for (const id of [randomUUID(), randomUUID()]) await client.ask('open', { cwd: root, title: 'Twin', id });
    const unknown = await ran(['send', '--state', stateFolder, 'Nobody', 'hi']);
    expect(unknown.exitCode).toBe(4);
    expect(unknown.err).toContain('coxswain ps --all');
    const twins = await ran(['send', '--state', stateFolder, 'Twin', 'hi']);
    expect(twins).toMatchObject({ exitCode: 2, out: '' });
    const empty = await ran(['send', '--state', stateFolder, 'Twin']);
    expect(empty.err).toContain('nothing to send');
  });
});

describe('coxswain logs', () => {
  test('prints past events, for people and for programs', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat);
    await (await BareClient.connect(server)).ask('open', { cwd: root, title: 'Greeting' });
    await ran(['send', '--state', stateFolder, '--wait', 'Greeting', 'hello']);
    const { exitCode, out } = await ran(['logs', '--state', stateFolder, 'Greeting']);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/> hello \(coxswain in a terminal\)\n.*You said: hello\n.*The turn is over/);
    const json = await ran(['logs', '--state', stateFolder, '--json', 'Greeting']);
    const numbers = json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).n);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const tail = await ran(['logs', '--state', stateFolder, '--json', '--tail', '2', 'Greeting']);
    expect(tail.out.trim().split('\n')).toHaveLength(2);
  });

  test('follows new events until a signal arrives', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat);
    await (await BareClient.connect(server)).ask('open', { cwd: root, title: 'Greeting' });
    let stop = (_signal: NodeJS.Signals) => {};
    const logs = startCox(['logs', '-f', '--state', stateFolder, 'Greeting'], {
      onSignal: (listener) => {
        stop = listener;
        return () => {};
      },
    });
    await logs.until(({ out }) => out.includes('A CLI was started.'));
    await ran(['send', '--state', stateFolder, 'Greeting', 'later']);
    await logs.until(({ out }) => out.includes('You said: later'));
    stop('SIGINT');
    expect(await logs.exitCode).toBe(0);
  });
});

describe('coxswain attach', () => {
  test('shows past messages, sends what is typed, and shows what others send', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server, { name: 'phone' });
    const { session } = await client.ask('open', { cwd: root, title: 'Greeting' });
    await ran(['send', '--state', stateFolder, '--wait', 'Greeting', 'before']);
    const person = typing();
    const cox = startCox(['attach', '--state', stateFolder, 'Greeting'], { keyboard: person.keyboard });
    await cox.until(({ out }) => out.includes('You said: before'));
    person.type('hello');
    await cox.until(({ out }) => out.includes('You said: hello'));
    await client.ask('send', { content: 'from elsewhere' }, { session });
    await cox.until(({ out }) => out.includes('You said: from elsewhere'));
    expect(cox.output.err).toContain('> from elsewhere (phone)');
    expect(cox.output.err).not.toContain('> hello');
    person.leave();
    expect(await cox.exitCode).toBe(0);
    await client.summary(({ state, viewers }) => state === 'idle' && viewers === 0);
  });

  test('shows prompts, even after the CLI was replaced', async () => {
    const { server, root, stateFolder, clis } = await startEmulatedConsole(asking);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Tests' });
    const person = typing();
    const cox = startCox(['attach', '--state', stateFolder, 'Tests'], { keyboard: person.keyboard });
    person.type('run them');
    await cox.until(({ err }) => err.includes('your choice'));
    expect(cox.output.err).toContain('npm test');
    person.type('a');
    await cox.until(({ out }) => out.includes('Done.'));
    await client.ask('close', {}, { session });
    await cox.until(({ err }) => err.includes('The CLI ended'));
    person.type('once more');
    await cox.until(({ err }) => err.split('your choice').length > 2);
    person.type('d');
    await cox.until(({ out }) => out.split('Done.').length > 2);
    expect(clis).toHaveLength(2);
    person.leave();
    expect(await cox.exitCode).toBe(0);
  });

  test('wakes a session that is parked', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(chat, { idleMs: 20 });
    const client = await BareClient.connect(server);
    await client.ask('open', { cwd: root, title: 'Greeting' });
    await client.summary(({ state }) => state === 'parked');
    expect((await ran(['ps', '--state', stateFolder])).out).toContain('  parked ');
    const person = typing();
    const cox = startCox(['attach', '--state', stateFolder, 'Greeting'], { keyboard: person.keyboard });
    person.type('hello');
    await cox.until(({ out }) => out.includes('You said: hello'));
    person.leave();
    expect(await cox.exitCode).toBe(0);
  });

  test('leaves prompts that it did not answer to others', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(asking);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Tests' });
    const person = typing();
    const cox = startCox(['attach', '--state', stateFolder, 'Tests'], { keyboard: person.keyboard });
    person.type('run them');
    await cox.until(({ err }) => err.includes('your choice'));
    person.leave();
    expect(await cox.exitCode).toBe(0);
    const { prompts } = await client.summary(({ state }) => state === 'needs-you');
    const [prompt] = prompts as readonly { id: string }[];
    const answer = { prompt: String(prompt?.id), answer: { answer: 'allow' as const } };
    expect(await client.ask('answer', answer, { session })).toMatchObject({ accepted: true });
  });

  test('needs a terminal', async () => {
    const { stateFolder } = await startEmulatedConsole(chat);
    const { exitCode, err } = await ran(['attach', '--state', stateFolder, 'Greeting']);
    expect(exitCode).toBe(2);
    expect(err).toContain('coxswain logs -f');
  });
});

test('coxswain ps --url without a token says where to set it', async () => {
  const { exitCode, err } = await ranCox(['ps', '--url', 'http://127.0.0.1:1']);
  expect(err).toContain('No token for this console: set COXSWAIN_TOKEN.');
  expect(exitCode).toBe(2);
});
