import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { echo, emulatedManager, manual, storeFolder } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const HOUR_MS = 3_600_000;

test('conversations that are too old are deleted while the manager runs; those with a turn stay', async () => {
  const clock = new ManualClock();
  let time = 1_000_000_000_000;
  const stuck = [onUser(undefined, [hang()])];
  const { manager } = await emulatedManager(
    { scenarios: [stuck] },
    { retention: { maxAgeMs: HOUR_MS } },
    { clock, now: () => time },
  );
  manager.conversation('idle');
  const turn = manager.conversation('busy').send('x');
  await turn.began;
  time += HOUR_MS + 1;
  clock.advance(HOUR_MS + 1);
  await expect.poll(() => manager.list().map(({ name }) => name)).toEqual(['busy']);
});

test('a conversation whose prompt is unanswered stays', async () => {
  const asks = [onUser(undefined, [useTool('Bash', { command: 'ls' }, { ask: true }), done()])];
  const { manager, store } = await emulatedManager({ scenarios: [asks] }, manual);
  manager.conversation('asks').send('go', { resend: false });
  await expect.poll(() => manager.find('asks').prompts.open.length).toBe(1);
  await manager.close();
  // Its message is reported as lost, and its prompt stays.
  const { manager: next } = await emulatedManager({ scenarios: [echo] }, { store });
  await next.find('asks').settled();
  expect(next.find('asks').facts.messages).toBe(0);
  await next.close();
  const later = Date.now() + 2 * HOUR_MS;
  const retention = { maxAgeMs: HOUR_MS };
  const last = await emulatedManager({ scenarios: [echo] }, { store, retention }, { now: () => later });
  expect(last.manager.find('asks').prompts.open).toHaveLength(1);
});

test('above a count, the one unused for longest is deleted, never the new one', async () => {
  let time = 0;
  const { manager } = await emulatedManager(
    { scenarios: [echo] },
    { retention: { maxCount: 2 } },
    { now: () => time },
  );
  for (const name of ['a', 'b']) {
    time += 1;
    manager.conversation(name);
  }
  time += 1;
  await manager.conversation('a').send('used').outcome;
  await manager.conversation('a').park();
  time += 1;
  manager.conversation('c');
  await expect.poll(() => manager.list().map(({ name }) => name)).toEqual(['a', 'c']);
});

test('a deleted conversation starts again, optionally without its transcript', async () => {
  const home = storeFolder();
  const { manager, store } = await emulatedManager(
    { scenarios: [echo] },
    { defaults: { env: { CLAUDE_CONFIG_DIR: home } }, budgets: { conversation: 1 } },
  );
  const talk = manager.conversation('one');
  await talk.send('x').outcome;
  const id = talk.id ?? '';
  const file = writeTranscript(home, id);
  expect(await talk.transcript()).toMatchObject([{ type: 'user', message: { content: 'hello' } }]);
  const exported = await manager.export('one');
  expect(exported).toMatchObject({ facts: { name: 'one', sessionId: id }, waiting: [], prompts: [] });
  expect(exported.messages).toHaveLength(1);
  expect(JSON.parse(JSON.stringify(exported))).toMatchObject({ messages: [{ type: 'user' }] });
  await manager.delete('one', { transcript: true });
  expect(talk.state).toBe('deleted');
  expect(readdirSync(file.folder)).toEqual([]);
  expect(manager.conversation('one').facts).toMatchObject({ sessionId: undefined, costUsd: 0 });
  await manager.close();
  expect(readFileSync(join(store, 'conversations.jsonl'), 'utf8')).not.toContain(
    'spent/conversation/one","value":1',
  );
});

/** A transcript of one message, as a CLI writes it. */
function writeTranscript(home: string, sessionId: string): { readonly folder: string } {
  const folder = join(home, 'projects', '-work');
  mkdirSync(folder, { recursive: true });
  const entry = {
    type: 'user',
    uuid: '11111111-1111-4111-8111-111111111111',
    parentUuid: null,
    sessionId,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: 'hello' },
  };
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${JSON.stringify(entry)}\n`);
  return { folder };
}
