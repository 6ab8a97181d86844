import { MemoryServers, memoryEngine, type Network } from './memory-engine.js';
import { SimProcess } from './processes.js';
import { World } from './world.js';

/** Servers whose network does what a test wants; by default it is slow, and nothing else. */
export function makeServers(network: Partial<Network> = {}) {
  const world = new World(1);
  const servers = new MemoryServers({
    clock: world,
    random: () => world.random(),
    makeId: () => world.uuid(),
    delay: () => 1 + world.upTo(10),
    losesAnswer: () => false,
    repeats: () => false,
    ...network,
  });
  return { world, servers, connect: () => memoryEngine(servers, new SimProcess(world)) };
}
