import { expect, test, vi } from 'vitest';
import { addresses, EngineError } from '../../../../src/server/fleet/engine/engine.js';
import type { WorkerRequest } from '../../../../src/server/fleet/worker/worker-requests.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { makeServers } from '../../../support/simulation/make-servers.js';
import { memoryEngine } from '../../../support/simulation/memory-engine.js';
import { SimProcess } from '../../../support/simulation/processes.js';
import { Outside } from '../../../support/simulation/sessions.js';
import { type SimWorkerParts, simWorker } from '../../../support/simulation/sim-worker.js';

const by = { client: 'c', name: 'test', kind: 'program', role: 'owner', key: 'key' } as const;
const [LEFT, BUSY] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const MINUTE = 60_000;

/** A fleet without a placer: a test says who takes what. */
function makeFleet() {
  const { world, servers, connect } = makeServers();
  const [client, outside] = [connect(), new Outside()];
  const start = async (id: string, parts: Partial<SimWorkerParts> = {}) => {
    const process = new SimProcess(world);
    process.onKill(() => servers.drop(process));
    const engine = memoryEngine(servers, process);
    const made = simWorker({ id, world, process, engine, outside, disk: 'disk', ...parts });
    await made.worker.start();
    return { ...made, process, engine };
  };
  const ask = async (to: string, request: object, ms: number) =>
    JSON.parse(await client.bus.request(to, JSON.stringify(request), ms)) as Record<string, unknown>;
  const take = (id: string, session: string, ms = 10 * MINUTE) =>
    ask(addresses.worker(id), { ask: 'take', session } satisfies WorkerRequest, ms);
  const run = (session: string, name: string, params: object = {}, id: string = world.uuid()) =>
    ask(addresses.owner(session), { id, name, session, params, by }, MINUTE);
  const open = async (id: string, session: string) => {
    expect(await take(id, session)).toMatchObject({ ok: true });
    expect(await run(session, 'open', { id: session, cwd: '/' })).toMatchObject({ ok: true });
  };
  return { world, servers, outside, client, start, take, run, open };
}

/** A conversation whose worker was lost before its CLI got a message that it had accepted. */
async function leaveMessage({ world, start, open, run }: ReturnType<typeof makeFleet>) {
  const first = await start('first', { mayHand: new Promise(() => {}) });
  await open('first', LEFT);
  const message = world.uuid();
  expect(await run(LEFT, 'send', { content: 'hello' }, message)).toMatchObject({ ok: true });
  await world.sleep(1_000);
  first.process.kill();
  await world.sleep(10_000);
  return message;
}

test('a worker that drains while it takes a conversation leaves it to others', async () => {
  const fleet = makeFleet();
  const { world, client, start, take, run, open } = fleet;
  await world.run(async () => {
    await leaveMessage(fleet);
    const restoring = deferred<void>();
    const second = await start('second', {
      restore: async ({ cwd }) => {
        await restoring.promise;
        return { cwd, problem: undefined };
      },
    });
    await open('second', BUSY);
    const taking = take('second', LEFT);
    await world.sleep(1_000);
    await run(BUSY, 'send', { content: 'hello' });
    const drained = second.worker.drain();
    restoring.resolve();
    expect(await taking).toEqual({ ok: false, why: 'full' });
    await expect(client.bus.request(addresses.owner(LEFT), '{}', 1_000)).rejects.toMatchObject({
      why: 'nobody',
    });
    expect(second.sessions.all.map(({ id }) => id)).toEqual([BUSY]);
    await drained;
  });
});

test('a worker that drains while a CLI starts after a take-over sends what was accepted before it parks', async () => {
  const fleet = makeFleet();
  const { world, outside, start, take } = fleet;
  await world.run(async () => {
    const message = await leaveMessage(fleet);
    const { worker, sessions } = await start('second');
    const slot = deferred<void>();
    const reopen = sessions.reopen.bind(sessions);
    sessions.reopen = (session) => slot.promise.then(() => reopen(session));
    await take('second', LEFT);
    const drained = worker.drain();
    await world.sleep(1_000);
    slot.resolve();
    await drained;
    expect(outside.effects.get(message)).toBe(1);
  });
});

test('a take-over that hangs is given up, so that another worker can do it', async () => {
  const fleet = makeFleet();
  const { world, start, take } = fleet;
  await world.run(async () => {
    await leaveMessage(fleet);
    await start('second', { restore: () => new Promise(() => {}) });
    await start('third');
    expect(await take('second', LEFT)).toMatchObject({ ok: false, why: 'later' });
    expect(await take('third', LEFT)).toMatchObject({ ok: true });
  });
});

test('a take-over that fails after it was recorded leaves the conversation to others', async () => {
  const fleet = makeFleet();
  const { world, outside, start, take } = fleet;
  await world.run(async () => {
    const message = await leaveMessage(fleet);
    const { engine } = await start('second');
    const bus = vi.spyOn(engine.bus, 'flush').mockRejectedValue(new EngineError('unready', 'No answer.'));
    expect(await take('second', LEFT)).toMatchObject({ ok: false });
    bus.mockRestore();
    await start('third');
    expect(await take('third', LEFT)).toMatchObject({ ok: true });
    await world.sleep(10_000);
    expect(outside.effects.get(message)).toBe(1);
  });
});

test('a conversation whose CLI waits for a slot has that slot, and does what needs no CLI', async () => {
  const fleet = makeFleet();
  const { world, start, take, run } = fleet;
  await world.run(async () => {
    await leaveMessage(fleet);
    const { sessions } = await start('second', { slots: 1 });
    const slot = deferred<void>();
    const reopen = sessions.reopen.bind(sessions);
    sessions.reopen = (session) => slot.promise.then(() => reopen(session));
    expect(await take('second', LEFT)).toMatchObject({ ok: true, used: 1 });
    const sending = run(LEFT, 'send', { content: 'later' });
    expect(await run(LEFT, 'rename', { title: 'waits' })).toMatchObject({ ok: true });
    expect(await take('second', BUSY)).toEqual({ ok: false, why: 'full' });
    slot.resolve();
    expect(await sending).toMatchObject({ ok: true });
  });
});

test('an accepted message settles if no CLI can be started for it after a take-over', async () => {
  const fleet = makeFleet();
  const { world, servers, start, take, run } = fleet;
  await world.run(async () => {
    const message = await leaveMessage(fleet);
    const { sessions } = await start('second');
    sessions.reopen = async () => {
      throw new Error('There is no such CLI.');
    };
    await take('second', LEFT);
    // Whatever comes next is answered.
    expect(await run(LEFT, 'send', { content: 'next' })).toMatchObject({ ok: false });
    await world.sleep(1_000);
    const events = servers
      .part({ session: LEFT, part: 'events' })
      .map(({ text }) => text)
      .join('\n');
    expect(events).toContain(`"kind":"settled","uuid":"${message}","outcome":{"kind":"error"`);
  });
});
