import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../../src/server/fleet/engine/engine.js';
import { isSuperseded } from '../../../../src/server/fleet/engine/epochs.js';
import { persist } from '../../../../src/server/fleet/engine/persist.js';
import { withFate } from '../../../../src/server/fleet/gateway/fleet-commands.js';
import { HeldError, holderOf } from '../../../../src/server/fleet/worker/claim.js';
import { notTaken } from '../../../../src/server/fleet/worker/worker-requests.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { ManualClock } from '../../../support/manual-clock.js';

describe('who must lose its lease before a conversation is taken', () => {
  const last = { worker: 'other', sequence: 7 };

  test('is its owner, also before that has written a record', () => {
    expect(holderOf('me', last, { epoch: 7, worker: 'other' })).toBe('other');
    expect(holderOf('me', last, { epoch: 3, worker: 'earlier' })).toBe('other');
    expect(holderOf('me', last, { epoch: 3, worker: undefined })).toBe('other');
    expect(holderOf('me', last, undefined)).toBe('other');
  });

  test('is nobody if it was released, ended, never owned, or is the own one', () => {
    expect(holderOf('me', last, { epoch: 7, worker: undefined })).toBeUndefined();
    expect(holderOf('me', { worker: undefined, sequence: 7 }, undefined)).toBeUndefined();
    expect(holderOf('me', undefined, undefined)).toBeUndefined();
    expect(holderOf('other', last, { epoch: 7, worker: 'other' })).toBeUndefined();
  });

  test('is told to the placer', () => {
    expect(notTaken(new HeldError('c', 'other'))).toMatchObject({ why: 'owned', by: 'other' });
    expect(notTaken(new CoxswainError('FLEET_FENCED', 'race'))).not.toHaveProperty('by');
  });

  test('does not matter while the engine elects: the conversation is offered again', () => {
    const late = new EngineError('unready', 'timeout');
    expect(notTaken(late)).toMatchObject({ why: 'later' });
  });
});

describe('a refused write', () => {
  const refused = () => Promise.reject(new EngineError('refused', 'wrong last'));
  const epoch = { sequence: 7 };

  test('ends an epoch if there is a later one, or nothing of the conversation', () => {
    expect(isSuperseded(epoch, { sequence: 8 }, 0)).toBe(true);
    expect(isSuperseded(epoch, undefined, 0)).toBe(true);
  });

  test('does not end it if it is the last one, nor soon if the leader has yet to catch up', () => {
    expect(isSuperseded(epoch, { sequence: 7 }, 60_000)).toBe(false);
    expect(isSuperseded(epoch, { sequence: 6 }, 1_000)).toBe(false);
    expect(isSuperseded(epoch, { sequence: 6 }, 10_000)).toBe(true);
  });

  test('is tried again until it is known to be final; an engine that cannot be asked says nothing', async () => {
    const clock = new ManualClock();
    const answers = [() => Promise.reject(new Error('away')), async () => false, async () => true];
    let asked = 0;
    const isFinal = async () => (await answers[asked++]?.()) ?? true;
    const done = persist(refused, { clock, signal: new AbortController().signal, isFinal });
    await clock.pass(5_000);
    expect(await done).toBe('refused');
    expect(asked).toBe(3);
  });

  test('is final at once if nothing else is said', async () => {
    const clock = new ManualClock();
    expect(await persist(refused, { clock, signal: new AbortController().signal })).toBe('refused');
  });
});

describe('the error of a command without an answer', () => {
  const none = new CoxswainError('FLEET_NO_WORKER', 'None accepted it in time.');
  const command = { id: 'abc', name: 'send', params: {} } as const;

  test('says that it may have run, and how to ask again, if a worker may have got it', () => {
    const error = withFate(none, command, true);
    expect(error).toMatchObject({ code: 'FLEET_UNANSWERED', cause: none });
    expect(String(error)).toContain('same id, abc');
  });

  test('stays as it is if nobody got it, or if it only reads', () => {
    expect(withFate(none, command, false)).toBe(none);
    expect(withFate(none, { ...command, name: 'history.messages' }, true)).toBe(none);
  });
});
