import { expect, test } from 'vitest';
import { endEpoch, lastEpoch, takeEpoch } from '../../../../src/server/fleet/engine/epochs.js';
import { MemoryServers, memoryEngine } from '../../../support/simulation/memory-engine.js';
import { SimProcess } from '../../../support/simulation/processes.js';
import { World } from '../../../support/simulation/world.js';

test('an epoch that its owner ends is over, even if the answer is lost', async () => {
  const world = new World(1);
  let losesAnswer = false;
  const servers = new MemoryServers({
    clock: world,
    random: () => world.random(),
    makeId: () => world.uuid(),
    delay: () => 1,
    losesAnswer: () => losesAnswer,
    repeats: () => false,
  });
  const engine = memoryEngine(servers, new SimProcess(world));
  await world.run(async () => {
    const epoch = await takeEpoch(engine, 'c', { worker: 'one', after: 0 });
    losesAnswer = true;
    world.after(1_000, () => {
      losesAnswer = false;
    });
    const end = await endEpoch(engine, epoch, { clock: world, signal: new AbortController().signal });
    expect(await lastEpoch(engine, 'c')).toMatchObject({ sequence: end, worker: undefined });
    const again = endEpoch(engine, epoch, { clock: world, signal: new AbortController().signal });
    expect(await again).toBe(end);
    await takeEpoch(engine, 'c', { worker: 'two', after: end });
    const late = endEpoch(engine, epoch, { clock: world, signal: new AbortController().signal });
    await expect(late).rejects.toMatchObject({ code: 'FLEET_FENCED' });
  });
});
