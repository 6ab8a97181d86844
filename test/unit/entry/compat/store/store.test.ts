import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { query } from '../../../../../src/entry/compat/query/query.js';
import { StoreMirror } from '../../../../../src/entry/compat/store/mirror.js';
import { layOutStored } from '../../../../../src/entry/compat/store/stored-session.js';
import type { SessionKey, TranscriptEntry } from '../../../../../src/host/transcripts/store.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';
import { fakeCli, hello, typesOf } from '../fake-process.js';

const SESSION = '0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';
const FILE = `/home/.claude/projects/-work/${SESSION}.jsonl`;

function frame(filePath: string, ...uuids: readonly string[]) {
  return { type: 'transcript_mirror', filePath, entries: uuids.map((uuid) => ({ type: 'user', uuid })) };
}

describe('the mirror', () => {
  test('collects until it is flushed, one call per transcript in a row', async () => {
    const append = vi.fn(async (_key: SessionKey, _entries: TranscriptEntry[]) => {});
    const mirror = new StoreMirror({ append, load: async () => null }, { eager: false });
    mirror.take(frame(FILE, 'one'));
    mirror.take(frame(FILE, 'two'));
    mirror.take(frame(FILE.replace('.jsonl', '/subagents/agent-x.jsonl'), 'three'));
    expect(append).not.toHaveBeenCalled();
    await mirror.flush();
    expect(append.mock.calls.map(([key, entries]) => [key, entries.map(({ uuid }) => uuid)])).toEqual([
      [{ projectKey: '-work', sessionId: SESSION }, ['one', 'two']],
      [{ projectKey: '-work', sessionId: SESSION, subpath: 'subagents/agent-x' }, ['three']],
    ]);
  });

  test('writes at once if eager, and if much is collected', async () => {
    const append = vi.fn(async () => {});
    const eager = new StoreMirror({ append, load: async () => null }, { eager: true });
    eager.take(frame(FILE, 'one'));
    await vi.waitFor(() => expect(append).toHaveBeenCalledTimes(1));
    const lazy = new StoreMirror({ append, load: async () => null }, { eager: false });
    lazy.take(frame(FILE, ...Array.from({ length: 600 }, String)));
    await vi.waitFor(() => expect(append).toHaveBeenCalledTimes(2));
  });

  test('ignores files that are not transcripts', async () => {
    const append = vi.fn(async () => {});
    const mirror = new StoreMirror({ append, load: async () => null }, { eager: true });
    mirror.take(frame('/elsewhere.jsonl', 'one'));
    mirror.take({ type: 'transcript_mirror' });
    await mirror.flush();
    expect(append).not.toHaveBeenCalled();
  });

  test('tries three times, reports the failure and continues', async () => {
    const clock = new ManualClock();
    const append = vi.fn(async () => {});
    for (const _try of [1, 2, 3]) append.mockRejectedValueOnce(new Error('full'));
    const mirror = new StoreMirror({ append, load: async () => null }, { eager: false, clock });
    mirror.take(frame(FILE, 'one'));
    const flushed = mirror.flush();
    while (append.mock.calls.length < 3) {
      clock.advance(1_000);
      await settle();
    }
    await flushed;
    expect(mirror.takeFailures()).toMatchObject([
      { subtype: 'mirror_error', error: 'full', session_id: SESSION },
    ]);
    expect(mirror.takeFailures()).toEqual([]);
    mirror.take(frame(FILE, 'two'));
    await mirror.flush();
    expect(append).toHaveBeenCalledTimes(4);
    expect(clock.size).toBe(0);
  });

  test('does not wait forever for a store that never answers', async () => {
    const clock = new ManualClock();
    const mirror = new StoreMirror(
      { append: () => new Promise(() => {}), load: async () => null },
      { eager: false, clock },
    );
    mirror.take(frame(FILE, 'one'));
    let over = false;
    void mirror.flush().then(() => {
      over = true;
    });
    for (let turn = 0; turn < 20 && !over; turn += 1) {
      clock.advance(60_000);
      await settle();
    }
    expect(over).toBe(true);
    expect(mirror.takeFailures()).toHaveLength(1);
  });
});

