import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import { expect, test } from 'vitest';
import { objectsOf } from '../../../../src/server/fleet/nats/objects.js';
import { deferred } from '../../../../src/wire/util/deferred.js';

test('names of objects are listed once for all who ask while a listing is under way, and never from one that began before', async () => {
  const listings: ReturnType<typeof deferred<readonly string[]>>[] = [];
  const info = async () => {
    const listing = deferred<readonly string[]>();
    listings.push(listing);
    const subjects = (await listing.promise).map(
      (name) => `$O.b.M.${Buffer.from(name).toString('base64url')}`,
    );
    return { state: { subjects: Object.fromEntries(subjects.map((subject) => [subject, 1])) } };
  };
  const jsm = { streams: { info } } as unknown as JetStreamManager;
  const objects = objectsOf({} as ObjectStore, jsm, 'b');
  const first = objects.names('one/');
  await Promise.resolve();
  const later = [objects.names('one/'), objects.names('two/')];
  expect(listings.length).toBe(1);
  listings[0]?.resolve(['one/1', 'two/1']);
  expect(await first).toEqual(['one/1']);
  expect(listings.length).toBe(2);
  listings[1]?.resolve(['one/1', 'one/2', 'two/1']);
  expect(await Promise.all(later)).toEqual([['one/1', 'one/2'], ['two/1']]);
});

test('a listing that fails does not keep the next one from starting', async () => {
  let calls = 0;
  const info = async () => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    return { state: {} };
  };
  const objects = objectsOf({} as ObjectStore, { streams: { info } } as unknown as JetStreamManager, 'b');
  await expect(objects.names()).rejects.toThrow('away');
  expect(await objects.names()).toEqual([]);
});
