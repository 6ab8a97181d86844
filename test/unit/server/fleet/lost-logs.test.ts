import { describe, expect, test } from 'vitest';
import type { Attached } from '../../../../src/entry/remote/contract.js';
import { fileLine, plainLine, stamp } from '../../../../src/server/console/log/entry.js';
import { findPlace, type ViewerOptions } from '../../../../src/server/console/socket/viewer.js';
import type { Engine } from '../../../../src/server/fleet/engine/engine.js';
import { lookAtEpoch, takeEpoch } from '../../../../src/server/fleet/engine/epochs.js';
import { HeldEpoch } from '../../../../src/server/fleet/engine/held-epoch.js';
import { LogMemory } from '../../../../src/server/fleet/log/log-memory.js';
import { LogMirror } from '../../../../src/server/fleet/log/log-mirror.js';
import { LogView } from '../../../../src/server/fleet/log/log-view.js';
import { StoredLog } from '../../../../src/server/fleet/log/stored-log.js';
import { claim } from '../../../../src/server/fleet/worker/claim.js';
import { CommandRecords } from '../../../../src/server/fleet/worker/command-records.js';
import { WorkerLease } from '../../../../src/server/fleet/worker/worker-lease.js';
import { makeServers } from '../../../support/simulation/make-servers.js';
import { SimLog } from '../../../support/simulation/sim-log.js';
import type { World } from '../../../support/simulation/world.js';

const HELD = { worker: 'one', series: 'a', since: 0, isLeased: () => true };

describe('an owner whose epoch is gone from the store', () => {
  test('takes the next one, as long as its lease lives', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const before = await takeEpoch(engine, 's', { worker: 'zero', after: 0 });
      const since = servers.part({ session: 's', part: 'epoch' })[0]?.at ?? 0;
      const restore = servers.backup();
      const taken = await takeEpoch(engine, 's', { worker: 'one', series: 'a', after: before.sequence });
      const epoch = new HeldEpoch({ ...HELD, engine, epoch: taken, since });
      restore();
      expect(await lookAtEpoch(engine, epoch, 0)).toBe('held');
      await engine.logs.append({ session: 's', part: 'events' }, 'mine', { epoch: epoch.sequence });
    });
  });

  test('takes it again if nothing of the conversation is left, unless it has removed that itself', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const restore = servers.backup();
      const taken = await takeEpoch(engine, 's', { worker: 'one', series: 'a', after: 0 });
      const epoch = new HeldEpoch({ ...HELD, engine, epoch: taken });
      restore();
      expect(await lookAtEpoch(engine, epoch, 0)).toBe('held');
      restore();
      epoch.giveUp();
      expect(await lookAtEpoch(engine, epoch, 0)).toBe('over');
    });
  });

  test('writes nothing under its number if that is the number of another owner now', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const restore = servers.backup();
      const first = await owner(engine, world);
      await add(first.log, first.mirror, 2);
      servers.leave();
      restore();
      servers.comeBack();
      const second = await owner(connect(), world, { worker: 'two' });
      expect(second.epoch.sequence).toBe(first.epoch.sequence);
      await add(first.log, first.mirror, 4);
      const records = new CommandRecords(engine, first.epoch, world);
      const by = { client: 'c', name: 'test', kind: 'program', role: 'operator', key: 'key' } as const;
      const command = { id: 'a', name: 'send', session: 's', params: {} };
      await expect(records.accept(command, by)).rejects.toMatchObject({ code: 'FLEET_FENCED' });
      await add(second.log, second.mirror, 2);
      const batches = servers.part({ session: 's', part: 'events' });
      expect(batches.map(({ head }) => head?.series)).toEqual([second.epoch.series]);
      second.mirror.close();
    });
  });

  test('ends without its lease, and if another worker goes on, even with the same number', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const restore = servers.backup();
      const taken = await takeEpoch(engine, 's', { worker: 'one', series: 'a', after: 0 });
      const late = new HeldEpoch({ ...HELD, engine, epoch: taken, isLeased: () => false });
      const epoch = new HeldEpoch({ ...HELD, engine, epoch: taken });
      restore();
      expect(await lookAtEpoch(engine, late, 10_000)).toBe('over');
      const theirs = await takeEpoch(engine, 's', { worker: 'two', series: 'b', after: 0 });
      expect(theirs.sequence).toBe(taken.sequence);
      expect(await lookAtEpoch(engine, epoch, 0)).toBe('over');
    });
  });
});

