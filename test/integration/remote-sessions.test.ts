import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import { RemoteTransport } from '../../src/entry/remote/remote-transport.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { OpenOptions } from '../../src/entry/sdk/remote-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import type { AnyPrompt } from '../../src/host/session/prompts/open-prompts.js';
import type { Session } from '../../src/host/session/session.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { encodeObject, encodeRequest } from '../../src/wire/protocol/encode.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { loadTrace } from '../../src/wire/trace/read/read-trace.js';
import { systemClock } from '../../src/wire/util/clock.js';
import type { EmulatedConsole } from '../support/console.js';
import { BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { createProxy } from '../support/tcp-proxy.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const asking = () => [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'files' }), say('Done.')]),
  onUser(undefined, [say('More.')], { times: 'any' as const }),
];

async function open({ server, root }: EmulatedConsole, options: OpenOptions = {}): Promise<Session> {
  const session = await openSession({ cwd: root, remote: server.url, ...options });
  onTestFinished(async () => void (await session.close()));
  return session;
}

function firstListed({
  messages,
}: BareClient): { readonly id?: string; readonly state?: string } | undefined {
  const list = messages.find(({ type }) => type === 'sessions');
  return Array.isArray(list?.sessions) ? list.sessions[0] : undefined;
}

function nextPrompt(session: Session): Promise<AnyPrompt> {
  return new Promise((resolve) => {
    const stop = session.on('prompt', ({ prompt, state }) => {
      if (state !== 'open') return;
      stop();
      resolve(prompt);
    });
  });
}

