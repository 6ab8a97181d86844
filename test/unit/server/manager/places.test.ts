import { expect, test } from 'vitest';
import { type Place, Places } from '../../../../src/server/manager/conversations/places.js';

function places(max: number, now = () => 0): Places {
  return new Places({ max, now, onPressure: () => false });
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