describe('a log whose end the store has lost', () => {
  test('is whole again if its owner lives, and viewers start over at most', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const lost: (readonly number[])[] = [];
      const { log, mirror } = await owner(engine, world, { onLost: (...numbers) => lost.push(numbers) });
      const viewer = await watch(connect(), world);
      await add(log, mirror, 3);
      const restore = servers.backup();
      await add(log, mirror, 5);
      await viewer.until(5);
      servers.leave();
      restore();
      servers.comeBack();
      // Also without anything new.
      mirror.verify();
      await world.sleep(1_000);
      await add(log, mirror, 7);
      await viewer.until(7);
      expect(lost).toEqual([[4, 5]]);
      expect(await numbersOf(engine)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(viewer.seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(viewer.resets.length).toBeLessThanOrEqual(1);
      viewer.stop();
      mirror.close();
    });
  });

  test('makes viewers start over if another owner goes on, also at numbers that they have seen', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const first = await owner(engine, world);
      await add(first.log, first.mirror, 3);
      const viewer = await watch(connect(), world);
      await viewer.until(3);
      const restore = servers.backup();
      await add(first.log, first.mirror, 6);
      await viewer.until(6);
      first.mirror.close();
      restore();
      const second = await owner(connect(), world, { worker: 'two' });
      await add(second.log, second.mirror, 5);
      await viewer.until(5);
      expect(viewer.resets).toEqual([1]);
      expect(viewer.seen).toEqual([1, 2, 3, 4, 5]);
      viewer.stop();
      second.mirror.close();
    });
  });

  test('is noticed by the position of a client that comes back, and a position before the loss is good', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const first = await owner(engine, world);
      await add(first.log, first.mirror, 3);
      const viewer = await watch(connect(), world);
      await viewer.until(3);
      const before = viewer.position;
      const restore = servers.backup();
      await add(first.log, first.mirror, 6);
      await viewer.until(6);
      const after = viewer.position;
      viewer.stop();
      first.mirror.close();
      restore();
      const second = await owner(connect(), world, { worker: 'two' });
      await add(second.log, second.mirror, 9);
      const [good, bad] = [await watch(connect(), world, before), await watch(connect(), world, after)];
      await Promise.all([good.until(9), bad.until(9)]);
      expect([good.resets, good.seen]).toEqual([[], [4, 5, 6, 7, 8, 9]]);
      expect([bad.resets, bad.seen]).toEqual([[1], [1, 2, 3, 4, 5, 6, 7, 8, 9]]);
      for (const each of [good, bad]) each.stop();
      second.mirror.close();
    });
  });

  test('makes viewers start over that were away while others wrote more than was lost', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const first = await owner(engine, world);
      await add(first.log, first.mirror, 3);
      const viewer = await watch(connect(), world);
      const restore = servers.backup();
      await add(first.log, first.mirror, 6);
      await viewer.until(6);
      first.mirror.close();
      servers.leave();
      restore();
      const epoch = servers.append({ session: 's', part: 'epoch' }, '{"format":1}', {
        epoch: first.epoch.sequence,
      });
      const key = { session: 's', part: 'events' } as const;
      servers.append(key, line(4), { epoch, head: { format: 1, first: 4, last: 4, series: 'b', after: 3 } });
      for (let more = 0; more < 20; more += 1)
        servers.append({ session: `other ${more}`, part: 'epoch' }, '{}', { epoch: 0 });
      servers.comeBack();
      await viewer.until(4);
      expect(viewer.resets).toEqual([1]);
      expect(viewer.seen).toEqual([1, 2, 3, 4]);
      viewer.stop();
    });
  });

  test('has a gap that is reported if nobody can store its end again', async () => {
    const { world, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      const { epoch } = await claim(engine, 's', 'one');
      const append = (n: number, after: number) =>
        engine.logs.append({ session: 's', part: 'events' }, line(n), {
          epoch: epoch.sequence,
          head: { format: 1, first: n, last: n, series: 'a', after },
        });
      await append(1, 0);
      await append(5, 4);
      const viewer = await watch(connect(), world);
      await viewer.until(5);
      expect(viewer.seen).toEqual([5]);
      expect(viewer.resets).toEqual([5]);
      viewer.stop();
    });
  });
});

