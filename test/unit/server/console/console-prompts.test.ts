import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventOf } from '../../../../src/server/console/log/entry.js';
import { openEventLog } from '../../../../src/server/console/log/event-log.js';
import { ConsolePrompts } from '../../../../src/server/console/sessions/console-prompts.js';
import { KeptPrompts } from '../../../../src/server/manager/conversations/kept-prompts.js';
import type { ConversationRecord } from '../../../../src/server/manager/store/record.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

/** A prompt whose CLI has ended, on a disk that can be full. */
async function keptPrompt() {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-prompts-'));
  const { log } = await openEventLog({ folder });
  onTestFinished(async () => {
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });
  const disk = { full: false };
  const body = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
  let record = { prompts: [{ id: 'p1', body }] } as unknown as ConversationRecord;
  const kept = new KeptPrompts({
    record: () => record,
    update: (change) => {
      record = { ...record, ...change };
    },
    tell: () => {
      if (disk.full) throw new CoxswainError('STORE_FAILED', 'The disk is full.');
      return 'm1';
    },
    onNotRepeated: () => {},
    onDeferredAnswer: () => {},
  });
  const prompts = new ConsolePrompts({ log, now: Date.now, clis: { isClosed: false } });
  prompts.lost(kept.open);
  const answer = (name: string) =>
    prompts.answer(undefined, { id: 'p1', answer: { answer: 'allow' } }, { client: name, name });
  const events = () => (log.recent(1) ?? []).map((entry) => eventOf(entry));
  return { disk, prompts, answer, events, stored: () => record.prompts };
}

test('an answer that the disk refuses is an error for its client, and the prompt stays open', async () => {
  const { disk, prompts, answer, events } = await keptPrompt();
  disk.full = true;
  await expect(answer('ann')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  expect(prompts.open.map(({ id }) => id)).toEqual(['p1']);
  disk.full = false;
  expect(await answer('ann')).toMatchObject({ accepted: true });
  expect(prompts.open).toEqual([]);
  expect(events()).toMatchObject([{ kind: 'prompt-settled', prompt: 'p1', how: 'answered' }]);
});

test('of two answers at once the first counts, and the other learns whose it was', async () => {
  const { answer, stored } = await keptPrompt();
  const [first, second] = await Promise.all([answer('ann'), answer('bob')]);
  expect(first).toMatchObject({ accepted: true, by: { client: 'ann' } });
  expect(second).toMatchObject({ accepted: false, by: { client: 'ann' } });
  expect(stored()).toMatchObject([{ id: 'p1', answer: { behavior: 'allow' }, toldIn: 'm1' }]);
});
