import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { archiveSession, unarchiveSession } from '../../../../src/host/transcripts/archive-session.js';
import { deleteSession, renameSession, tagSession } from '../../../../src/host/transcripts/change-session.js';
import { forkSession } from '../../../../src/host/transcripts/fork-session.js';
import { importToStore } from '../../../../src/host/transcripts/import-to-store.js';
import { MemoryStore } from '../../../../src/host/transcripts/memory-store.js';
import { projectKeyOf } from '../../../../src/host/transcripts/project-folders.js';
import { sessionInfo } from '../../../../src/host/transcripts/session-info.js';
import { sessionMessages } from '../../../../src/host/transcripts/session-messages.js';
import { listSubagents, subagentMessages } from '../../../../src/host/transcripts/subagents.js';
import { writeTranscript } from '../../../../src/host/transcripts/write-transcript.js';
import { assistant, id, putTranscript, SESSION, user } from '../../../support/transcripts.js';

let configDir = '';
let file = '';
const lines = [
  user(11, null, 'hi'),
  assistant(12, 11, 'hello'),
  user(13, 12, 'go on'),
  assistant(14, 13, 'well'),
];

beforeEach(async () => {
  configDir = await mkdtemp(join(tmpdir(), 'sessions-change-'));
  file = await putTranscript(configDir, `${SESSION}.jsonl`, lines);
});

afterEach(() => rm(configDir, { recursive: true, force: true }));

describe('a bad id', () => {
  const place = () => ({ configDir });
  const changes: Readonly<Record<string, (sessionId: string) => Promise<unknown>>> = {
    renameSession: (sessionId) => renameSession(sessionId, 'x', place()),
    tagSession: (sessionId) => tagSession(sessionId, 'x', place()),
    archiveSession: (sessionId) => archiveSession(sessionId, place()),
    unarchiveSession: (sessionId) => unarchiveSession(sessionId, place()),
    deleteSession: (sessionId) => deleteSession(sessionId, place()),
    forkSession: (sessionId) => forkSession(sessionId, place()),
    importToStore: (sessionId) => importToStore(sessionId, new MemoryStore(), place()),
  };

  test.each(Object.entries(changes))('is refused by %s, and nothing changes', async (_, change) => {
    await writeFile(join(configDir, 'projects', 'precious.jsonl'), 'precious');
    for (const bad of ['../precious', '', '..', `../${SESSION}`, `${SESSION}/..`]) {
      await expect(change(bad)).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'sessionId' });
    }
    await expect(change(id(404))).rejects.toMatchObject({ code: 'SESSION_MISSING' });
    expect(await readFile(join(configDir, 'projects', 'precious.jsonl'), 'utf8')).toBe('precious');
    expect(await readdir(join(configDir, 'projects', '-work-project'))).toEqual([`${SESSION}.jsonl`]);
  });
});

describe('a title', () => {
  test('is appended to the transcript, which stays unchanged', async () => {
    const before = await readFile(file, 'utf8');
    await renameSession(SESSION, 'Mine', { configDir });
    const after = await readFile(file, 'utf8');
    expect(after.slice(0, before.length)).toBe(before);
    expect(JSON.parse(after.slice(before.length))).toEqual({
      type: 'custom-title',
      customTitle: 'Mine',
      sessionId: SESSION,
    });
    expect(await sessionInfo(SESSION, { configDir })).toMatchObject({ summary: 'Mine', customTitle: 'Mine' });
  });

  test('starts a new line after a truncated one', async () => {
    await appendFile(file, '{"type":"user","mess');
    await renameSession(SESSION, 'Mine', { configDir });
    expect(await sessionInfo(SESSION, { configDir })).toMatchObject({ summary: 'Mine' });
  });

  test('written many times at once leaves whole lines', async () => {
    const titles = Array.from({ length: 50 }, (_, index) => `title ${index} ${'x'.repeat(5000)}`);
    const live = titles.map((_, index) =>
      appendFile(file, `${JSON.stringify(user(100 + index, 14, 'live'))}\n`),
    );
    await Promise.all([...live, ...titles.map((title) => renameSession(SESSION, title, { configDir }))]);
    const entries = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(entries.filter((type) => type === 'custom-title')).toHaveLength(50);
    expect(entries).toHaveLength(4 + 100);
  });

  test('of only invisible characters is refused', async () => {
    await expect(renameSession(SESSION, ' \u200b ', { configDir })).rejects.toMatchObject({
      option: 'title',
    });
    await expect(tagSession(SESSION, '', { configDir })).rejects.toMatchObject({ option: 'tag' });
  });
});

