import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { lastEpoch, takeEpoch } from '../../src/server/fleet/engine/epochs.js';
import { loadBlob, removeBlobs, storeBlob } from '../../src/server/fleet/log/blobs.js';
import { type NatsEngine, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { BareClient, eventIn, isCliMessage, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startFleet, startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const LONG = 'long '.repeat(220_000);
const longChat = () => [onUser(undefined, [say(LONG, { chunk: LONG.length })], { times: 'any' as const })];

withNats('the engine', () => {
  test('stores lines that are too long for a message; every viewer gets them whole, and they are removed with the conversation', async () => {
    const { server, root, engine } = await startFleet([longChat]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: 'go' }, { session });
    const said = await client.event('line', isCliMessage('assistant'));
    await client.event('line', isCliMessage('result'));
    expect(JSON.stringify(said)).toContain(LONG);
    const late = await BareClient.connect(await startTestGateway({ fleet: engine }));
    late.attach(session);
    expect(eventIn(await late.event('line', isCliMessage('assistant')))).toEqual(eventIn(said));
    const own = await opened(engine);
    expect(await own.blobs.names(`${session}/`)).not.toEqual([]);
    await own.transcripts.putBlob({ name: `${session}/earlier/1-1-0` }, new Uint8Array(10));
    await own.transcripts.putBlob({ name: 'other/earlier/1-1-0' }, new Uint8Array(10));
    await client.ask('close', {}, { session });
    await client.ask('remove', {}, { session });
    expect(await own.transcripts.names()).toEqual(['other/earlier/1-1-0']);
    expect(await subjectsOf(own, session)).toEqual([]);
    // Nothing stays, not even a marker; one of the other object, and a piece of it.
    expect((await own.jsm.streams.info(`OBJ_${own.names.blobs}`)).state.messages).toBe(0);
    expect((await own.jsm.streams.info(`OBJ_${own.names.transcripts}`)).state.messages).toBe(2);
    const last_by_subj = `$KV.${own.names.sessions}.${session}`;
    const marker = await own.jsm.streams.getMessage(`KV_${own.names.sessions}`, { last_by_subj });
    expect(marker?.header?.get('Nats-TTL')).toBe('1m');
  });

  test('has the long line of a new owner even if the old one stores one with the same number later', async () => {
    const own = await opened({ nats: (await natsServer()).url });
    const line = (text: string) => ({ n: 1_000_001, at: 1, rest: `"kind":"note","text":"${text}"}` });
    const [young, old] = [
      { session: 's', sequence: 2 },
      { session: 's', sequence: 1 },
    ];
    const stored = await storeBlob(own, young, line('young'));
    await storeBlob(own, old, line('old'));
    expect(await loadBlob(own, stored)).toEqual(line('young'));
    await removeBlobs(own, 's');
    expect(await own.blobs.names()).toEqual([]);
  });

  test('passes on commands, answers and prompts that are too long for a message', async () => {
    const write = () => [
      onUser(undefined, [
        useTool('Write', { file_path: '/tmp/long', content: LONG }, { ask: true, result: 'Written.' }),
        say('Done.'),
      ]),
    ];
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    // Without pieces, of which there would be a hundred thousand.
    await startEmulatedWorker(write, { nats, root, emulate: { partialMessages: false } });
    const server = await startTestGateway({ fleet: { nats } });
    await writeFile(join(root, 'long.txt'), LONG);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: `look: ${LONG}` }, { session });
    const { prompt } = eventIn(await client.event('prompt'));
    expect(JSON.stringify(prompt)).toContain(LONG);
    const { id } = prompt as { readonly id: string };
    await client.ever(({ type, session: each }) => {
      const { prompts = [] } = (each ?? {}) as { readonly prompts?: readonly { readonly id: string }[] };
      return type === 'session' && prompts.some((open) => open.id === id);
    });
    const { text } = await client.ask('file', { path: 'long.txt' }, { session });
    expect(text?.length).toBeGreaterThan(100_000);
    await client.ask('answer', { prompt: id, answer: { answer: 'allow' } }, { session });
    await client.event('line', isCliMessage('result'));
  });

  test('keeps no old conversations: any gateway removes them, except those with a CLI', async () => {
    const { server, root, engine } = await startFleet([chat]);
    const client = await BareClient.connect(server);
    const { session: stays } = await client.ask('open', { cwd: root });
    const { session: ended } = await client.ask('open', { cwd: root });
    await client.ask('close', {}, { session: ended });
    const retention = { maxAgeMs: 10 };
    await startTestGateway({ fleet: engine, retention });
    await startTestGateway({ fleet: engine, retention });
    await client.ever(({ type, session }) => type === 'session-removed' && session === ended);
    const own = await opened(engine);
    await expect.poll(() => subjectsOf(own, ended)).toEqual([]);
    await client.ask('send', { content: 'still there?' }, { session: stays });
    client.attach(stays);
    await client.event('line', isCliMessage('result'));
  });

  test('knows the owner of a conversation for longer than it keeps events', async () => {
    const { url: nats } = await natsServer();
    const own = await opened({ nats, maxAgeMs: 1_000, namespace: 'short' });
    const session = randomUUID();
    const epoch = await takeEpoch(own, session, { worker: 'one', after: 0 });
    const write = () => own.logs.append({ session, part: 'events' }, '', { epoch: epoch.sequence });
    await write();
    await expect.poll(() => subjectsOf(own, session)).toEqual([own.names.epoch(session)]);
    await write();
    expect(await lastEpoch(own, session)).toMatchObject({ worker: 'one' });
  });

  test('stores no keys: none from the environment or settings, and none of MCP servers', async () => {
    const secret = (where: string) => `planted-${where}-5f1c`;
    const config = (where: string) => ({
      command: 'true',
      args: ['--api-key', secret(`${where}-argument`)],
      env: { TOKEN: secret(`${where}-env`) },
      url: `https://user:${secret(`${where}-password`)}@127.0.0.1:9/${secret(`${where}-path`)}?key=${secret(`${where}-query`)}`,
      headers: { authorization: secret(`${where}-header`) },
      oauth: { clientSecret: secret(`${where}-client`) },
    });
    const settings = {
      env: { KEY: secret('settings-env') },
      apiKeyHelper: `echo ${secret('settings-helper')}`,
    };
    const status = { mcpServers: [{ name: 'own', status: 'connected', config: config('status') }] };
    const often = { times: 'any' as const };
    const scenario = () => [
      ...chat(),
      onRequest('mcp_status', [answer(status)], often),
      onRequest(
        'get_settings',
        [answer({ effective: settings, sources: [{ source: 'user', settings }] })],
        often,
      ),
      onRequest('mcp_authenticate', [answer({ authUrl: config('sign-in').url })], often),
    ];
    process.env.COXSWAIN_TEST_PLANTED = secret('environment');
    onTestFinished(() => {
      delete process.env.COXSWAIN_TEST_PLANTED;
    });
    const { server, root, nats, workers } = await startFleet([scenario]);
    const client = await BareClient.connect(server);
    const mcpServers = { own: config('program') };
    const program = { options: { mcpServers, settings }, initialize: { appendSystemPrompt: 'Be brief.' } };
    const { session } = await client.ask('open', { cwd: root, program });
    client.attach(session);
    const { url: _url, headers: _headers, ...started } = config('added-process');
    const { command: _command, args: _args, env: _env, ...reached } = config('added-address');
    const servers = { started, reached: { type: 'http', ...reached } };
    await client.command('mcp.add', { servers }, { session });
    for (const [subtype, params] of Object.entries({
      mcp_set_servers: { servers },
      mcp_status: {},
      get_settings: {},
      apply_flag_settings: { settings },
    })) {
      const value = await client.command('control', { subtype, params }, { session });
      if (Object.keys(params).length === 0) expect(JSON.stringify(value)).toContain('planted');
    }
    const { address } = await client.ask('mcp.signIn', { server: 'own' }, { session });
    expect(address).toContain('planted');
    await client.ask('send', { content: 'remember the word periwinkle' }, { session });
    await client.event('line', isCliMessage('result'));
    await client.ask('close', {}, { session });
    await server.close();
    await workers[0]?.worker.close();
    await nats.stop();
    const kept = await textBelow(nats.storeDir);
    // The search finds what exists.
    expect(kept).toContain('periwinkle');
    expect([...new Set(kept.match(/planted-[\w-]+/g))]).toEqual([]);
  });
});

async function opened(options: Parameters<typeof openEngine>[0]): Promise<NatsEngine> {
  const own = await openEngine(options);
  onTestFinished(() => own.close());
  return own;
}

async function subjectsOf({ jsm, names }: NatsEngine, session: string): Promise<readonly string[]> {
  const filter = { subjects_filter: names.everything(session) };
  const { state } = await jsm.streams.info(names.streamOf(session), filter);
  return Object.keys(state.subjects ?? {});
}

async function textBelow(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
  return texts.join('\n');
}
