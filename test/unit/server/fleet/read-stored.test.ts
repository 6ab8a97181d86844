import { expect, test } from 'vitest';
import type { NatsParts } from '../../../../src/server/fleet/nats/open-engine.js';
import { readStored } from '../../../../src/server/fleet/nats/read-stored.js';

test('a batch is there before anything is done with it: its client waits for five seconds only', async () => {
  const seen: string[] = [];
  async function* getBatch() {
    for (const seq of [1, 2]) yield { seq };
    seen.push('complete');
  }
  const jsm = { direct: { getBatch: async () => getBatch() } } as unknown as NatsParts['jsm'];
  const part = { stream: 'events', subject: 's', from: 1, to: 2 };
  for await (const { seq } of readStored({ jsm }, part)) seen.push(String(seq));
  expect(seen).toEqual(['complete', '1', '2']);
});

test('what came of a batch that was cut off is used', async () => {
  const asked: number[] = [];
  async function* getBatch(seq: number) {
    yield { seq };
    throw new Error('timeout');
  }
  const direct = {
    getBatch: async (_stream: string, { seq }: { readonly seq: number }) => {
      asked.push(seq);
      return getBatch(seq);
    },
  };
  const part = { stream: 'events', subject: 's', from: 1, to: 3 };
  const read: number[] = [];
  for await (const { seq } of readStored({ jsm: { direct } as unknown as NatsParts['jsm'] }, part))
    read.push(seq);
  expect(read).toEqual([1, 2, 3]);
  expect(asked).toEqual([1, 2, 3]);
});