describe('the archive marker', () => {
  test('is a private file next to the transcript, and a later prompt removes it', async () => {
    await archiveSession(SESSION, { configDir });
    const mark = file.replace('.jsonl', '/archived.json');
    expect((await stat(mark)).mode & 0o777).toBe(0o600);
    expect(await sessionInfo(SESSION, { configDir })).toMatchObject({ archived: true });
    await renameSession(SESSION, 'still archived', { configDir });
    expect(await sessionInfo(SESSION, { configDir })).toMatchObject({ archived: true });
    const later = new Date(Date.now() + 60_000).toISOString();
    await appendFile(file, `${JSON.stringify(user(15, 14, 'back again', { timestamp: later }))}\n`);
    expect(await sessionInfo(SESSION, { configDir })).toMatchObject({ archived: false });
  });

  test('is missing for sessions that were never archived, and ignored if it is broken', async () => {
    expect(await sessionInfo(SESSION, { configDir })).not.toHaveProperty('archived');
    await unarchiveSession(SESSION, { configDir });
    expect(await sessionInfo(SESSION, { configDir })).toMatchObject({ archived: false });
    await writeFile(file.replace('.jsonl', '/archived.json'), '{"archi');
    expect(await sessionInfo(SESSION, { configDir })).not.toHaveProperty('archived');
  });

  test('cannot be kept in a store', async () => {
    const archived = archiveSession(SESSION, { sessionStore: new MemoryStore() });
    await expect(archived).rejects.toMatchObject({ option: 'sessionStore' });
  });
});

describe('a fork', () => {
  test('is a private file that appears when it is complete, and the original stays unchanged', async () => {
    const before = await readFile(file, 'utf8');
    const fork = await forkSession(SESSION, { configDir, upToMessageId: id(12) });
    expect(await readFile(file, 'utf8')).toBe(before);
    const path = join(configDir, 'projects', '-work-project', `${fork.sessionId}.jsonl`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const messages = await sessionMessages(fork.sessionId, { configDir });
    expect(messages.map(({ message }) => message)).toEqual([lines[0]?.message, lines[1]?.message]);
    expect(messages.map(({ uuid }) => uuid)).not.toContain(id(11));
    expect(await sessionInfo(fork.sessionId, { configDir })).toMatchObject({ summary: 'hi (fork)' });
  });

  test('that fails halfway leaves nothing', async () => {
    const folder = join(configDir, 'projects', '-work-project');
    async function* failing() {
      yield { type: 'user', text: 'x'.repeat(1_000_000) };
      throw new Error('the original cannot be read any more');
    }
    await expect(writeTranscript(join(folder, `${id(2)}.jsonl`), failing())).rejects.toThrow('any more');
    expect(await readdir(folder)).toEqual([`${SESSION}.jsonl`]);
  });

  test('includes the entries that its messages need, under its own id', async () => {
    await appendFile(
      file,
      `${JSON.stringify({ type: 'content-replacement', sessionId: SESSION, replacements: [1] })}\n`,
    );
    const fork = await forkSession(SESSION, { configDir });
    const path = join(configDir, 'projects', '-work-project', `${fork.sessionId}.jsonl`);
    const entries = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.at(-2)).toEqual({
      type: 'content-replacement',
      sessionId: fork.sessionId,
      replacements: [1],
    });
  });

  test('of a session without messages is refused', async () => {
    await writeFile(file, '');
    await expect(forkSession(SESSION, { configDir })).rejects.toMatchObject({ code: 'TRANSCRIPT_INVALID' });
  });
});

