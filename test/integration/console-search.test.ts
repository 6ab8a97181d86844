import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { searchTranscript, searchWords } from '../../src/host/transcripts/search-transcript.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { assistant, id, type Line, putTranscript, SESSION, user } from '../support/transcripts.js';

/** The folder in which a CLI keeps the conversations of a working folder. */
const projectOf = (folder: string) => folder.replaceAll(/[^A-Za-z0-9]/g, '-');

describe('searching messages on disk', () => {
  async function begin() {
    const started = await startEmulatedConsole([], { watchToken: true });
    const put = async (number: number, cwd: string, lines: readonly Record<string, unknown>[]) => {
      await mkdir(cwd, { recursive: true });
      const session = id(number);
      const own: Line[] = lines.map((line) => ({ ...line, cwd, sessionId: session }));
      await putTranscript(started.root, `${session}.jsonl`, own, projectOf(cwd));
      return session;
    };
    return { ...started, put, client: await BareClient.connect(started.server) };
  }

  test('finds words in a line of megabytes, and answers with a part of it', async () => {
    const { root, put, client } = await begin();
    const long = `${'a '.repeat(2 ** 20)}(a+)+$ needle ${'\\u0000[('.repeat(2 ** 18)}`;
    const lines = [
      user(2, null, 'Hello'),
      assistant(3, 2, 'Hi.'),
      user(4, 3, long),
      assistant(5, 4, 'Found it.'),
    ];
    const conversation = await put(100, root, lines);
    const { found } = await client.ask('history.search', { text: '(a+)+$ needle' });
    expect(found).toMatchObject([{ conversation, messages: [{ uuid: id(4), by: 'user' }] }]);
    expect(found[0]?.messages[0]?.text).toContain('needle');
    expect(found[0]?.messages[0]?.text.length).toBeLessThan(2_000);
  });

  test('finds messages that contain all words, in any case, and says who wrote them', async () => {
    const { root, put, client } = await begin();
    const shed = await put(100, root, [
      user(2, null, 'Paint the "Shed" at the lake\nin blue'),
      assistant(3, 2, [
        { type: 'text', text: 'Which blue?' },
        { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls shed', deep: [{ x: 'azure' }] } },
      ]),
      user(4, 3, [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'SHED.md' }] }]),
      user(5, 4, 'a shed nobody sees', { isMeta: true }),
      user(6, 4, 'a shed beside', { isSidechain: true }),
    ]);
    await put(101, root, [user(2, null, 'Mow the lawn'), assistant(3, 2, 'Mown.')]);
    const { found, next } = await client.ask('history.search', { text: ' sHed ' });
    expect(next).toBeUndefined();
    expect(found).toMatchObject([
      {
        conversation: shed,
        cwd: root,
        messages: [
          { uuid: id(2), by: 'user', text: 'Paint the "Shed" at the lake in blue' },
          { uuid: id(3), by: 'assistant', text: expect.stringContaining('ls shed') },
          { uuid: id(4), by: 'tool', text: 'SHED.md' },
        ],
      },
    ]);
    const of = async (text: string) => (await client.ask('history.search', { text })).found.length;
    expect(await of('"shed" lake')).toBe(1);
    expect(await of('azure')).toBe(1);
    // One word in each of two messages is not a match.
    expect(await of('lake azure')).toBe(0);
    // The JSON around the text does not count.
    expect(await of('parentUuid')).toBe(0);
    expect(await client.command('history.search', { text: '   ' })).toMatchObject({
      ok: false,
      error: { code: 'COMMAND_INVALID' },
    });
  });

  test('returns pages that continue where the last one ended, each conversation once', async () => {
    const { root, put, client } = await begin();
    for (let number = 100; number < 145; number += 1)
      await put(number, root, [user(2, null, `needle ${number}`), assistant(3, 2, 'Yes.')]);
    const seen: string[] = [];
    let after: string | undefined;
    let answers = 0;
    do {
      const value = await client.ask('history.search', { text: 'needle', after });
      expect(value.found.length).toBeLessThanOrEqual(20);
      seen.push(...value.found.map(({ conversation }) => conversation));
      after = value.next;
      answers += 1;
    } while (after !== undefined);
    expect(answers).toBeGreaterThanOrEqual(3);
    expect(new Set(seen).size).toBe(45);
    expect(seen).toHaveLength(45);
  });

  test('stays below the roots, and is not available to watchers', async () => {
    const { server, root, put, client } = await begin();
    const elsewhere = join(root, '..', `${basename(root)}-elsewhere`);
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    await put(100, elsewhere, [user(2, null, 'needle'), assistant(3, 2, 'Yes.')]);
    const inside = await put(101, join(root, 'app'), [user(2, null, 'needle'), assistant(3, 2, 'Yes.')]);
    await put(102, root, [user(2, null, 'needle'), assistant(3, 2, 'Yes.')]);
    const all = await client.ask('history.search', { text: 'needle' });
    expect(all.found).toHaveLength(2);
    const some = await client.ask('history.search', { text: 'needle', cwd: join(root, 'app') });
    expect(some.found.map(({ conversation }) => conversation)).toEqual([inside]);
    const outside = await client.command('history.search', { text: 'needle', cwd: join(root, '..') });
    expect(outside).toMatchObject({ ok: false, error: { code: 'FOLDER_REFUSED' } });
    const watcher = await BareClient.connect(server, { token: server.watchToken });
    expect(await watcher.command('history.search', { text: 'needle' })).toMatchObject({
      ok: false,
      error: { code: 'ROLE_REFUSED' },
    });
    const answer = await fetch(`${server.origin}/api/v1/transcripts/search?text=needle`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(await answer.json()).toMatchObject({ items: [{}, {}], next: null });
  });

  test('stops when it is cancelled, and after enough messages', async () => {
    const { root, put } = await begin();
    const many = Array.from({ length: 30 }, (_, index) => user(index + 2, null, `needle ${index}`));
    await put(1, root, many);
    const file = join(root, 'projects', projectOf(root), `${SESSION}.jsonl`);
    const words = searchWords('Needle');
    const { signal } = new AbortController();
    expect(await searchTranscript(file, { words, most: 5, signal })).toHaveLength(5);
    expect(await searchTranscript(file, { words, most: 5, signal: AbortSignal.abort() })).toEqual([]);
    expect(await searchTranscript(`${file}.gone`, { words, most: 5, signal })).toEqual([]);
  });
});
