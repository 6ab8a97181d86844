import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/console.js';
import { type FleetProcess, gatewayProcess, workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

const { COXSWAIN_SEED, COXSWAIN_STEPS = '12' } = process.env;
/** COXSWAIN_SEED=<number> repeats a run, COXSWAIN_STEPS=<number> makes it longer. */
const seed = Number(COXSWAIN_SEED ?? Math.floor(Math.random() * 2 ** 31));
const steps = Number(COXSWAIN_STEPS);

const faults = ['again', 'kill', 'stop', 'cut', 'restart', 'drain', 'clock', 'gateway'] as const;
const step = fc.record({
  do: fc.oneof(
    { weight: 1, arbitrary: fc.constant('say' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...faults) },
  ),
  who: fc.nat(2),
  count: fc.integer({ min: 1, max: 40 }),
});
const plans = fc.array(step, { minLength: steps, maxLength: steps });

/** Every fault once, each with a turn under way. */
const everyFault: readonly Step[] = faults.flatMap((fault, at) => [
  { do: 'say', who: at % 3, count: 40 },
  { do: fault, who: at % 3, count: 30 },
]);

withNats('a fleet in which anything fails at any time', () => {
  test('loses and doubles nothing, whatever fails', { timeout: 300_000 }, () => play(everyFault));

  test(`loses and doubles nothing, by chance (COXSWAIN_SEED=${seed})`, { timeout: 300_000 }, async () => {
    const [plan = []] = fc.sample(plans, { seed, numRuns: 1 });
    await play(plan);
  });
});

type Step = Facts & { readonly do: 'say' | (typeof faults)[number] };

async function play(plan: readonly Step[]): Promise<void> {
  const { acts, talks } = await fleetToBreak();
  for (const { do: what, ...facts } of plan) await acts[what](facts);
  const problems: string[] = [];
  for (const talk of talks) {
    await talk.settle();
    problems.push(...(await talk.problems()));
  }
  expect({ plan, problems }).toEqual({ plan, problems: [] });
}

interface Facts {
  readonly who: number;
  readonly count: number;
}

/** Two workers, three conversations, and what can happen to them. */
async function fleetToBreak() {
  const server = await natsServer();
  const root = await temporaryFolder();
  const proxy = await createProxy(server.port);
  const nats = `nats://127.0.0.1:${proxy.port}`;
  const start = () => workerProcess({ nats, root, leaseSeconds: 5 });
  const workers: FleetProcess[] = [await start(), await start()];
  let gateway = await gatewayProcess(server.url);
  const open = () => FleetTalk.open(gateway, { cwd: root, nats: server.url });
  const talks = [await open(), await open(), await open()];
  /** Another worker takes the place of one to which something happens. */
  const replaced = async ({ who }: Facts): Promise<FleetProcess | undefined> =>
    workers.splice(who % workers.length, 1, await start())[0];
  const acts: Record<Step['do'], (facts: Facts) => unknown> = {
    say: ({ who, count }) => talks[who]?.say(count, 10),
    again: ({ who }) => talks[who]?.sayAgain(),
    kill: async (facts) => (await replaced(facts))?.signal('SIGKILL'),
    drain: async (facts) => (await replaced(facts))?.tell('drain'),
    stop: async (facts) => {
      const worker = await replaced(facts);
      worker?.signal('SIGSTOP');
      // It wakes up when its conversations are elsewhere, or just before.
      const timer = setTimeout(() => worker?.signal('SIGCONT'), 1_000 * facts.who + 2_000);
      onTestFinished(() => clearTimeout(timer));
    },
    cut: () => proxy.cut(),
    gateway: async () => {
      gateway.signal('SIGKILL');
      gateway = await gatewayProcess(server.url);
      for (const talk of talks) await talk.moveTo(gateway);
    },
    clock: ({ who, count }) => workers[who % workers.length]?.tell(`clock ${(count - 20) * 3_600_000}`),
    restart: async () => {
      await server.kill();
      await server.start();
    },
  };
  return { acts, talks };
}