describe('a connection that breaks', () => {
  test('loses nothing and sends nothing twice, however often it breaks', async () => {
    const asks = Array.from({ length: 4 }, (_, part) => [
      ...Array.from({ length: 50 }, (_word, index) => say(`${part * 50 + index} `)),
      useTool('Bash', { command: `step ${part}` }, { ask: true, result: 'ok' }),
    ]);
    const scenario = () => [onUser([...asks.flat(), say('End.')])];
    const place = await startEmulatedConsole(scenario);
    const proxy = await createProxy(place.server.port);
    const session = await open(place, {
      remote: { url: proxy.url, token: place.server.token },
      onPermission: (prompt) => {
        proxy.cut();
        return prompt.allow();
      },
    });
    const turn = session.send('go');
    const seen: string[] = [];
    for await (const message of turn) {
      if (message.type !== 'assistant') continue;
      seen.push(JSON.stringify(message.message));
    }
    expect(await turn.text()).toBe('End.');
    for (let index = 0; index < 200; index += 1) {
      expect(seen.filter((text) => text.includes(`"${index} "`))).toHaveLength(1);
    }
    expect(proxy.connections).toBe(5);
    expect(place.clis[0]?.received.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  test('permanently ends the session with the reason', async () => {
    const place = await startEmulatedConsole(() => [onUser([say('…'), hang()])]);
    const proxy = await createProxy(place.server.port);
    const remote = { url: proxy.url, token: place.server.token, giveUpAfterMs: 50 };
    const session = await open(place, { remote });
    const turn = session.send('go');
    await turn.began;
    await proxy.close();
    expect(await turn.outcome).toMatchObject({ kind: 'cli-ended', error: { code: 'CLI_ENDED' } });
    expect(session.state).toBe('ended');
  });

  test('is not closed for many concurrent requests', async () => {
    const place = await startEmulatedConsole(chat);
    const client = new ConsoleClient({ url: place.server.url });
    onTestFinished(() => client.close());
    await client.ready;
    let breaks = 0;
    client.on('connected', (connected) => {
      if (!connected) breaks += 1;
    });
    await Promise.all(Array.from({ length: 1_000 }, () => client.command('folders', {})));
    // Input that no server would understand is not sent.
    expect(() => client.attach('no id', 0, { onEvent: () => {} })).toThrow('UUID');
    await expect(client.command('folders', {}, { id: 'no id' })).rejects.toThrow('UUID');
    expect(breaks).toBe(0);
  });

  test('to a server that comes back with another token is lost at once', async () => {
    const place = await startEmulatedConsole(chat);
    const { port, origin, token } = place.server;
    const client = new ConsoleClient({ url: origin, token });
    await client.ready;
    const lost = new Promise<Error>((resolve) => client.on('lost', resolve));
    await place.server.close();
    await startEmulatedConsole(chat, { port });
    expect(await lost).toMatchObject({
      code: 'REMOTE_LOST',
      message: expect.stringContaining('the token is wrong'),
    });
  });

  test('to a server that stops ends the session, which can be reopened', async () => {
    const token = 'a token that stays the same';
    const place = await startEmulatedConsole(chat, { token });
    const session = await open(place);
    expect(await session.send('one').text()).toBe('You said: one');
    const ended = new Promise<void>((resolve) => {
      session.on('state', (state) => state === 'ended' && resolve());
    });
    await place.server.close();
    await ended;
    await startEmulatedConsole(chat, {
      token,
      port: place.server.port,
      roots: [place.root],
      stateFolder: place.stateFolder,
    });
    await session.reopen();
    expect(await session.send('two').text()).toBe('You said: two');
  });
});

describe('prompts', () => {
  test('can be answered by a console, and the program sees that somebody was faster', async () => {
    const place = await startEmulatedConsole(asking);
    const session = await open(place, { prompts: 'manual' });
    const console = await BareClient.connect(place.server, { name: 'phone' });
    const asked = nextPrompt(session);
    const turn = session.send('go');
    const prompt = await asked;
    const listed = firstListed(console);
    const answer = { prompt: prompt.id, answer: { answer: 'allow' as const } };
    const { accepted } = await console.ask('answer', answer, { session: String(listed?.id) });
    expect(accepted).toBe(true);
    expect(await turn.text()).toBe('Done.');
    expect(prompt.state).toBe('withdrawn');
    expect(session.prompts.open).toEqual([]);
  });

  test('stay open while the program is away, and can be answered by a guest', async () => {
    const place = await startEmulatedConsole(asking);
    const proxy = await createProxy(place.server.port);
    const owner = await open(place, {
      remote: { url: proxy.url, token: place.server.token },
      prompts: 'manual',
    });
    const asked = nextPrompt(owner);
    const turn = owner.send('go');
    const { id } = await asked;
    proxy.hold();
    await using client = new ConsoleClient({ url: place.server.url });
    await client.ready;
    await expect.poll(() => client.sessions[0]?.prompts.length).toBe(1);
    const guest = await open(place, {
      remote: { url: place.server.url, session: String(client.sessions[0]?.id) },
    });
    const prompt = guest.prompts.find(id);
    if (prompt?.kind !== 'permission') throw new Error('The guest does not see the prompt.');
    expect(prompt.allow().accepted).toBe(true);
    await expect.poll(() => client.sessions[0]?.state).toBe('idle');
    proxy.release();
    expect(await turn.text()).toBe('Done.');
  });
});

describe('a guest', () => {
  test('watches, talks, and leaves without ending anything', async () => {
    const place = await startEmulatedConsole(chat);
    const owner = await open(place);
    await using client = new ConsoleClient({ url: place.server.url });
    await client.ready;
    const id = String(client.sessions[0]?.id);
    const guest = await open(place, { remote: { url: place.server.url, session: id } });
    expect(guest.version).toBe(owner.version);
    const [unasked] = await Promise.all([
      new Promise<string>((resolve) => {
        guest.on('unasked', (turn) => void turn.text().then(resolve));
      }),
      owner.send('from the owner').text(),
    ]);
    expect(unasked).toBe('You said: from the owner');
    expect(await guest.send('from the guest').text()).toBe('You said: from the guest');
    await guest.close();
    expect(await owner.send('still there').text()).toBe('You said: still there');
  });

  test('of a session that does not exist gets an error', async () => {
    const place = await startEmulatedConsole(chat);
    const remote = { url: place.server.url, session: '00000000-0000-4000-8000-000000000000' };
    await expect(open(place, { remote })).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' });
  });
});

describe('hooks of a disconnected program', () => {
  test.each([
    ['block', 'is not connected'],
    ['continue', 'files'],
  ] as const)('with onFailure %s are answered for', async (onFailure, result) => {
    const scenario = () => [onUser([useTool('Bash', { command: 'ls' }, { result: 'files' }), say('Done.')])];
    const place = await startEmulatedConsole(scenario, { limits: { ownerGraceMs: 20 } });
    const proxy = await createProxy(place.server.port);
    const ran: string[] = [];
    const session = await open(place, {
      remote: { url: proxy.url, token: place.server.token },
      hooks: { PreToolUse: [{ onFailure, run: () => void ran.push('hook') as never }] },
    });
    const console = await BareClient.connect(place.server);
    const listed = firstListed(console);
    const id = String(listed?.id);
    proxy.hold();
    await console.ever(
      ({ session: of }) => (of as { owner?: { away?: boolean } } | undefined)?.owner?.away === true,
    );
    console.attach(id);
    await console.ask('send', { content: 'go' }, { session: id });
    await console.event('line', ({ frame }) => (frame as { type?: unknown } | undefined)?.type === 'result');
    expect(ran).toEqual([]);
    expect(JSON.stringify(console.events)).toContain(result);
    proxy.release();
    await expect.poll(() => session.usage.costUsd).toBeGreaterThan(0);
  });
});

describe('opening', () => {
  test('with a wrong token or without a server fails at once', async () => {
    const place = await startEmulatedConsole(chat);
    const wrong = open(place, { remote: place.server.origin, token: 'wrong' });
    await expect(wrong).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: expect.stringContaining('the token is wrong'),
    });
    await expect(open(place, { remote: place.server.origin })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
    const nowhere = open(place, { remote: 'http://127.0.0.1:1', token: 'any' });
    await expect(nowhere).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' });
  });

  test('with meaningless options is refused before anything is sent', async () => {
    const place = await startEmulatedConsole(chat);
    const { url } = place.server;
    const wrong = [
      { remote: {} },
      { remote: { url, sesion: 'x' } },
      { remote: { url, session: 'no id' } },
      { remote: { url, after: 1.5 } },
      { remote: 'no address' },
      { remote: undefined, token: 'alone' },
    ];
    for (const options of wrong) {
      await expect(open(place, options as OpenOptions)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    }
  });

  test('outside the roots is refused, and so are options of the server', async () => {
    const place = await startEmulatedConsole(chat);
    await expect(open(place, { cwd: '/' })).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
    await expect(open(place, { env: { A: 'b' } })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await expect(open(place, { cli: 'x' })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    const bypass = open(place, {
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
    });
    await expect(bypass).rejects.toMatchObject({ code: 'BYPASS_REFUSED' });
  });

  test('with keep leaves the session on the server', async () => {
    const place = await startEmulatedConsole(chat);
    const session = await open(place, { remote: { url: place.server.url, keep: true } });
    await session.close();
    const console = await BareClient.connect(place.server);
    const listed = firstListed(console);
    expect(listed?.state).toBe('idle');
  });
});

test('a console can continue a session that a program closed, without its hooks and in-process servers', async () => {
  const place = await startEmulatedConsole(chat);
  const session = await open(place, {
    systemPrompt: 'Be brief.',
    hooks: { PreToolUse: [{ run: () => undefined }] },
    mcpServers: { own: mcpServer('own', []) },
  });
  await session.close();
  const console = await BareClient.connect(place.server);
  const id = String(firstListed(console)?.id);
  await console.ask('reopen', {}, { session: id });
  console.attach(id);
  await console.ask('send', { content: 'go on' }, { session: id });
  await console.event('line', ({ frame }) => (frame as { type?: unknown } | undefined)?.type === 'result');
  const [first, second] = place.clis.map(({ received }) => received[0]?.request);
  expect(first).toMatchObject({
    systemPrompt: 'Be brief.',
    sdkMcpServers: ['own'],
    hooks: expect.anything(),
  });
  expect(second).toEqual({ subtype: 'initialize', systemPrompt: 'Be brief.' });
});

test('a remote session is recorded like any other', async () => {
  const place = await startEmulatedConsole(chat);
  const path = join(await temporaryFolder(), 'remote.trace');
  const session = await open(place, { record: path });
  await session.send('hello').text();
  await session.close();
  const frames = (await loadTrace(path)).flatMap(({ entry }) =>
    entry.kind === 'line' ? [entry.frame?.type] : [],
  );
  expect(frames).toContain('user');
  expect(frames).toContain('result');
});

describe('what a program sends', () => {
  test('that is too big fails alone: the session continues', async () => {
    const place = await startEmulatedConsole(chat, { limits: { message: 50_000 } });
    const session = await open(place);
    const tooBig = session.send('x'.repeat(100_000));
    expect(await tooBig.outcome).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('too big'),
    });
    expect(await session.send('small').text()).toBe('You said: small');
  });

  test('may have its own id that is not a UUID', async () => {
    const place = await startEmulatedConsole(chat);
    const session = await open(place);
    expect(await session.send('hello', { uuid: 'mine' }).text()).toBe('You said: hello');
    expect(place.clis[0]?.received).toContainEqual(expect.objectContaining({ type: 'user', uuid: 'mine' }));
  });

  test('may be a list of system prompts, and adds no hooks to a session of others', async () => {
    const place = await startEmulatedConsole(chat);
    await open(place, { systemPrompt: ['One.', 'Two.'] });
    expect(JSON.stringify(place.clis[0]?.received[0])).toContain('["One.","Two."]');
    const remote = { url: place.server.url, session: '00000000-0000-4000-8000-000000000000' };
    await expect(open(place, { remote, hooks: {} })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      option: 'hooks',
    });
  });
});

test('a reopened session does not take the late end of its earlier CLI for its own', async () => {
  const { server, root } = await startEmulatedConsole(() => [onUser([say('Here.')])]);
  const client = new ConsoleClient({ url: server.url });
  onTestFinished(() => client.close());
  await client.ready;
  const open = (initialize: WireObject) => ({ cwd: root, program: { options: {}, initialize } });
  const { session } = await client.command('open', open({}));
  await client.command('close', {}, { session });
  // The first event is known here; the end of the CLI has yet to arrive.
  const role = { kind: 'owner', open, after: 1, keep: false } as const;
  const transport = new RemoteTransport({ client, session, role, clock: systemClock, partial: true });
  const received: string[] = [];
  transport.start((lines) => void received.push(...lines));
  await transport.send(encodeRequest('1', { subtype: 'initialize' }));
  await transport.send(encodeObject({ type: 'user', message: { role: 'user', content: 'Are you here?' } }));
  await vi.waitFor(() => expect(received.join()).toContain('Here.'), 20_000);
  await transport.close();
});
