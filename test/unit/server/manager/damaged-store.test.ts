import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/server/manager/store/conversation-store.js';
import { Journal } from '../../../../src/server/manager/store/journal.js';
import { echo, emulatedManager, storeFolder } from '../../../support/manager.js';

const conversation = (name: string) => ({
  name,
  owner: 'me',
  priority: 0,
  createdAt: 1,
  usedAt: 1,
  options: { cwd: '/' },
  crashes: 0,
  costUsd: 0,
  fromTheFuture: {},
});

const message = (id: string) => ({
  id,
  conversation: 'good',
  order: 1,
  input: 'Hello',
  state: 'held',
  resend: true,
});

const prompt = { id: 'p', body: { tool_name: 'Bash', input: {} } };

const FAULTS: readonly (readonly [key: string, value: unknown, named: string])[] = [
  ['conversation/bad', 7, 'an object'],
  ['conversation/bad', conversation('other'), 'name'],
  ['conversation/bad', { ...conversation('bad'), prompts: [null] }, 'prompts[0]'],
  ['conversation/bad', { ...conversation('bad'), prompts: [{ ...prompt, body: {} }] }, 'prompts[0].body'],
  ['conversation/bad', { ...conversation('bad'), options: null }, 'options'],
  ['conversation/bad', { ...conversation('bad'), schedule: { cron: 7 } }, 'schedule.cron'],
  ['conversation/bad', { ...conversation('bad'), workspace: {} }, 'workspace'],
  ['conversation/bad', { ...conversation('bad'), failure: 'no' }, 'failure'],
  ['conversation/bad', { ...conversation('bad'), usage: {} }, 'usage'],
  ['message/bad', { ...message('bad'), input: null }, 'input'],
  ['message/bad', { ...message('bad'), input: { type: 'keep_alive' } }, 'input'],
  ['message/bad', { ...message('bad'), state: 'lost' }, 'state'],
  ['message/bad', { ...message('bad'), conversation: undefined }, 'conversation'],
  ['message/bad', message('other'), 'id'],
];

function written(entries: readonly (readonly [string, unknown])[]): string {
  const store = storeFolder();
  const journal = new Journal(join(store, 'conversations.jsonl'));
  for (const [key, value] of entries) journal.set(key, value);
  journal.close();
  return store;
}

test.each(FAULTS)('%s with %j is set aside and named; the others are read', (key, value, named) => {
  const store = written([
    ['conversation/good', { ...conversation('good'), prompts: [prompt] }],
    [key, value],
    ['message/m', message('m')],
  ]);
  const opened = openStore(store);
  expect([...opened.conversations()].map(({ name }) => name)).toEqual(['good']);
  expect(opened.messagesOf('good').map(({ id }) => id)).toEqual(['m']);
  expect(opened.damage.lines).toBe(1);
  expect(opened.damage.problems[0]).toContain(`${key} is set aside`);
  expect(opened.damage.problems[0]).toContain(named);
  opened.close();
  // It is kept for whoever can repair it, and named once.
  expect(readFileSync(join(store, 'conversations.jsonl'), 'utf8')).toContain(`damaged/${key}`);
  const again = openStore(store);
  expect([again.damage.lines, again.hasDamaged]).toEqual([0, true]);
  again.close();
});

test('a manager names damaged records and continues with the rest', async () => {
  const many = Array.from({ length: 12 }, (_, n) => [`conversation/${n}`, {}] as const);
  const store = written([...many, ['conversation/good', conversation('good')]]);
  const told: { code: string; message: string; lines?: number }[] = [];
  const { manager } = await emulatedManager(
    { scenarios: [echo] },
    { store, onDiagnostic: ({ diagnostic }) => told.push(diagnostic as never) },
  );
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatchObject({ code: 'STORE_DAMAGED', lines: 12 });
  expect(told[0]?.message).toContain('2 more records');
  expect(manager.list().map(({ name }) => name)).toEqual(['good']);
});
