import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Place, Places } from '../../../../src/server/manager/conversations/places.js';

function places(max: number, now = () => 0): Places {
  return new Places({ max, now, onPressure: () => {} });
}

/** The order in which requests are granted while each slot is released at once. */
async function grants(all: Places, requests: readonly (readonly [owner: string, priority: number])[]) {
  const first = all.request({ owner: 'first', priority: 0 });
  await first.granted;
  const order: string[] = [];
  const waiting: Place[] = requests.map(([owner, priority]) => all.request({ owner, priority }));
  const done = waiting.map(async (place, index) => {
    await place.granted;
    order.push(`${requests[index]?.[0]}${index}`);
    place.leave();
  });
  first.leave();
  await Promise.all(done);
  return order;
}

test('owners take turns, and each is served in order', async () => {
  const order = await grants(places(1), [
    ['a', 0],
    ['a', 0],
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ]);
  expect(order).toEqual(['a0', 'b3', 'c4', 'a1', 'a2']);
});

test('a higher priority goes first', async () => {
  expect(
    await grants(places(1), [
      ['a', 0],
      ['b', 5],
      ['c', 1],
    ]),
  ).toEqual(['b1', 'c2', 'a0']);
});

test('a request that has waited long enough goes before a higher priority', async () => {
  let time = 0;
  const all = places(1, () => time);
  const running = all.request({ owner: 'x', priority: 0 });
  await running.granted;
  const old = all.request({ owner: 'old', priority: 0 });
  time = 120_000;
  const fresh = all.request({ owner: 'fresh', priority: 3 });
  expect([old.ahead, fresh.ahead]).toEqual([0, 1]);
  running.leave();
  expect(await old.granted).toBe(true);
});

test.each([0, 1_000, 31_000, 3_600_000])(
  'an owner that asks %i ms after a hundred requests of another one is served next but one',
  async (later) => {
    let time = 0;
    const all = places(1, () => time);
    const running = all.request({ owner: 'a', priority: 0 });
    await running.granted;
    const order: string[] = [];
    const request = (owner: string) => {
      const place = all.request({ owner, priority: 0 });
      const served = place.granted.then(() => {
        order.push(owner);
        place.leave();
      });
      return { place, served };
    };
    const crowd = Array.from({ length: 100 }, () => request('a'));
    time = later;
    const other = request('b');
    expect(other.place.ahead).toBeLessThan(2);
    running.leave();
    await Promise.all([...crowd, other].map(({ served }) => served));
    expect(order.indexOf('b')).toBeLessThan(2);
  },
);

test('a low priority is served now and then while a higher one never ends', async () => {
  let time = 0;
  const all = places(1, () => time);
  let running = all.request({ owner: 'busy', priority: 1 });
  const low = all.request({ owner: 'low', priority: 0 });
  let isServed = false;
  void low.granted.then(() => {
    isServed = true;
  });
  for (let count = 0; count < 20 && !isServed; count += 1) {
    const next = all.request({ owner: 'busy', priority: 1 });
    time += 10_000;
    running.leave();
    running = next;
    await Promise.resolve();
  }
  expect(isServed).toBe(true);
});

interface Requested {
  readonly owner: string;
  readonly place: Place;
}

/** What may happen to the slots: a request, a release of the nth slot, and time. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ owner: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ release: fc.nat({ max: 2 }) }),
    fc.record({ pass: fc.constantFrom(1, 31_000, 3_600_000) }),
  ),
  { minLength: 20, maxLength: 60 },
);

test('whatever happens, no owner gets a slot while another one with fewer slots waits', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, fc.integer({ min: 2, max: 3 }), async (all, max) => {
      let time = 0;
      const slots = places(max, () => time);
      const waiting: Requested[] = [];
      const taken: Requested[] = [];
      const unfair: string[] = [];
      const countOf = (owner: string) => taken.filter((each) => each.owner === owner).length;
      const request = (owner: string) => {
        const requested = { owner, place: slots.request({ owner, priority: 0 }) };
        waiting.push(requested);
        void requested.place.granted.then(() => {
          waiting.splice(waiting.indexOf(requested), 1);
          for (const other of waiting)
            if (countOf(other.owner) < countOf(owner)) unfair.push(`${owner} before ${other.owner}`);
          taken.push(requested);
        });
      };
      for (const happening of all) {
        if ('pass' in happening) time += happening.pass;
        if ('release' in happening) taken.splice(happening.release, 1)[0]?.place.leave();
        if ('owner' in happening) request(happening.owner);
        await Promise.resolve();
      }
      expect(unfair).toEqual([]);
    }),
  );
});

test('leaving the queue frees nothing, and releasing twice frees one slot', async () => {
  const all = places(1);
  const [running, waiting, next] = [1, 2, 3].map((n) => all.request({ owner: `o${n}`, priority: 0 })) as [
    Place,
    Place,
    Place,
  ];
  waiting.leave();
  expect(await waiting.granted).toBe(false);
  running.leave();
  running.leave();
  expect(await next.granted).toBe(true);
  expect([all.taken, all.waiting]).toEqual([1, 0]);
});

test('a spare slot is granted only while nobody waits', () => {
  const all = places(1);
  const leave = all.spare();
  expect(leave).toBeDefined();
  expect(all.spare()).toBeUndefined();
  leave?.();
  leave?.();
  expect(all.taken).toBe(0);
});