test('a lease that the store has lost is taken again before others may think that it is over', async () => {
  const { world, servers, connect } = makeServers();
  const engine = connect();
  let isLost = false;
  const restore = servers.backup();
  const lease = new WorkerLease({
    engine,
    worker: 'one',
    seconds: 5,
    clock: world,
    facts: () => ({}),
    onRenewed: () => {},
    onLost: () => {
      isLost = true;
    },
  });
  await world.run(async () => {
    await lease.start();
    restore();
    await world.sleep(20_000);
    expect(isLost).toBe(false);
    expect(servers.leases.find('one').value).toBeDefined();
    await lease.end();
  });
});

interface OwnerOptions {
  readonly worker?: string;
  readonly onLost?: (first: number, last: number) => void;
}

/** Takes the conversation, and copies a log that has what is stored. */
async function owner(engine: Engine, world: World, { worker = 'one', onLost }: OwnerOptions = {}) {
  const { epoch: taken, series, since } = await claim(engine, 's', worker);
  const epoch = new HeldEpoch({ engine, worker, epoch: taken, series, since, isLeased: () => true });
  const from = ((await new StoredLog(engine, 's').ends())?.last ?? 0) + 1;
  const earlier = await entriesOf(engine);
  const log = new SimLog(earlier, earlier.at(-1)?.n ?? 0, world);
  const onFenced = () => {};
  const mirror = new LogMirror({ engine, epoch, series, log, clock: world, from, onFenced, onLost });
  return { log, mirror, epoch };
}

/** Adds events up to a number, and waits until they are stored. */
async function add(log: SimLog, mirror: LogMirror, last: number): Promise<void> {
  while (log.last < last) log.add({ kind: 'note', level: 'info', code: 'x', text: `${log.last}` });
  await mirror.flushed();
}

async function watch(engine: Engine, clock: World, position: Partial<ViewerOptions> = {}) {
  const log = new LogView(engine, 's', { clock, memory: new LogMemory() });
  await log.open();
  let seen: number[] = [];
  let series: string | undefined;
  const resets: number[] = [];
  const session = { id: 's', log, viewersChanged: () => {} };
  const makeViewer = await findPlace(session, { after: 0, partial: true, ...position });
  const viewer = makeViewer({
    open: true,
    writable: true,
    drained: async () => {},
    sendAttached: (attached: Attached) => {
      series = attached.series;
      if (!attached.reset) return;
      resets.push(attached.from);
      seen = [];
    },
    sendEntry: (_session, { n }) => seen.push(n),
  });
  return {
    resets,
    get seen() {
      return seen;
    },
    get position() {
      const n = seen.at(-1) ?? 0;
      return { after: n, kept: n, series };
    },
    until: async (n: number) => {
      for (let tries = 0; seen.at(-1) !== n && tries < 200; tries += 1) await clock.sleep(50);
    },
    stop: () => {
      viewer.stop();
      log.close();
    },
  };
}

async function entriesOf(engine: Engine) {
  const stored = new StoredLog(engine, 's');
  const ends = await stored.ends();
  const entries = [];
  if (ends !== undefined) for await (const entry of stored.read(1, ends)) entries.push(entry);
  return entries;
}

async function numbersOf(engine: Engine): Promise<readonly number[]> {
  return (await entriesOf(engine)).map(({ n }) => n);
}

function line(n: number): string {
  return fileLine(stamp(plainLine({ kind: 'note' }), n, 0));
}
