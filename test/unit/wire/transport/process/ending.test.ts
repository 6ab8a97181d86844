import { describe, expect, test } from 'vitest';
import { endChild, endLeftovers } from '../../../../../src/wire/transport/process/ending.js';
import type { EndingSignal, ProcessControl } from '../../../../../src/wire/transport/process/platform.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../../support/manual-clock.js';

/** A child and its descendants that obey, or ignore, the signals named for each. */
class FakeFamily {
  readonly clock = new ManualClock();
  readonly log: string[] = [];
  readonly running: Map<number, readonly EndingSignal[]>;
  readonly #exit = deferred<void>();

  constructor(family: Readonly<Record<number, readonly EndingSignal[]>>, signals?: readonly EndingSignal[]) {
    this.running = new Map(Object.entries(family).map(([pid, obeys]) => [Number(pid), obeys]));
    this.control = { ...this.control, signals: signals ?? ['SIGTERM', 'SIGKILL'] };
  }

  control: ProcessControl = {
    ownGroup: true,
    startedSoFar: () => undefined,
    hasShell: true,
    signals: [],
    find: async () => [...this.running.keys()],
    signal: async (pids, signal) => {
      for (const pid of pids) {
        this.log.push(`${signal} ${pid}`);
        if (this.running.get(pid)?.includes(signal)) this.leave(pid);
      }
    },
  };

  leave(pid: number): void {
    this.running.delete(pid);
    if (pid === 1) this.#exit.resolve();
  }

  child(onEof: () => void = () => {}) {
    return {
      pid: 1,
      mark: 'm',
      exited: this.#exit.promise,
      closeStdin: () => {
        this.log.push('eof');
        onEof();
      },
    };
  }

  get parts() {
    return {
      control: this.control,
      clock: this.clock,
      times: { eofMs: 1000, termMs: 500, killMs: 500 },
      onStep: (step: string) => this.log.push(`step ${step}`),
    };
  }
}

describe('the shutdown steps', () => {
  test('the end of stdin is enough for a child that exits on it: no signal is sent', async () => {
    const family = new FakeFamily({ 1: [] });
    const left = await endChild(
      family.child(() => family.leave(1)),
      family.parts,
    );
    expect(left).toEqual([]);
    expect(family.log).toEqual(['step eof', 'eof']);
    expect(family.clock.size).toBe(0);
  });

  test('SIGTERM comes after the first deadline, to everything that belongs to the child', async () => {
    const family = new FakeFamily({ 1: ['SIGTERM'], 2: ['SIGTERM'] });
    const ending = endChild(family.child(), family.parts);
    await family.clock.pass(999);
    expect(family.log).toEqual(['step eof', 'eof']);
    await family.clock.pass(20);
    expect(await ending).toEqual([]);
    expect(family.log).toEqual(['step eof', 'eof', 'step term', 'SIGTERM 1', 'SIGTERM 2']);
  });

  test('SIGKILL comes after the second deadline, to what is left', async () => {
    const family = new FakeFamily({ 1: ['SIGTERM'], 2: ['SIGKILL'] });
    const ending = endChild(family.child(), family.parts);
    await family.clock.pass(1490);
    expect(family.log).not.toContain('SIGKILL 2');
    await family.clock.pass(300);
    expect(await ending).toEqual([]);
    expect(family.log).toEqual([
      'step eof',
      'eof',
      'step term',
      'SIGTERM 1',
      'SIGTERM 2',
      'step kill',
      'SIGKILL 2',
    ]);
  });

  test('the wait ends even if nothing helps, and reports what is left', async () => {
    const family = new FakeFamily({ 1: [] });
    const ending = endChild(family.child(), family.parts);
    await family.clock.pass(2100);
    expect(await ending).toEqual([1]);
    expect(family.clock.size).toBe(0);
  });

  test('processes that appear during a step are signalled too, each only once', async () => {
    const family = new FakeFamily({ 1: ['SIGKILL'] });
    const ending = endChild(family.child(), family.parts);
    await family.clock.pass(1100);
    family.running.set(3, ['SIGTERM']);
    await family.clock.pass(1000);
    await ending;
    expect(family.log.filter((line) => line.startsWith('SIGTERM'))).toEqual(['SIGTERM 1', 'SIGTERM 3']);
  });

  test('a system without SIGTERM goes from the end of stdin to killing the tree', async () => {
    const family = new FakeFamily({ 1: ['SIGKILL'] }, ['SIGKILL']);
    const ending = endChild(family.child(), family.parts);
    await family.clock.pass(1100);
    expect(await ending).toEqual([]);
    expect(family.log).toEqual(['step eof', 'eof', 'step kill', 'SIGKILL 1']);
  });
});

test('leftover processes of a child are ended without waiting for the end of stdin', async () => {
  const family = new FakeFamily({ 7: ['SIGTERM'], 8: ['SIGKILL'] });
  const ending = endLeftovers(family.child(), family.parts);
  await family.clock.pass(1100);
  expect(await ending).toEqual([]);
  expect(family.log).toEqual(['step term', 'SIGTERM 7', 'SIGTERM 8', 'step kill', 'SIGKILL 8']);
});
