import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import * as compat from '../../src/entry/compat/index.js';
import { onRequest } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { officialSdk } from './harness/official-sdk.js';
import type { Sdk } from './harness/program.js';
import { Stage } from './harness/stage.js';

afterEach(() => vi.useRealTimers());

test.for(['the official SDK', 'ours'])(
  'startup gives up on a CLI that does not become ready within 60 seconds, on %s',
  async (side, { skip }) => {
    const sdk = side === 'ours' ? (compat as unknown as Sdk) : await officialSdk(skip);
    const scenarios = [[onRequest('initialize', [hang()])]];
    const stage = new Stage({ name: 'startup', run: async () => {}, scenarios }, sdk, '/tmp');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let error: unknown;
    const tried = sdk.startup({ options: stage.options() }).catch((thrown: unknown) => {
      error = thrown;
    });
    await vi.waitFor(() => expect(stage.launches[0]?.process.lines).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(error).toBeUndefined();
    // An abandoned CLI gets some seconds to exit.
    for (let second = 0; second < 30 && error === undefined; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await setImmediate();
    }
    expect(error).toBeInstanceOf(Error);
    vi.useRealTimers();
    await tried;
  },
);
