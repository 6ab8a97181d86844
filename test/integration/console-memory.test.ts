import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startConsole } from '../../src/server/console/start-console.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { programOf } from '../support/emulated-program.js';
import { ManualClock } from '../support/manual-clock.js';

const MIB = 1024 ** 2;

test('the memory of each CLI is reported while somebody watches, and not after it is gone', async (context) => {
  if (!existsSync('/proc/self/status')) context.skip('this system does not tell the memory of processes');
  const clock = new ManualClock();
  const root = await temporaryFolder();
  const server = await startConsole({
    roots: [root],
    stateFolder: await temporaryFolder(),
    configDir: root,
    clock,
    session: { cli: programOf('2.1.326'), env: { COXSWAIN_SESSIONS: root } },
    limits: { memory: 1 },
  });
  onTestFinished(() => server.close());
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const told = client.summary(({ memory }) => isObject(memory));
  await expect
    .poll(() => {
      clock.advance(1_000);
      return client.messages.some(({ session: of }) => isObject(of) && isObject(of.memory));
    })
    .toBe(true);
  const { memory } = (await told) as { memory: { bytes: number; processes: number } };
  expect(memory).toMatchObject({ growing: false, over: true });
  // The process that was asked for the version may still be running.
  expect([1, 2]).toContain(memory.processes);
  expect(memory.bytes).toBeGreaterThan(10 * MIB);
  expect(memory.bytes).toBeLessThan(2_000 * MIB);

  await client.ask('close', {}, { session });
  clock.advance(20);
  const ended = await client.summary(({ state }) => state === 'ended');
  expect(ended.memory).toBeUndefined();
});