test('a query stores a turn before its result, and first reports what the store refused', async () => {
  const { options } = fakeCli({
    onUser: (cli) => {
      cli.say(frame(FILE, 'one'));
      hello(cli);
    },
  });
  const stored: string[] = [];
  const append = async (_key: SessionKey, entries: TranscriptEntry[]) => {
    stored.push(...entries.map(({ uuid = '' }) => uuid));
  };
  const seen: unknown[] = [];
  const sessionStore = { append, load: async () => null };
  for await (const { type } of query({ prompt: 'hi', options: { ...options, sessionStore } }))
    seen.push([type, stored.length]);
  expect(seen).toEqual([
    ['system', expect.any(Number)],
    ['result', 1],
  ]);
  const refusing = { append: () => Promise.reject(new Error('full')), load: async () => null };
  const failing = query({ prompt: 'hi', options: { ...options, sessionStore: refusing } });
  expect(await typesOf(failing)).toEqual(['system', 'system', 'result']);
});

describe('a session of a store', () => {
  const entries = [{ type: 'user', uuid: 'one' }];

  function store() {
    return {
      append: async () => {},
      load: vi.fn(
        async ({ subpath }: SessionKey): Promise<TranscriptEntry[] | null> =>
          subpath === undefined ? entries : [{ type: 'agent_metadata', agentType: 'x' }, ...entries],
      ),
      listSessions: async () => [
        { sessionId: 'older', mtime: 1 },
        { sessionId: SESSION, mtime: 2 },
      ],
      listSubkeys: async () => ['subagents/agent-x', '../../outside'],
    };
  }

  test.each([{ resume: SESSION }, { continue: true }])(
    'is written where the CLI looks for it: %j',
    async (how) => {
      const { options, remove } = await layOutStored({
        sessionStore: store(),
        cwd: '/tmp',
        env: { HOME: '/nowhere' },
        ...how,
      });
      const folder = String(options.env?.CLAUDE_CONFIG_DIR);
      const project = join(folder, 'projects', '-tmp');
      expect(options).toMatchObject({ resume: SESSION, continue: false });
      expect(readFileSync(join(project, `${SESSION}.jsonl`), 'utf8')).toBe('{"type":"user","uuid":"one"}\n');
      expect(readFileSync(join(project, SESSION, 'subagents/agent-x.jsonl'), 'utf8')).toBe(
        '{"type":"user","uuid":"one"}\n',
      );
      expect(readFileSync(join(project, SESSION, 'subagents/agent-x.meta.json'), 'utf8')).toBe(
        '{"agentType":"x"}',
      );
      expect(existsSync(join(project, 'outside.jsonl'))).toBe(false);
      await remove();
      expect(existsSync(folder)).toBe(false);
    },
  );

  test('that it does not have leaves the folder unchanged', async () => {
    const none = { ...store(), load: async () => null };
    const { options } = await layOutStored({ sessionStore: none, resume: SESSION, env: { A: '1' } });
    expect(options).toMatchObject({ resume: SESSION, env: { A: '1' } });
    expect((await layOutStored({ resume: SESSION })).options).toEqual({ resume: SESSION });
    expect((await layOutStored({ sessionStore: none })).options.resume).toBeUndefined();
  });

  test('that is not loaded in time is given up', async () => {
    const clock = new ManualClock();
    const slow = { ...store(), load: () => new Promise<null>(() => {}) };
    const laid = layOutStored({ sessionStore: slow, resume: SESSION, loadTimeoutMs: 50 }, clock);
    clock.advance(50);
    await expect(laid).rejects.toThrow('within 50 ms');
  });

  test.each([
    [{ continue: true }, { listSessions: () => new Promise<never>(() => {}) }],
    [{ resume: SESSION }, { listSubkeys: () => new Promise<never>(() => {}) }],
  ])('of a store that does not list in time is given up: %j', async (how, silent) => {
    const laid = layOutStored({ sessionStore: { ...store(), ...silent }, ...how, loadTimeoutMs: 5 });
    await expect(laid).rejects.toThrow('within 5 ms');
  });

  test('leaves no files if it cannot be written, or when its query ends', async () => {
    const broken = { ...store(), listSubkeys: () => Promise.reject(new Error('gone')) };
    await expect(layOutStored({ sessionStore: broken, resume: SESSION })).rejects.toThrow('gone');
    const { options, asked } = fakeCli();
    await typesOf(query({ prompt: 'hi', options: { ...options, sessionStore: store(), resume: SESSION } }));
    const folder = String(asked[0]?.env.CLAUDE_CONFIG_DIR);
    expect(folder).toContain('claude-resume-');
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false));
  });
});
