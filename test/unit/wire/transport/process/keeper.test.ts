import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ExitGuard } from '../../../../../src/wire/transport/process/exit-guard.js';
import { Keeper } from '../../../../../src/wire/transport/process/keeper.js';
import { processControl } from '../../../../../src/wire/transport/process/platform.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { fakeSystem } from '../../../host/cli/options/fake-system.js';

/** Replaces the shell: records its input. */
class FakeScript extends EventEmitter {
  readonly pid: number;
  readonly stdin = new PassThrough();
  unreferenced = false;

  constructor(pid: number) {
    super();
    this.pid = pid;
  }

  unref(): void {
    this.unreferenced = true;
  }

  get told(): string[] {
    let text = '';
    // From Node 26 on, each read returns one piece.
    for (let piece = this.stdin.read(); piece !== null; piece = this.stdin.read()) text += piece;
    return text.split('\n').slice(0, -1);
  }
}

const tmp = mkdtempSync(join(tmpdir(), 'keeper-'));
afterAll(() => rmSync(tmp, { recursive: true }));

function setUp(platform: NodeJS.Platform = 'linux') {
  const scripts: FakeScript[] = [];
  const calls: unknown[][] = [];
  const clock = new ManualClock();
  let hex = 0;
  const spawn = (...call: unknown[]): ChildProcess => {
    calls.push(call);
    const script = new FakeScript(100 + scripts.length);
    scripts.push(script);
    return script as unknown as ChildProcess;
  };
  const keeper = new Keeper({
    system: fakeSystem({ platform, tmp, env: { PATH: '/bin', COXSWAIN_MARK: 'outer-1', SECRET: 's' } }),
    control: processControl(platform),
    spawn: spawn as never,
    randomHex: () => `hex${++hex}`,
    clock,
  });
  return { keeper, scripts, calls, clock };
}