describe('a delete', () => {
  test('includes the subagents, also those of old CLIs, and no others', async () => {
    const side = { isSidechain: true };
    await putTranscript(configDir, `${SESSION}/subagents/agent-a.jsonl`, [user(21, null, 'a', side)]);
    await putTranscript(configDir, 'agent-b.jsonl', [user(22, null, 'b', side)]);
    await putTranscript(configDir, 'agent-c.jsonl', [user(23, null, 'c', { ...side, sessionId: id(2) })]);
    expect(await listSubagents(SESSION, { configDir })).toEqual(['a', 'b']);
    expect(await subagentMessages(SESSION, 'b', { configDir })).toMatchObject([{ uuid: id(22) }]);
    await deleteSession(SESSION, { configDir });
    expect(await readdir(join(configDir, 'projects', '-work-project'))).toEqual(['agent-c.jsonl']);
  });
});

describe('a store', () => {
  const place = (sessionStore: MemoryStore) => ({ sessionStore, dir: '/work/project' });
  const key = { projectKey: projectKeyOf('/work/project'), sessionId: SESSION };

  test('gets a session in batches, with its subagents and their notes', async () => {
    await putTranscript(configDir, `${SESSION}/subagents/agent-a.jsonl`, [
      user(21, null, 'a', { isSidechain: true }),
    ]);
    await putTranscript(configDir, `${SESSION}/subagents/agent-a.meta.json`, [{ toolUseId: 'toolu_1' }]);
    await appendFile(file, 'null\n{"broken\n');
    const store = new MemoryStore();
    const sizes: number[] = [];
    const append = store.append.bind(store);
    store.append = (each, entries) => {
      sizes.push(entries.length);
      return append(each, entries);
    };
    await importToStore(SESSION, store, { configDir, dir: '/work/project', batchSize: 3 });
    expect(sizes).toEqual([3, 1, 1, 1]);
    expect(await sessionMessages(SESSION, place(store))).toEqual(
      await sessionMessages(SESSION, { configDir }),
    );
    expect(await listSubagents(SESSION, place(store))).toEqual(['a']);
    expect(await subagentMessages(SESSION, 'a', place(store))).toMatchObject([
      { parent_tool_use_id: 'toolu_1' },
    ]);
  });

  test('supports rename, tag, fork and delete', async () => {
    const store = new MemoryStore();
    await importToStore(SESSION, store, { configDir, dir: '/work/project' });
    await renameSession(SESSION, 'Stored', place(store));
    await tagSession(SESSION, 'work', place(store));
    expect(await sessionInfo(SESSION, place(store))).toMatchObject({ summary: 'Stored', tag: 'work' });
    const fork = await forkSession(SESSION, place(store));
    expect(await sessionMessages(fork.sessionId, place(store))).toHaveLength(4);
    expect(store.size).toBe(2);
    await deleteSession(SESSION, place(store));
    expect(await store.load(key)).toBeNull();
    expect(store.size).toBe(1);
    await expect(forkSession(SESSION, place(store))).rejects.toMatchObject({ code: 'SESSION_MISSING' });
    store.clear();
    expect(await store.listSessions(key.projectKey)).toEqual([]);
  });

  test('whose append fails makes the import fail', async () => {
    const store = new MemoryStore();
    store.append = () => Promise.reject(new Error('the disk is full'));
    await expect(importToStore(SESSION, store, { configDir })).rejects.toThrow('the disk is full');
  });

  test('keeps its entries, whatever the caller does with them later', async () => {
    const store = new MemoryStore();
    const entry = { type: 'user', nested: { a: 1 } };
    await store.append(key, [entry]);
    entry.nested.a = 2;
    expect(store.getEntries(key)).toEqual([{ type: 'user', nested: { a: 1 } }]);
  });
});
