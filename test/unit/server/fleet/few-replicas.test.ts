import { expect, test } from 'vitest';
import { Names } from '../../../../src/server/fleet/nats/names.js';
import { fewReplicas } from '../../../../src/server/fleet/nats/streams.js';

/** An engine whose streams have these copies. */
function engineWith(copies: (stream: string) => number): Parameters<typeof fewReplicas>[0] {
  const info = async (name: string) => ({ config: { name, num_replicas: copies(name) } });
  return { jsm: { streams: { info } }, names: new Names(undefined) } as unknown as ReturnType<
    typeof engineWith
  >;
}

test('streams with three copies need no warning', async () => {
  expect(
    await fewReplicas(
      engineWith(() => 3),
      {},
    ),
  ).toBeUndefined();
  expect(
    await fewReplicas(
      engineWith(() => 5),
      {},
    ),
  ).toBeUndefined();
});

test('the warning names the streams with fewer copies', async () => {
  const engine = engineWith((stream) => (stream === 'KV_coxswain_workers' ? 1 : 3));
  expect(await fewReplicas(engine, {})).toContain('(KV_coxswain_workers: 1)');
  expect(
    await fewReplicas(
      engineWith(() => 1),
      {},
    ),
  ).toContain('coxswain_EVT_3: 1');
});

test('fewer copies are accepted if the options ask for them', async () => {
  expect(
    await fewReplicas(
      engineWith(() => 1),
      { replicas: 1 },
    ),
  ).toBeUndefined();
  expect(
    await fewReplicas(
      engineWith(() => 1),
      { replicas: 3 },
    ),
  ).toContain('fewer than 3');
});

test('a server that does not say gives no warning', async () => {
  const silent = engineWith(() => {
    throw new Error('timeout');
  });
  expect(await fewReplicas(silent, {})).toBeUndefined();
});