describe('the keeper', () => {
  test('starts one shell for all children, which has the mark from the start', () => {
    const { keeper, scripts, calls } = setUp();
    const first = keeper.watch();
    const second = keeper.watch();
    expect([first.mark, second.mark]).toEqual(['hex1-1', 'hex1-2']);
    expect(scripts).toHaveLength(1);
    const [file, args, options] = calls[0] ?? [];
    expect(file).toBe('/bin/sh');
    expect(JSON.stringify(args)).not.toContain('hex1');
    expect(options).toMatchObject({ detached: true });
    expect(options).toHaveProperty('env', {
      PATH: '/bin',
      KEEPER_MARK: 'hex1',
      KEEPER_FOLDER: `${tmp}/coxswain-hex1`,
      KEEPER_TABLE: 'proc',
    });
    expect(JSON.stringify(options)).not.toMatch(/outer-1|SECRET/);
    expect(scripts[0]?.unreferenced).toBe(true);
  });

  test('gets the list of children, rests after the last one, and exits some time later', async () => {
    const { keeper, scripts, clock } = setUp();
    const [one, two] = [keeper.watch(), keeper.watch()];
    one.cover(11);
    two.cover(12);
    one.release();
    one.release();
    expect(scripts[0]?.told).toEqual(['add 11', 'add 12']);
    two.release();
    expect(scripts[0]?.told).toEqual([]);
    await nextRound();
    expect(scripts[0]?.told).toEqual(['del 11', 'del 12', 'rest']);
    clock.advance(9_999);
    expect(keeper.pid).toBe(100);
    clock.advance(1);
    expect(scripts[0]?.told).toEqual(['quit']);
    expect(keeper.pid).toBeUndefined();
  });

  test('a child that starts while it rests wakes it first', async () => {
    const { keeper, scripts, clock } = setUp();
    keeper.watch().release();
    await nextRound();
    expect(scripts[0]?.told).toEqual(['rest']);
    clock.advance(9_000);
    const next = keeper.watch();
    expect(scripts[0]?.told).toEqual(['wake']);
    expect(next.mark).toBe('hex1-2');
    clock.advance(60_000);
    expect(keeper.pid).toBe(100);
    next.release();
    expect(clock.size).toBe(1);
  });

  test('hears nothing of a rest that the next child ends at once', async () => {
    const { keeper, scripts, clock } = setUp();
    const first = keeper.watch();
    first.cover(11);
    first.release();
    keeper.watch().cover(12);
    expect(scripts[0]?.told).toEqual(['add 11', 'del 11', 'add 12']);
    await nextRound();
    expect(scripts[0]?.told).toEqual([]);
    expect(clock.size).toBe(0);
  });

  test('another keeper that takes over hears only what is left', async () => {
    const { keeper, scripts } = setUp();
    const [one, two] = [keeper.watch(), keeper.watch()];
    one.cover(11);
    two.cover(12);
    one.release();
    scripts[0]?.emit('exit', 1, null);
    await nextRound();
    expect(scripts[1]?.told).toEqual(['add 12']);
    two.release();
  });

  test('a child that starts after its exit gets a new keeper and a new mark', () => {
    const { keeper, scripts, clock } = setUp();
    keeper.watch().release();
    clock.advance(10_000);
    expect(keeper.watch().mark).toBe('hex2-1');
    expect(scripts).toHaveLength(2);
  });

  test('a keeper that was killed while it rested is replaced with the next child', () => {
    const { keeper, scripts, clock } = setUp();
    keeper.watch().release();
    scripts[0]?.emit('exit', null, 'SIGKILL');
    expect(keeper.pid).toBeUndefined();
    expect(clock.size).toBe(0);
    expect(keeper.watch().mark).toBe('hex2-1');
    expect(scripts).toHaveLength(2);
  });

  test('another keeper takes over if it is killed, but not forever', () => {
    const { keeper, scripts } = setUp();
    const watch = keeper.watch();
    watch.cover(11);
    scripts[0]?.emit('exit', 1, null);
    expect(scripts).toHaveLength(2);
    expect(scripts[1]?.told).toEqual(['add 11']);
    for (let each = 1; each < 10; each += 1) scripts[each]?.emit('exit', 1, null);
    expect(scripts).toHaveLength(4);
    watch.release();
  });

  test('a keeper that exits on request is not replaced', () => {
    const { keeper, scripts, clock } = setUp();
    keeper.watch().release();
    clock.advance(10_000);
    scripts[0]?.emit('exit', 0, null);
    expect(scripts).toHaveLength(1);
  });

  test('the private folder of a child is removed with its watch', () => {
    const { keeper } = setUp();
    const watch = keeper.watch();
    mkdirSync(watch.folder, { recursive: true });
    watch.release();
    expect(existsSync(watch.folder)).toBe(false);
    expect(existsSync(join(watch.folder, '..'))).toBe(false);
  });

  test('gets the nearest deadline of the host, and that there is none any more', () => {
    const { keeper, scripts, clock } = setUp();
    const [one, two] = [keeper.deadline(), keeper.deadline()];
    one.extend(5_000);
    keeper.watch();
    expect(scripts[0]?.told).toEqual(['until 5.000']);
    clock.advance(1_000);
    two.extend(2_500);
    expect(scripts[0]?.told).toEqual(['until 2.500']);
    two.release();
    expect(scripts[0]?.told).toEqual(['until 4.000']);
    one.release();
    one.release();
    expect(scripts[0]?.told).toEqual(['until never']);
  });

  test('a new keeper gets the deadline, even one that has passed', () => {
    const { keeper, scripts, clock } = setUp();
    keeper.deadline().extend(5_000);
    keeper.watch().cover(11);
    clock.advance(6_000);
    scripts[0]?.emit('exit', 1, null);
    expect(scripts[1]?.told).toEqual(['add 11', 'until 0.000']);
  });

  test('a folder that cannot be removed, as with open files on Windows, does not fail the shutdown of a child', () => {
    const tried: string[] = [];
    const remove = (folder: string) => {
      tried.push(folder);
      throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    };
    const keeper = new Keeper({ system: fakeSystem({ platform: 'win32', tmp }), remove });
    const watch = keeper.watch();
    watch.release();
    expect(tried[0]).toBe(watch.folder);
    expect(keeper.watch().mark).not.toBe(watch.mark);
  });

  test('on Windows no shell is started, and an exit listener is used instead', () => {
    const before = process.listenerCount('exit');
    const { keeper, scripts } = setUp('win32');
    const [one, two] = [keeper.watch(), keeper.watch()];
    expect(scripts).toHaveLength(0);
    expect(process.listenerCount('exit')).toBe(before + 1);
    one.release();
    two.release();
    expect(process.listenerCount('exit')).toBe(before);
  });
});

test('the exit listener ends what is still running, only while it is enabled', () => {
  const ended: number[] = [];
  const emitter = new EventEmitter();
  const guard = new ExitGuard((pid) => ended.push(pid), emitter);
  guard.add(1);
  emitter.emit('exit');
  expect(ended).toEqual([]);
  guard.enable();
  guard.enable();
  guard.add(2);
  guard.remove(1);
  expect(emitter.listenerCount('exit')).toBe(1);
  emitter.emit('exit');
  expect(ended).toEqual([2]);
  guard.disable();
  expect(emitter.listenerCount('exit')).toBe(0);
});
