import { PassThrough } from 'node:stream';
import { describe, test } from 'vitest';
import { echoPartner } from '../../../../src/lab/testing/contracts/echo-partner.js';
import { transportContract } from '../../../../src/lab/testing/contracts/transport.js';
import { memoryPair } from '../../../../src/wire/transport/memory.js';
import { streamTransport } from '../../../../src/wire/transport/streams.js';
import type { Transport } from '../../../../src/wire/transport/transport.js';

function memory(): Transport {
  const [near, far] = memoryPair();
  echoPartner(far);
  return near;
}

function streams(): Transport {
  const there = new PassThrough();
  const back = new PassThrough();
  echoPartner(streamTransport(there, back, { closeWaitMs: 200 }));
  return streamTransport(back, there, { closeWaitMs: 200 });
}

describe.each([
  ['the memory pair', memory],
  ['the stream pair', streams],
])('%s fulfils the contract of a transport', (_name, make) => {
  for (const { name, run } of transportContract(make)) test(name, run);
});
