import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import type { Manager } from '../../../../src/server/manager/manager.js';
import { echo, emulatedManager } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const HOUR = 3_600_000;
const NINE = { cron: '0 9 * * *', timezone: 'Europe/Rome', text: 'What is new?' };

/** A day that begins at eight o'clock in Rome, and a clock that is advanced by hand. */
function morning(at = '2026-01-05T07:00:00Z') {
  const clock = new ManualClock();
  const start = Date.parse(at);
  return { clock, now: () => start + clock.now() };
}

/** The outcomes of a manager's turns, as texts. */
function turnsOf(manager: Manager): string[] {
  const seen: string[] = [];
  manager.on('turn', ({ conversation, outcome }) =>
    seen.push(`${conversation}: ${outcome.kind === 'success' ? outcome.text : outcome.kind}`),
  );
  return seen;
}

test('a message is sent at its time, in its time zone, and again the next day', async () => {
  const time = morning();
  const { manager } = await emulatedManager({ scenarios: [echo] }, {}, time);
  const seen = turnsOf(manager);
  const talk = manager.conversation('daily');
  talk.schedule(NINE);
  expect(manager.list()[0]?.schedule?.nextAt).toBe(Date.parse('2026-01-05T08:00:00Z'));
  time.clock.advance(HOUR - 1);
  expect(talk.facts.messages).toBe(0);
  time.clock.advance(1);
  await expect.poll(() => seen).toEqual(['daily: echo: What is new?']);
  time.clock.advance(24 * HOUR);
  await expect.poll(() => seen.length).toBe(2);
});

test.each([
  ['skip', 0],
  ['once', 1],
] as const)('times that were missed: %s', async (missed, sent) => {
  const before = morning();
  const { manager, store } = await emulatedManager({ scenarios: [echo] }, {}, before);
  manager.conversation('daily').schedule({ ...NINE, missed });
  await manager.close();
  const after = morning('2026-01-09T12:00:00Z');
  const next = await emulatedManager({ scenarios: [echo] }, { store }, after);
  const seen = turnsOf(next.manager);
  const talk = next.manager.find('daily');
  expect(talk.facts.messages).toBe(sent);
  expect(talk.facts.schedule?.nextAt).toBe(Date.parse('2026-01-10T08:00:00Z'));
  await expect.poll(() => seen.length).toBe(sent);
  after.clock.advance(20 * HOUR);
  await expect.poll(() => seen.length).toBe(sent + 1);
});

test('a time is skipped if the previous message is not done, with a diagnostic', async () => {
  const time = morning();
  const { manager } = await emulatedManager({ scenarios: [[onUser(undefined, [hang()])]] }, {}, time);
  const told: string[] = [];
  manager.on('diagnostic', ({ diagnostic }) => told.push(diagnostic.code));
  const talk = manager.conversation('busy');
  talk.schedule({ ...NINE, cron: '0 * * * *' });
  time.clock.advance(HOUR);
  time.clock.advance(HOUR);
  expect(talk.facts.messages).toBe(1);
  expect(told).toEqual(['SCHEDULE_SKIPPED']);
});

test('a schedule ends with unschedule and with its conversation, and exempts it from retention', async () => {
  const time = morning();
  const { manager } = await emulatedManager({ scenarios: [echo] }, { retention: { maxCount: 1 } }, time);
  const kept = manager.conversation('kept');
  kept.schedule(NINE);
  manager.conversation('other');
  manager.conversation('another');
  expect(manager.list().map(({ name }) => name)).toContain('kept');
  kept.unschedule();
  expect(kept.facts.schedule).toBeUndefined();
  time.clock.advance(2 * HOUR);
  expect(kept.facts.messages).toBe(0);
  const gone = manager.conversation('gone');
  gone.schedule(NINE);
  await manager.delete('gone');
  expect(() => time.clock.advance(48 * HOUR)).not.toThrow();
});

test.each([
  [{ ...NINE, cron: 'now and then' }, 'cron'],
  [{ ...NINE, timezone: 'Rome' }, 'cron'],
  [{ ...NINE, missed: 'all' as never }, 'missed'],
  [{ cron: NINE.cron, timezone: NINE.timezone } as never, 'text'],
])('impossible values are refused: %j', async (schedule, option) => {
  const { manager } = await emulatedManager({ scenarios: [echo] }, {}, morning());
  const talk = manager.conversation('x');
  expect(() => talk.schedule(schedule)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', option }));
  expect(talk.facts.schedule).toBeUndefined();
});

test('a stored schedule that cannot be read is skipped with a diagnostic; everything else opens', async () => {
  const before = await emulatedManager({ scenarios: [echo] }, {}, morning());
  before.manager.conversation('daily').schedule(NINE);
  before.manager.conversation('other');
  await before.manager.close();
  const file = join(before.store, 'conversations.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Europe/Rome', 'Europe/Nowhere'));
  const { store } = before;
  const { manager } = await emulatedManager(
    { scenarios: [echo] },
    { store },
    morning('2026-01-09T12:00:00Z'),
  );
  const told: string[] = [];
  manager.on('diagnostic', ({ conversation, diagnostic }) => told.push(`${conversation} ${diagnostic.code}`));
  await expect.poll(() => told).toEqual(['daily SCHEDULE_SKIPPED']);
  expect(await manager.find('other').send('x').text()).toBe('echo: x');
});

test('a conversation that is left sends nothing, and the next manager sends again', async () => {
  const time = morning();
  const { manager, clis, store } = await emulatedManager({ scenarios: [echo] }, {}, time);
  manager.conversation('daily').schedule(NINE);
  manager.leave('daily');
  time.clock.advance(HOUR);
  expect(manager.find('daily').facts.messages).toBe(0);
  expect(clis()).toBe(0);
  await manager.close();
  const later = morning();
  const next = await emulatedManager({ scenarios: [echo] }, { store }, later);
  later.clock.advance(HOUR);
  expect(next.manager.find('daily').facts.messages).toBe(1);
});
