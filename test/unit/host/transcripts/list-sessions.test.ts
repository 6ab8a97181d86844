import { mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReadBytes } from '../../../../src/host/transcripts/ends.js';
import { listOnDisk, listSessions } from '../../../../src/host/transcripts/list-sessions.js';
import { MemoryStore } from '../../../../src/host/transcripts/memory-store.js';
import { projectKeyOf } from '../../../../src/host/transcripts/project-folders.js';
import { assistant, id, putTranscript, user } from '../../../support/transcripts.js';

let configDir = '';

beforeEach(async () => {
  configDir = await mkdtemp(join(tmpdir(), 'sessions-list-'));
});

afterEach(() => rm(configDir, { recursive: true, force: true }));

/** Reads as usual and counts. */
function counting(): { readonly read: ReadBytes; readonly total: () => number } {
  let total = 0;
  return {
    total: () => total,
    read: async (handle, from, length) => {
      total += length;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    },
  };
}

async function putLarge(count: number): Promise<void> {
  const filler = assistant(12, 11, 'y'.repeat(1_000_000));
  for (let index = 0; index < count; index += 1) {
    const title = { type: 'custom-title', customTitle: `title ${index}`, sessionId: id(100 + index) };
    const file = await putTranscript(configDir, `${id(100 + index)}.jsonl`, [
      user(11, null, 'hi'),
      filler,
      title,
    ]);
    await utimes(file, 1000 - index, 1000 - index);
  }
}

describe('a list of large transcripts', () => {
  test('reads only the start and end of each file', async () => {
    await putLarge(20);
    const { read, total } = counting();
    const infos = await listOnDisk({ configDir }, read);
    expect(infos.map(({ summary }) => summary)).toEqual(infos.map((_, index) => `title ${index}`));
    expect(infos).toHaveLength(20);
    expect(total()).toBe(20 * 2 * 64 * 1024);
  });

  test('opens only as many files as the page needs', async () => {
    await putLarge(40);
    const { read, total } = counting();
    const infos = await listOnDisk({ configDir, limit: 2, offset: 1 }, read);
    expect(infos.map(({ summary }) => summary)).toEqual(['title 1', 'title 2']);
    expect(total()).toBe(16 * 2 * 64 * 1024);
  });

  test('stops searching for a first prompt after a megabyte', async () => {
    const head = assistant(10, null, 'y'.repeat(3_000_000));
    await putTranscript(configDir, `${id(1)}.jsonl`, [head, user(11, 10, 'far')]);
    const { read, total } = counting();
    expect(await listOnDisk({ configDir }, read)).toEqual([]);
    expect(total()).toBe(1024 * 1024 + 64 * 1024);
  });
});

describe('a first prompt that is longer than that', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(3_000_000) },
  };
  const long = {
    ...user(11, null, ''),
    message: { role: 'user', content: [image, { type: 'text', text: 'pasted' }] },
  };

  test('is read to its end, and names the session', async () => {
    await putTranscript(configDir, `${id(1)}.jsonl`, [long, assistant(12, 11, 'seen')]);
    expect(await listSessions({ configDir })).toMatchObject([{ sessionId: id(1), summary: 'pasted' }]);
  });

  test('is skipped if it never ends, like any damaged line', async () => {
    const file = await putTranscript(configDir, `${id(1)}.jsonl`, [long]);
    await truncate(file, 2_000_000);
    expect(await listSessions({ configDir })).toEqual([]);
  });
});

