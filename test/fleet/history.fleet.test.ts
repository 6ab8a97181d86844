import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { assistant, id, type Line, putTranscript, user } from '../support/transcripts.js';

withNats('the history of a fleet', () => {
  test('has the conversations of all disks, the newest first and each once', async () => {
    const { client, put, root } = await twoDisks();
    await put('one', 100, 'paint the shed', 1);
    await put('two', 101, 'paint the boat', 3);
    await put('one', 102, 'moved', 2);
    await put('two', 102, 'moved', 4);
    const { conversations } = await client.ask('history', {});
    expect(conversations.map(({ conversation }) => conversation)).toEqual([id(102), id(101), id(100)]);
    const { conversations: newest } = await client.ask('history', { limit: 1, cwd: root });
    expect(newest.map(({ conversation }) => conversation)).toEqual([id(102)]);
  });

  test('is searched on all disks', async () => {
    const { client, put } = await twoDisks();
    await put('one', 100, 'paint the shed', 1);
    await put('two', 101, 'paint the boat', 2);
    await put('two', 102, 'mow the lawn', 3);
    const { found, next } = await client.ask('history.search', { text: 'paint' });
    expect(found.map(({ conversation }) => conversation)).toEqual([id(101), id(100)]);
    expect(next).toBeUndefined();
    expect(await client.command('history.search', { text: ' ' })).toMatchObject({
      ok: false,
      error: { code: 'COMMAND_INVALID', message: 'There is nothing to search for.' },
    });
  });

  test('is read in parts, each disk from its own position', async () => {
    const { client, put } = await twoDisks();
    for (let index = 0; index < 25; index += 1) await put('one', 100 + index, 'paint', index);
    for (let index = 0; index < 45; index += 1) await put('two', 200 + index, 'paint', index);
    const found: string[] = [];
    let after: string | undefined;
    do {
      const part = await client.ask('history.search', { text: 'paint', ...(after ? { after } : {}) });
      found.push(...part.found.map(({ conversation }) => conversation));
      after = part.next;
    } while (after !== undefined);
    expect(found).toHaveLength(70);
    expect(new Set(found).size).toBe(70);
    const bad = await client.command('history.search', { text: 'paint', after: 'nonsense' });
    expect(bad).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  });

  test('counts the usage of all disks, but a shared disk once', async () => {
    const { client, put, root } = await twoDisks(['one', 'two', 'two']);
    const now = Date.now() / 1_000;
    await put('one', 100, 'paint the shed', now);
    await put('two', 101, 'paint the boat', now);
    const { rows } = await client.ask('history.usage', { days: 10_000 });
    expect(rows.map(({ cwd, tokens }) => [cwd, tokens.output])).toEqual([
      [root, 4],
      [root, 4],
    ]);
  });

  test('opens a conversation on the worker that has it', async () => {
    const { client, put, root, workers } = await twoDisks();
    await put('one', 100, 'paint the shed', 1);
    await put('two', 101, 'paint the boat', 2);
    expect((await client.ask('history.messages', { conversation: id(100) })).messages).toHaveLength(2);
    expect((await client.ask('history.messages', { conversation: id(101) })).messages).toHaveLength(2);
    const cliCounts = () => workers.map(({ clis }) => clis.length);
    await client.ask('open', { cwd: root, resume: id(101) });
    expect(cliCounts()).toEqual([0, 1]);
    await client.ask('open', { cwd: root, resume: id(100) });
    expect(cliCounts()).toEqual([1, 1]);
  });
});

/** A fleet on two disks, with a worker for each name of one. */
async function twoDisks(names: readonly ('one' | 'two')[] = ['one', 'two']) {
  const engine = { nats: (await natsServer()).url };
  const root = await temporaryFolder();
  const disks = { one: await temporaryFolder(), two: await temporaryFolder() };
  for (const configDir of Object.values(disks)) await mkdir(join(configDir, 'projects'));
  const workers = [];
  for (const name of names)
    workers.push(await startEmulatedWorker([], { ...engine, root, configDir: disks[name] }));
  const client = await BareClient.connect(await startTestGateway({ fleet: engine }));
  const put = async (disk: keyof typeof disks, number: number, text: string, changedAt: number) => {
    const conversation = id(number);
    const about = { cwd: root, sessionId: conversation };
    const message = {
      id: 'msg_3',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const lines: Line[] = [user(2, null, text, about), assistant(3, 2, 'Done.', { ...about, message })];
    const project = root.replaceAll(/[^A-Za-z0-9]/g, '-');
    await putTranscript(disks[disk], `${conversation}.jsonl`, lines, project);
    await utimes(join(disks[disk], 'projects', project, `${conversation}.jsonl`), changedAt, changedAt);
  };
  return { client, put, root, workers };
}
