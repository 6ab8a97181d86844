import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import type { ReceivedEvent } from '../../src/entry/remote/received-event.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { OpenOptions } from '../../src/entry/sdk/remote-session.js';
import type { Session } from '../../src/host/session/session.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { PermissionUpdate } from '../../src/wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { type EmulatedConsole, startEmulatedConsole } from '../support/console.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

async function open({ server, root }: EmulatedConsole, options: OpenOptions = {}): Promise<Session> {
  const session = await openSession({ cwd: root, remote: server.url, ...options });
  onTestFinished(async () => void (await session.close()));
  return session;
}

describe('partial messages', () => {
  const pieces = (events: readonly ReceivedEvent[]) =>
    events.filter(({ event }) => JSON.stringify(event).includes('"stream_event"')).length;

  test('reach only the clients that want them', async () => {
    const place = await startEmulatedConsole(chat);
    const session = await open(place, { remote: { url: place.server.url, keep: true } });
    const { id } = await firstOf(place);
    await using client = new ConsoleClient({ url: place.server.url });
    await using other = new ConsoleClient({ url: place.server.url });
    await Promise.all([client.ready, other.ready]);
    const [all, whole]: [ReceivedEvent[], ReceivedEvent[]] = [[], []];
    client.attach(id, -1, { onEvent: (event) => void all.push(event) });
    other.attach(id, -1, { partial: false, onEvent: (event) => void whole.push(event) });
    await session.send('a text that comes in pieces').text();
    const last = (events: readonly ReceivedEvent[]) => events.at(-1)?.n;
    await vi.waitFor(() => {
      for (const events of [all, whole]) {
        expect(JSON.stringify(events.map(({ event }) => event))).toContain('"type":"result"');
      }
      expect(last(whole)).toBe(last(all));
    });
    expect(pieces(all)).toBeGreaterThan(0);
    expect(pieces(whole)).toBe(0);
  });

  test('do not reach a session that does not want them', async () => {
    const place = await startEmulatedConsole(chat);
    const kinds: string[] = [];
    const session = await open(place, {
      partialMessages: false,
      onMessage: ({ type }) => void kinds.push(type),
    });
    await session.send('a text').text();
    expect(kinds).toContain('assistant');
    expect(kinds).not.toContain('stream_event');
  });
});

test('a client listener that throws is reported', async () => {
  const place = await startEmulatedConsole(chat);
  const session = await open(place);
  const { id } = await firstOf(place);
  const boom = new Error('boom');
  const heard: Diagnostic[] = [];
  await using client = new ConsoleClient({
    url: place.server.url,
    onDiagnostic: (diagnostic) => void heard.push(diagnostic),
  });
  const fails = () => {
    throw boom;
  };
  client.on('session', fails);
  await client.ready;
  client.attach(id, 0, { onEvent: fails, onAttached: fails });
  await session.send('go on').text();
  await vi.waitFor(() => {
    const names = new Set(heard.map((each) => ('callback' in each ? each.callback : undefined)));
    expect([...names].toSorted()).toEqual(['onAttached', 'onEvent', "on('session')"].toSorted());
  });
  expect(heard[0]).toMatchObject({ code: 'CALLBACK_FAILED', cause: boom });
});

test('a prompt of a CLI that ended is answered by a program that connects while the next one runs', async () => {
  const scenarios = [[onUser([useTool('Bash', { command: 'ls' }, { ask: true })])], chat()];
  const place = await startEmulatedConsole(() => scenarios.shift() ?? chat());
  await using client = new ConsoleClient({ url: place.server.url });
  await client.listed;
  const { session } = await client.command('open', { cwd: place.root });
  await client.command('send', { content: 'list' }, { session });
  await expect.poll(() => client.sessions[0]?.state).toBe('needs-you');
  place.clis[0]?.kill();
  await expect.poll(() => client.sessions[0]?.state).toBe('parked');
  await client.command('reopen', {}, { session });
  await using other = new ConsoleClient({ url: place.server.url });
  await other.listed;
  const prompts = other.prompts(session);
  await expect.poll(() => prompts.open).toHaveLength(1);
  expect(prompts.open[0]?.raw).toMatchObject({ tool_name: 'Bash', input: { command: 'ls' } });
  await prompts.open[0]?.refuse('not now');
  await expect.poll(() => client.sessions[0]?.prompts).toEqual([]);
  const told = () => JSON.stringify(place.clis[1]?.received.filter(({ type }) => type === 'user'));
  await expect.poll(told).toContain('not now');
});

test('what is remembered over a console is exactly what the choice says', async () => {
  const rule: PermissionUpdate = {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
    behavior: 'allow',
    destination: 'localSettings',
  };
  const answers: unknown[] = [];
  const place = await startEmulatedConsole(() => [
    onUser([
      useTool(
        'Bash',
        { command: 'ls' },
        {
          ask: true,
          result: 'files',
          prompt: { permission_suggestions: [rule] },
          expect: (answer) => answers.push(answer) > 0,
        },
      ),
      say('Done.'),
    ]),
  ]);
  const session = await open(place, {
    onPermission: (prompt) => prompt.allow({ remember: prompt.choices }),
  });
  expect(await session.send('list').text()).toBe('Done.');
  expect(answers).toMatchObject([
    { behavior: 'allow', updatedPermissions: [{ ...rule, destination: 'session' }] },
  ]);
});

async function firstOf({ server }: EmulatedConsole): Promise<{ readonly id: string }> {
  await using client = new ConsoleClient({ url: server.url });
  await client.listed;
  const [first] = client.sessions;
  if (first === undefined) throw new Error('the server has no session');
  return first;
}
