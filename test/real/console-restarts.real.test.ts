import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiError, reply, stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { type ConsoleOptions, startConsole } from '../../src/server/console/start-console.js';
import { BareClient, eventIn } from '../support/console.js';
import { Watched } from '../support/cox-process.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

/** The console's state is in the test's throwaway home. */
function consoleFolders({ folders: { cwd, home } }: RealPlace): ConsoleOptions {
  return { roots: [cwd], stateFolder: join(home, 'state'), configDir: join(home, '.claude') };
}

async function startServer(place: RealPlace, own: ConsoleOptions = {}) {
  const { cwd: _cwd, ...session } = place.options();
  const server = await startConsole({ ...consoleFolders(place), limitSpreadMs: 0, session, ...own });
  onTestFinished(() => server.close());
  return server;
}

/** Starts the console as a separate process, so that it can be killed; returns its address and key. */
async function startProcess(place: RealPlace) {
  const { cli, env } = place.options();
  const { roots = [], stateFolder = '' } = consoleFolders(place);
  const args = ['--json', '--port', '0', '--cli', String(cli), '--root', String(roots[0])];
  const child = spawn(process.execPath, ['dist/command.js', 'console', ...args, '--state', stateFolder], {
    env: { ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const cox = new Watched(child);
  await cox.until('\n');
  return { child, server: JSON.parse(cox.out) as { origin: string; token: string } };
}

/** Opens a session and sends it a message. */
async function begin(client: BareClient, place: RealPlace, content: string) {
  const { session } = await client.ask('open', { cwd: place.folders.cwd });
  client.attach(session);
  const { uuid } = await client.ask('send', { content }, { session });
  return { session, uuid };
}

/** Waits for the model's text, including earlier text. */
async function heard(client: BareClient, said: string, timeout = 60_000): Promise<void> {
  const isIt = (event: object) => JSON.stringify(event).includes(said);
  await expect.poll(() => client.events.map(eventIn).some(isIt), { timeout }).toBe(true);
}

/** A usage limit of an account. It ends after some seconds: old CLIs report the minute, which must not be over when it is read. */
function spent(seconds = 15) {
  const resetsAt = String(Math.floor(Date.now() / 1000) + seconds);
  const prefix = 'anthropic-ratelimit-unified';
  return apiError(429, {
    message: "This request would exceed your account's rate limit.",
    headers: {
      [`${prefix}-status`]: 'rejected',
      [`${prefix}-reset`]: resetsAt,
      [`${prefix}-representative-claim`]: 'five_hour',
      [`${prefix}-5h-status`]: 'rejected',
      [`${prefix}-5h-reset`]: resetsAt,
      [`${prefix}-5h-utilization`]: '1.0',
    },
  });
}

describeRealClis('a console server', (cli) => {
  test('lets a prompt be answered after a restart, and the answer applies when the call is repeated', async () => {
    await using place = await realPlace(cli);
    const call = reply([toolUse('Bash', { command: 'touch made-later' })]);
    place.model.play([{ when: 'make it', reply: call }]);
    const server = await startServer(place);
    const client = await BareClient.connect(server, { name: 'page' });
    const { session } = await begin(client, place, 'make it');
    const { prompt } = eventIn(await client.event('prompt')) as { prompt: { id: string } };
    await server.close();

    place.model.play([
      { when: 'now allowed', reply: call },
      { when: { toolResult: /.*/ }, reply: text('It is made.') },
    ]);
    const next = await startServer(place);
    const back = await BareClient.connect(next, { name: 'page' });
    back.attach(session);
    const answer = { prompt: prompt.id, answer: { answer: 'allow' } } as const;
    expect(await back.ask('answer', answer, { session })).toMatchObject({ accepted: true });
    await heard(back, 'It is made.');
    expect(existsSync(join(place.folders.cwd, 'made-later'))).toBe(true);
  });

  test('waits for the end of a usage limit across a restart, and then sends the message', async () => {
    await using place = await realPlace(cli);
    const { env = {}, cwd: _cwd, ...options } = place.options();
    const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...rest } = env;
    const account = { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-not-a-real-one', CLAUDE_CODE_MAX_RETRIES: '0' };
    const session = { ...options, env: { ...rest, ...account } };
    place.model.play([{ when: /.*/, reply: () => spent(), times: 'any' }]);
    const server = await startServer(place, { session });
    const client = await BareClient.connect(server, { name: 'page' });
    const { session: id } = await begin(client, place, 'hello');
    await client.summary(({ state }) => state === 'limited');
    place.model.play([{ when: 'hello', reply: text('Hello again.'), times: 'any' }]);
    await server.close();
    const next = await startServer(place, { session });
    const back = await BareClient.connect(next, { name: 'page' });
    back.attach(id);
    // Older CLIs report the end to the minute.
    await heard(back, 'Hello again.', 150_000);
    await back.summary(({ state }) => state === 'idle');
  }, 240_000);

  test('asks before exceeding its budget, and continues when it is raised', async () => {
    await using place = await realPlace(cli);
    place.model.play([{ when: /./, reply: text('Hello.'), times: 'any' }]);
    const server = await startServer(place, { budgets: { day: 0.000_001 } });
    const client = await BareClient.connect(server, { name: 'page' });
    const { session } = await begin(client, place, 'first');
    const first = await client.summary(({ state, costUsd }) => state === 'idle' && Number(costUsd) > 0);
    await client.ask('send', { content: 'second' }, { session });
    const { prompts } = await client.summary(({ state }) => state === 'needs-you');
    const [prompt] = prompts as [{ id: string }];
    expect(prompt).toMatchObject({ kind: 'budget', scope: 'day', spentUsd: first.costUsd });
    await client.ask('answer', { prompt: prompt.id, answer: { answer: 'raise', usd: 5 } }, { session });
    await client.summary(({ state, costUsd }) => state === 'idle' && Number(costUsd) > Number(first.costUsd));
  });

  test('loses no message if it is killed: each is sent again, or reported as lost if a CLI had received it', async () => {
    await using place = await realPlace(cli);
    place.model.play([{ when: 'first', reply: stall(), times: 'any' }]);
    const { child, server } = await startProcess(place);
    const client = await BareClient.connect(server as never, { name: 'page' });
    const { session, uuid: first } = await begin(client, place, 'first');
    await place.until(() =>
      place.model.model.requests.some((each) => JSON.stringify(each).includes('first')),
    );
    const { uuid } = await client.ask('send', { content: 'second' }, { session });
    child.kill('SIGKILL');
    await once(child, 'exit');
    place.model.play([{ when: /./, reply: text('Answered.'), times: 'any' }]);
    const next = await startServer(place);
    const back = await BareClient.connect(next, { name: 'page' });
    back.attach(session);
    const events = () => back.events.map(eventIn);
    const isSent = (id: string) => {
      const resumedAt = events().findIndex(({ kind }) => kind === 'end');
      return events()
        .slice(resumedAt)
        .some(({ kind, from, frame, earlier }) => {
          const { type, uuid: of } = (frame ?? {}) as { type?: unknown; uuid?: unknown };
          return kind === 'line' && from === 'host' && earlier !== true && type === 'user' && of === id;
        });
    };
    // The second comes after whatever happens to the first.
    await place.until(() => isSent(uuid));
    await heard(back, 'Answered.');
    const lost = events().filter(({ kind, code }) => kind === 'note' && code === 'MESSAGE_LOST');
    expect([lost.length, isSent(first)]).toBeOneOf([
      [1, false],
      [0, true],
    ]);
  });
});