describe('where sessions are searched for', () => {
  test('there is nothing if no CLI was ever used', async () => {
    expect(await listSessions({ configDir: join(configDir, 'nowhere') })).toEqual([]);
    expect(await listSessions({ configDir, dir: '/nowhere' })).toEqual([]);
  });

  test('a path that is a link leads to the sessions of its target', async () => {
    const [real, link] = [join(configDir, 'real'), join(configDir, 'link')];
    await mkdir(real);
    await symlink(real, link);
    await putTranscript(configDir, `${id(1)}.jsonl`, [user(11, null, 'hi')], projectKeyOf(real));
    expect(await listSessions({ configDir, dir: link })).toMatchObject([{ sessionId: id(1), summary: 'hi' }]);
  });

  test('the worktrees of a repository count, unless excluded', async () => {
    const [main, other] = [join(configDir, 'main'), join(configDir, 'other')];
    await mkdir(join(main, '.git', 'worktrees', 'other'), { recursive: true });
    await mkdir(join(main, 'below'));
    await mkdir(other);
    await writeFile(join(main, '.git', 'worktrees', 'other', 'gitdir'), `${join(other, '.git')}\n`);
    await writeFile(join(main, '.git', 'worktrees', 'other', 'commondir'), '../..\n');
    await writeFile(join(other, '.git'), `gitdir: ${join(main, '.git', 'worktrees', 'other')}\n`);
    for (const [index, path] of [main, other, join(main, 'below')].entries()) {
      await putTranscript(
        configDir,
        `${id(index)}.jsonl`,
        [user(11, null, String(index))],
        projectKeyOf(path),
      );
    }
    const summaries = async (dir: string, includeWorktrees?: boolean) =>
      (await listSessions({ configDir, dir, includeWorktrees })).map(({ summary }) => summary).sort();
    expect(await summaries(main)).toEqual(['0', '1']);
    expect(await summaries(other)).toEqual(['0', '1']);
    expect(await summaries(join(main, 'below'))).toEqual(['0', '1', '2']);
    expect(await summaries(other, false)).toEqual(['1']);
  });

  test('a name with decomposed accents, as on old macOS disks, matches in both forms', async () => {
    const dir = join(configDir, 'cafe\u0301');
    await mkdir(dir);
    for (const [index, path] of [dir, dir.normalize('NFC')].entries()) {
      const lines = [user(11, null, String(index))];
      await putTranscript(configDir, `${id(index)}.jsonl`, lines, projectKeyOf(path));
    }
    const infos = await listSessions({ configDir, dir });
    expect(infos.map(({ summary }) => summary).sort()).toEqual(['0', '1']);
  });

  test('a session in two projects is listed once, where it was changed last', async () => {
    const old = await putTranscript(configDir, `${id(1)}.jsonl`, [user(11, null, 'old')], '-one');
    await utimes(old, 1, 1);
    await putTranscript(configDir, `${id(1)}.jsonl`, [user(11, null, 'new')], '-two');
    expect(await listSessions({ configDir })).toMatchObject([{ summary: 'new' }]);
  });

  test('files that are not transcripts are skipped', async () => {
    await mkdir(join(configDir, 'projects', '-one', `${id(1)}.jsonl`), { recursive: true });
    await writeFile(join(configDir, 'projects', 'a-file'), '');
    expect(await listSessions({ configDir })).toEqual([]);
  });
});

describe('a list from a store', () => {
  test('comes from its summaries, the last changed first', async () => {
    const sessionStore = new MemoryStore();
    const projectKey = projectKeyOf('/work/project');
    for (const number of [1, 2, 3]) {
      await sessionStore.append({ projectKey, sessionId: id(number) }, [
        user(11, null, `p${number}`),
      ] as never);
    }
    const page = { sessionStore, dir: '/work/project', limit: 2 };
    expect((await listSessions(page)).map(({ summary }) => summary)).toEqual(['p3', 'p2']);
  });

  test('comes from the transcripts if it keeps no summaries', async () => {
    const sessionStore = {
      append: () => Promise.resolve(),
      load: () => Promise.resolve([user(11, null, 'loaded')] as never),
      listSessions: () => Promise.resolve([{ sessionId: id(1), mtime: 7 }]),
    };
    expect(await listSessions({ sessionStore })).toMatchObject([{ summary: 'loaded', lastModified: 7 }]);
  });

  test('is refused by name if it supports neither', async () => {
    const sessionStore = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
    await expect(listSessions({ sessionStore })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });
});

test("without its own folder, searches the CLI's", async () => {
  await putTranscript(configDir, `${id(1)}.jsonl`, [user(11, null, 'hi')]);
  vi.stubEnv('CLAUDE_CONFIG_DIR', configDir);
  try {
    expect(await listSessions()).toMatchObject([{ sessionId: id(1) }]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([Number.POSITIVE_INFINITY, null])('a limit of %s means no limit', async (limit) => {
  await putLarge(2);
  expect(await listSessions({ configDir, limit: limit as number, offset: 0 })).toHaveLength(2);
});

test('a limit that is not a whole number is refused', async () => {
  await expect(listSessions({ configDir, limit: 1.5 })).rejects.toMatchObject({ option: 'limit' });
});
