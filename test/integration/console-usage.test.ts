import { mkdir, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dayOf } from '../../src/host/transcripts/transcript-usage.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { assistant, id, putTranscript, user } from '../support/transcripts.js';

/** The folder in which a CLI keeps the conversations of a working folder. */
const projectOf = (folder: string) => folder.replaceAll(/[^A-Za-z0-9]/g, '-');

const DAY_MS = 24 * 3_600_000;

/** An answer with this many tokens, some days ago. */
function answer(number: number, output: number, daysAgo: number, messageId = `msg_${number}`) {
  const entry = assistant(number, 2, 'Yes.', { messageId });
  const usage = {
    input_tokens: 10,
    output_tokens: output,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  };
  const timestamp = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  return { ...entry, timestamp, message: { ...(entry.message as object), usage } };
}

const on = (daysAgo: number) => dayOf(new Date(Date.now() - daysAgo * DAY_MS));

describe('usage by day and folder', () => {
  test('counts each answer once, including subagents, below the roots and for the requested days', async () => {
    const { server, root } = await startEmulatedConsole([], { watchToken: true });
    const put = async (
      number: number,
      cwd: string,
      lines: readonly Record<string, unknown>[],
      beside = '',
    ) => {
      await mkdir(cwd, { recursive: true });
      const own = lines.map((line) => ({ ...line, cwd, sessionId: id(number) }));
      const name = beside === '' ? `${id(number)}.jsonl` : join(id(number), beside);
      await putTranscript(root, name, own, projectOf(cwd));
      return join(root, 'projects', projectOf(cwd), name);
    };
    const app = join(root, 'app');
    await put(100, root, [
      user(2, null, 'Go'),
      // Two blocks of one answer.
      answer(3, 100, 0, 'msg_a'),
      answer(4, 100, 0, 'msg_a'),
      answer(5, 7, 2),
      answer(6, 1_000, 40),
    ]);
    await put(100, root, [answer(7, 20, 0)], 'subagents/agent-x1.jsonl');
    await put(101, app, [user(2, null, 'Go'), answer(3, 5, 0)]);
    const old = await put(102, app, [user(2, null, 'Go'), answer(3, 5, 60)]);
    await utimes(old, new Date(0), new Date(0));
    const elsewhere = join(root, '..', `${basename(root)}-elsewhere`);
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    await put(103, elsewhere, [user(2, null, 'Go'), answer(3, 5, 0)]);
    const client = await BareClient.connect(server);
    const read = async () => {
      const { rows, next } = await client.ask('history.usage', {});
      expect(next).toBeUndefined();
      return rows.map(({ day, cwd, tokens }) => [day, cwd, tokens.output]).toSorted();
    };
    const expected = [
      [on(0), root, 120],
      [on(2), root, 7],
      [on(0), app, 5],
    ].toSorted();
    expect(await read()).toEqual(expected);
    // Read again, from the cache.
    expect(await read()).toEqual(expected);
    await put(101, app, [user(2, null, 'Go'), answer(3, 5, 0), answer(4, 6, 0)]);
    expect(await read()).toContainEqual([on(0), app, 11]);
    const answered = await fetch(`${server.origin}/api/v1/usage/days?days=1`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const { items } = (await answered.json()) as { items: { day: string }[] };
    expect(new Set(items.map(({ day }) => day))).toEqual(new Set([on(0)]));
    const watcher = await BareClient.connect(server, { token: server.watchToken });
    expect(await watcher.command('history.usage', {})).toMatchObject({ ok: false });
  });
});
