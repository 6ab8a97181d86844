import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventOf } from '../../../../src/server/console/log/entry.js';
import { openEventLog } from '../../../../src/server/console/log/event-log.js';
import { FoldedLog } from '../../../../src/server/console/log/folded-log.js';
import { ConsolePrompts } from '../../../../src/server/console/sessions/console-prompts.js';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import { KeptPrompts } from '../../../../src/server/manager/conversations/kept-prompts.js';
import type { ConversationRecord } from '../../../../src/server/manager/store/record.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

const suggestions = {
  permission_suggestions: [
    { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
  ],
};

/** A prompt whose CLI has ended, on a disk that can be full. */
async function keptPrompt(allowBypass = false) {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-prompts-'));
  const { log } = await openEventLog({ folder });
  onTestFinished(async () => {
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });
  const disk = { full: false };
  const body = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, ...suggestions };
  let record = { prompts: [{ id: 'p1', body }] } as unknown as ConversationRecord;
  const kept: KeptPrompts = new KeptPrompts({
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
    onChange: ({ prompt, state }) => state !== 'open' && prompts.settle(prompt.id, state),
  });
  const by = { client: 'c', name: 'test', kind: 'page' } as const;
  const view = newSummary('s', { cwd: '/' }, by, {
    now: 0,
    sessionBudgetUsd: undefined,
    repository: undefined,
  });
  const folded = new FoldedLog(log, view, Date.now);
  const prompts = new ConsolePrompts(folded, { now: Date.now, allowBypass });
  kept.announce();
  prompts.keepOnly(kept.open, undefined);
  const answer = async (name: string, remember: readonly string[] = []) => {
    const prompt = kept.open.find(({ id }) => id === 'p1');
    return prompts.answer(
      prompt,
      { id: 'p1', answer: { answer: 'allow', remember } },
      { client: name, name },
    );
  };
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
  expect(events()).toMatchObject([
    { kind: 'prompt', prompt: { id: 'p1' } },
    { kind: 'prompt-settled', prompt: 'p1', how: 'answered' },
  ]);
});

test('of two answers at once the first counts, and the other learns whose it was', async () => {
  const { answer, stored } = await keptPrompt();
  const [first, second] = await Promise.all([answer('ann'), answer('bob')]);
  expect(first).toMatchObject({ accepted: true, by: { client: 'ann' } });
  expect(second).toMatchObject({ accepted: false, by: { client: 'ann' } });
  expect(stored()).toMatchObject([{ id: 'p1', answer: { behavior: 'allow' }, toldIn: 'm1' }]);
});

test('a suggestion to bypass permissions is neither shown nor accepted, unless the server allows it', async () => {
  const { prompts, answer } = await keptPrompt();
  expect(prompts.open).toMatchObject([{ choices: [{ id: '1:session' }] }]);
  await expect(answer('ann', ['0:session'])).rejects.toMatchObject({ code: 'BYPASS_REFUSED' });
  expect(prompts.open).toHaveLength(1);
  expect(await answer('ann', ['1:session'])).toMatchObject({ accepted: true });
  const allowed = await keptPrompt(true);
  expect(allowed.prompts.open).toMatchObject([{ choices: [{ id: '0:session' }, { id: '1:session' }] }]);
  expect(await allowed.answer('ann', ['0:session'])).toMatchObject({ accepted: true });
});
