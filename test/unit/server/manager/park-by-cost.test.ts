import { describe, expect, test } from 'vitest';
import { assistantMessage } from '../../../../src/lab/testing/builders/assistant.js';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { raw } from '../../../../src/lab/testing/emulator/steps/fault-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import type { ManagerOptions } from '../../../../src/server/manager/manager-options.js';
import { emulatedManager } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const MINUTE = 60_000;

/** The model has read this much from its cache, and writes a little to it. */
function reads(tokens: number, lifetime: '5m' | '1h' = '5m') {
  const usage = {
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: 10,
    cache_creation: {
      ephemeral_5m_input_tokens: lifetime === '5m' ? 10 : 0,
      ephemeral_1h_input_tokens: lifetime === '1h' ? 10 : 0,
    },
  };
  const { message, ...rest } = assistantMessage({ type: 'text', text: 'read' });
  return raw(JSON.stringify({ ...rest, message: { ...message, usage: { ...message.usage, ...usage } } }));
}

const scenario = [
  onUser('small', [reads(1_000), done()], { times: 'any' }),
  onUser('large for an hour', [reads(100_000, '1h'), done()], { times: 'any' }),
  onUser('large', [reads(100_000), done()], { times: 'any' }),
  onUser(undefined, [done()], { times: 'any' }),
];

async function idle(texts: readonly string[], options: Partial<ManagerOptions> = {}) {
  const clock = new ManualClock();
  const { manager } = await emulatedManager(
    { scenarios: [scenario] },
    { parkBy: 'cost', ...options },
    { clock },
  );
  for (const text of texts) {
    const talk = manager.conversation(text);
    await talk.send(text).outcome;
    await expect.poll(() => talk.idleMs).toBe(0);
    clock.advance(100);
  }
  const states = () => texts.map((text) => manager.find(text).state);
  return { manager, clock, states };
}

describe('with parkBy: cost', () => {
  test('a small context makes room before a large one, however short it has been idle', async () => {
    const { manager, states } = await idle(['large', 'small'], { maxRunning: 2 });
    await manager.conversation('next').send('x').outcome;
    expect(states()).toEqual(['running', 'parked']);
  });

  test('a context that is no longer cached makes room before a small one', async () => {
    const { manager, clock, states } = await idle(['large'], { maxRunning: 2, idleMs: 60 * MINUTE });
    clock.advance(5 * MINUTE);
    const small = manager.conversation('small');
    await small.send('small').outcome;
    await expect.poll(() => small.idleMs).toBe(0);
    await manager.conversation('next').send('x').outcome;
    expect([states(), small.state]).toEqual([['parked'], 'running']);
  });

  test('waiting work wins over a large context that is cached', async () => {
    const { manager, states } = await idle(['large'], { maxRunning: 1 });
    expect((await manager.conversation('next').send('x').outcome).kind).toBe('success');
    expect(states()).toEqual(['parked']);
  });

  test('a large context is parked when it is no longer cached, a small one after its idle time', async () => {
    const { clock, states } = await idle(['large', 'large for an hour', 'small'], { idleMs: MINUTE });
    clock.advance(MINUTE);
    await expect.poll(states).toEqual(['running', 'running', 'parked']);
    clock.advance(4 * MINUTE - 400);
    expect(states()).toEqual(['running', 'running', 'parked']);
    clock.advance(400);
    await expect.poll(states).toEqual(['parked', 'running', 'parked']);
    clock.advance(55 * MINUTE);
    await expect.poll(states).toEqual(['parked', 'parked', 'parked']);
  });
});

test('by default, the one that is idle longest makes room, whatever its context', async () => {
  const { manager, states } = await idle(['large', 'small'], { maxRunning: 2, parkBy: 'idle' });
  await manager.conversation('next').send('x').outcome;
  expect(states()).toEqual(['parked', 'running']);
});
