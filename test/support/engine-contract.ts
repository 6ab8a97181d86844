import { describe, expect, test } from 'vitest';
import type { Engine, KeyState } from '../../src/server/fleet/engine/engine.js';
import type { Clock } from '../../src/wire/util/clock.js';

/** An engine under test. */
export interface TestedEngine {
  /** Two connections to the same servers. */
  readonly one: Engine;
  readonly other: Engine;
  readonly clock: Clock;
}

/** What every engine of a fleet promises. `use` opens one, and runs a test with it. */
export function engineContract(use: (body: (tested: TestedEngine) => Promise<void>) => Promise<void>): void {
  const promises = (name: string, body: (tested: TestedEngine) => Promise<void>) =>
    test(name, () => use(body));
  describe('logs', () => {
    promises('an epoch is taken once, and later writes need it', async ({ one, other }) => {
      const [epochs, events] = keysOf(one);
      const epoch = await one.logs.append(epochs, 'first', { epoch: 0 });
      await expect(other.logs.append(epochs, 'too late', { epoch: 0 })).rejects.toMatchObject(REFUSED);
      await one.logs.append(events, 'a', { epoch });
      const next = await other.logs.append(epochs, 'second', { epoch });
      await expect(one.logs.append(events, 'of an old owner', { epoch })).rejects.toMatchObject(REFUSED);
      await other.logs.append(events, 'b', { epoch: next });
      expect(await textsOf(one, events)).toEqual(['a', 'b']);
      expect(await one.logs.last(epochs)).toMatchObject({ sequence: next, text: 'second' });
    });

    promises('a write with an id happens once, and not again when its epoch is over', async ({ one }) => {
      const [epochs, events] = keysOf(one);
      const epoch = await one.logs.append(epochs, 'first', { epoch: 0 });
      const id = one.makeId();
      const sequence = await one.logs.append(events, 'a', { epoch, id });
      expect(await one.logs.append(events, 'a', { epoch, id })).toBe(sequence);
      const next = await one.logs.append(epochs, 'second', { epoch });
      await expect(one.logs.append(events, 'a', { epoch, id })).rejects.toMatchObject(REFUSED);
      await one.logs.append(events, 'b', { epoch: next, id: one.makeId() });
      expect(await textsOf(one, events)).toEqual(['a', 'b']);
    });

    promises('what is known of a text is found without reading it', async ({ one }) => {
      const [epochs, events] = keysOf(one);
      expect(await one.logs.last(events)).toBeUndefined();
      const epoch = await one.logs.append(epochs, 'first', { epoch: 0 });
      const head = { format: 1, first: 7, last: 9 };
      const sequence = await one.logs.append(events, 'a', { epoch, head });
      expect((await one.logs.last(events))?.head).toEqual(head);
      expect((await one.logs.next(events, 1))?.sequence).toBe(sequence);
      expect(await one.logs.next(events, sequence + 1)).toBeUndefined();
    });

    promises(
      'a reader gets every text once and in order, and again if it fails',
      async ({ one, other, clock }) => {
        const [epochs, events] = keysOf(one);
        const epoch = await one.logs.append(epochs, 'first', { epoch: 0 });
        await one.logs.append(events, 'before', { epoch });
        const seen: string[] = [];
        let fails = 1;
        const stop = await other.logs.follow(events, {
          from: 1,
          onStored: ({ text }) => {
            if (text === 'b' && fails-- > 0) throw new Error('not now');
            seen.push(text);
          },
        });
        for (const text of ['a', 'b', 'c']) await one.logs.append(events, text, { epoch });
        await until(clock, () => seen.length >= 4);
        expect(seen).toEqual(['before', 'a', 'b', 'c']);
        stop();
      },
    );

    promises('a conversation is removed up to a sequence', async ({ one }) => {
      const [epochs, events] = keysOf(one);
      const epoch = await one.logs.append(epochs, 'first', { epoch: 0 });
      await one.logs.append(events, 'a', { epoch });
      const end = await one.logs.append(epochs, 'end', { epoch });
      await one.logs.remove(events.session, end + 1);
      expect([await one.logs.last(epochs), await one.logs.last(events)]).toEqual([undefined, undefined]);
      await one.logs.append(epochs, 'opened again', { epoch: 0 });
    });
  });

  describe('keys', () => {
    promises('a write needs the revision of the last one', async ({ one, other }) => {
      const key = one.makeId();
      expect(await one.records.find(key)).toEqual({ key, revision: 0, value: undefined });
      const revision = await one.records.put(key, '{"a":1}', { revision: 0 });
      await expect(other.records.put(key, '{}', { revision: 0 })).rejects.toMatchObject(REFUSED);
      expect(await other.records.find(key)).toEqual({ key, revision, value: { a: 1 } });
      await expect(other.records.remove(key, revision + 1_000)).rejects.toMatchObject(REFUSED);
      await other.records.remove(key, revision);
      const gone = await one.records.find(key);
      expect(gone.value).toBeUndefined();
      // An old owner must not write it again as if it had never been there.
      await expect(one.records.put(key, '{}', { revision: 0 })).rejects.toMatchObject(REFUSED);
      await one.records.put(key, '{}', { revision: gone.revision });
    });

    promises('a lease expires unless it is renewed, and watchers are told', async ({ one, other, clock }) => {
      const [key, renewed] = [one.makeId(), one.makeId()];
      const states: KeyState[] = [];
      const revision = await one.leases.put(key, '{"w":1}', { revision: 0, seconds: 2 });
      let kept = await one.leases.put(renewed, '{}', { revision: 0, seconds: 2 });
      const stop = await other.leases.watch((state) => states.push(state), key);
      expect(states).toEqual([{ key, revision, value: { w: 1 } }]);
      while (states.at(-1)?.value !== undefined) {
        kept = await one.leases.put(renewed, '{}', { revision: kept, seconds: 2 });
        await new Promise<void>((resolve) => void clock.after(200, resolve));
      }
      expect((await one.leases.find(renewed)).value).toEqual({});
      expect((await one.leases.find(key)).value).toBeUndefined();
      stop();
    });

    promises(
      'a watcher knows everything there is when it has begun, and then all changes',
      async ({ one, other, clock }) => {
        const [a, b] = [one.makeId(), one.makeId()];
        await one.records.put(a, '1', { revision: 0 });
        const values = new Map<string, unknown>();
        const stop = await other.records.watch(({ key, value }) => values.set(key, value));
        expect(values.get(a)).toBe(1);
        const revision = await one.records.put(b, '2', { revision: 0 });
        await until(clock, () => values.get(b) === 2);
        await one.records.remove(b, revision);
        await until(clock, () => values.get(b) === undefined);
        stop();
      },
    );
  });

  describe('the bus', () => {
    promises('a request gets an answer, or is told that nobody listens', async ({ one, other }) => {
      const to = `w.${one.makeId()}`;
      await expect(one.bus.request(to, 'hello', 5_000)).rejects.toMatchObject({ why: 'nobody' });
      const stop = other.bus.subscribe(to, ({ text, respond }) => respond(`${text}, too`));
      await other.bus.flush();
      expect(await one.bus.request(to, 'hello', 5_000)).toBe('hello, too');
      stop();
      await other.bus.flush();
      await expect(one.bus.request(to, 'hello', 5_000)).rejects.toMatchObject({ why: 'nobody' });
    });

    promises(
      'of several in a queue one gets a message, and all others get it',
      async ({ one, other, clock }) => {
        const to = `live.${one.makeId()}`;
        const got: string[] = [];
        for (let queued = 0; queued < 2; queued += 1)
          other.bus.subscribe(to, () => void got.push('queued'), { queue: 'q' });
        other.bus.subscribe(to, ({ text }) => void got.push(text));
        await other.bus.flush();
        one.bus.publish(to, 'hello');
        await until(clock, () => got.length >= 2);
        expect(got.sort()).toEqual(['hello', 'queued']);
      },
    );
  });

  describe('objects', () => {
    promises(
      'an object is replaced only if it has the revision given, and leaves nothing',
      async ({ one, other }) => {
        const name = `${one.makeId()}/x`;
        const bytes = new Uint8Array([1, 2, 3]);
        expect([await one.blobs.info(name), await one.blobs.getBlob(name)]).toEqual([null, null]);
        const { revision } = await one.blobs.putBlob({ name }, bytes, { previousRevision: 0 });
        await expect(other.blobs.putBlob({ name }, bytes, { previousRevision: 0 })).rejects.toThrow();
        await other.blobs.putBlob({ name }, new Uint8Array([4]), { previousRevision: revision });
        expect([...((await one.blobs.getBlob(name)) ?? [])]).toEqual([4]);
        expect(await one.blobs.names(name.slice(0, 8))).toEqual([name]);
        await one.blobs.delete(name);
        expect(await other.blobs.names(name.slice(0, 8))).toEqual([]);
      },
    );
  });

  promises(
    'a closed engine does nothing any more, and the other connection goes on',
    async ({ one, other }) => {
      await one.close();
      expect(one.isClosed()).toBe(true);
      await expect(one.records.find('x')).rejects.toThrow();
      one.bus.publish('live.x', 'nobody hears it');
      expect((await other.records.find('x')).revision).toBe(0);
    },
  );
}

const REFUSED = { why: 'refused' };

function keysOf({ makeId }: Engine) {
  const session = makeId();
  return [
    { session, part: 'epoch' },
    { session, part: 'events' },
  ] as const;
}

async function textsOf({ logs }: Engine, key: Parameters<Engine['logs']['last']>[0]): Promise<string[]> {
  const texts: string[] = [];
  const to = (await logs.last(key))?.sequence ?? 0;
  for await (const { text } of logs.read(key, { from: 1, to })) texts.push(text);
  return texts;
}

async function until(clock: Clock, isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise<void>((resolve) => void clock.after(20, resolve));
}
