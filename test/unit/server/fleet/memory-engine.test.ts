import { describe, expect, test } from 'vitest';
import { engineContract } from '../../../support/engine-contract.js';
import { makeServers } from '../../../support/simulation/make-servers.js';
import { memoryEngine } from '../../../support/simulation/memory-engine.js';
import { SimProcess } from '../../../support/simulation/processes.js';

describe('the engine in memory', () => {
  engineContract(async (body) => {
    const { world, connect } = makeServers();
    await world.run(() => body({ one: connect(), other: connect(), clock: world }));
  });

  test('is away, and does later what was sent meanwhile, although nobody waits for the answer', async () => {
    const { world, servers, connect } = makeServers();
    const engine = connect();
    await world.run(async () => {
      servers.leave();
      expect(engine.isConnected()).toBe(false);
      await expect(engine.records.put('a', '1', { revision: 0 })).rejects.toMatchObject({ why: 'unready' });
      servers.comeBack();
      await world.sleep(100);
      expect((await engine.records.find('a')).value).toBe(1);
    });
  });

  test('loses an answer after the request took effect', async () => {
    const { world, connect } = makeServers({ losesAnswer: () => world.now() < 1_000 });
    const engine = connect();
    await world.run(async () => {
      await expect(engine.records.put('a', '1', { revision: 0 })).rejects.toMatchObject({ why: 'unready' });
      expect((await engine.records.find('a')).value).toBe(1);
    });
  });

  test('gets a write twice that has an id, and has it once', async () => {
    const { world, servers, connect } = makeServers({ repeats: () => true });
    const engine = connect();
    await world.run(async () => {
      const key = { session: 's', part: 'epoch' } as const;
      await engine.logs.append(key, 'a', { epoch: 0, id: 'x' });
      await world.sleep(100);
      expect(servers.part(key).length).toBe(1);
    });
  });

  test('tells a stopped program later, and a killed one nothing', async () => {
    const { world, servers } = makeServers();
    const [stopped, killed] = [new SimProcess(world), new SimProcess(world)];
    killed.onKill(() => servers.drop(killed));
    const heard: string[] = [];
    await world.run(async () => {
      for (const [name, process] of Object.entries({ stopped, killed })) {
        const { bus } = memoryEngine(servers, process);
        bus.subscribe('live.x', ({ text }) => void heard.push(`${name} ${text} at ${world.now()}`));
        await bus.flush();
      }
      stopped.stop(5_000);
      killed.kill();
      memoryEngine(servers, new SimProcess(world)).bus.publish('live.x', 'hello');
      const end = world.now() + 5_000;
      await world.sleep(10_000);
      expect(heard).toEqual([`stopped hello at ${end}`]);
    });
  });
});
