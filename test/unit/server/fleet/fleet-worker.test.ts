import { expect, test } from 'vitest';
import { addresses, type Engine, EngineError } from '../../../../src/server/fleet/engine/engine.js';
import type { WorkerRequest } from '../../../../src/server/fleet/worker/worker-requests.js';
import { isObject } from '../../../../src/wire/protocol/frames.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { makeServers } from '../../../support/simulation/make-servers.js';
import { memoryEngine } from '../../../support/simulation/memory-engine.js';
import { SimProcess } from '../../../support/simulation/processes.js';
import { Outside } from '../../../support/simulation/sim-cli.js';
import { type SimWorkerParts, simWorker } from '../../../support/simulation/sim-worker.js';

const by = { client: 'c', name: 'test', kind: 'program', role: 'owner', key: 'key' } as const;
const [LEFT, BUSY] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const MINUTE = 60_000;

/** A fleet without a placer: a test says who takes what. */
function makeFleet() {
  const { world, servers, connect } = makeServers();
  const [client, outside] = [connect(), new Outside()];
  const start = async (
    id: string,
    parts: Partial<SimWorkerParts> = {},
    over = (engine: Engine) => engine,
  ) => {
    const process = new SimProcess(world);
    process.onKill(() => servers.drop(process));
    const engine = over(memoryEngine(servers, process));
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

test('a conversation whose worker was lost before its record was stored begins anew', async () => {
  const { world, servers, start, take, run, open } = makeFleet();
  await world.run(async () => {
    const withoutRecord = (engine: Engine): Engine => ({
      ...engine,
      records: { ...engine.records, put: () => new Promise(() => {}) },
    });
    const first = await start('first', {}, withoutRecord);
    await take('first', LEFT);
    void run(LEFT, 'open', { id: LEFT, cwd: '/' }).catch(() => {});
    const batches = () => servers.part({ session: LEFT, part: 'events' });
    while (batches().length === 0) await world.sleep(100);
    first.process.kill();
    await world.sleep(10_000);
    await start('second');
    await open('second', LEFT);
    await run(LEFT, 'rename', { title: 'new' });
    const heads = batches().map(({ head }) => head);
    expect(new Set(heads.map((head) => head?.series)).size).toBe(1);
    expect(heads[0]).toMatchObject({ first: 1, after: 0 });
  });
});

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

test.each([
  ['in time', 60_000, { drained: 'with', effects: 1 }],
  ['too late', 1_000, { drained: 'without', effects: 0 }],
])(
  'a worker that drains while a message is stored runs it before it parks, or not at all: %s',
  async (_, graceMs, then) => {
    const { world, servers, outside, start, open, run } = makeFleet();
    await world.run(async () => {
      const stored = deferred<void>();
      const isAccepted = (text: string) => text.startsWith('{"id":"late"') && text.includes('"accepted"');
      const { worker } = await start('first', {}, (engine) => storesLate(engine, isAccepted, stored.promise));
      await open('first', LEFT);
      const answered = run(LEFT, 'send', { content: 'hello' }, 'late').then(
        () => 'with',
        () => 'without',
      );
      await world.sleep(1_000);
      const drained = worker.drain(graceMs);
      await world.sleep(5_000);
      stored.resolve();
      await drained;
      await world.sleep(MINUTE);
      const settled = servers
        .part({ session: LEFT, part: 'events' })
        .filter(({ text }) => text.includes('"settled"'));
      expect([await answered, outside.effects.get('late') ?? 0, settled.length]).toEqual([
        then.drained,
        then.effects,
        then.effects,
      ]);
    });
  },
);

/** An engine that stores some texts only later. */
function storesLate(engine: Engine, isLate: (text: string) => boolean, later: Promise<void>): Engine {
  const append: Engine['logs']['append'] = async (key, text, how) => {
    if (isLate(text)) await later;
    return engine.logs.append(key, text, how);
  };
  return { ...engine, logs: { ...engine.logs, append } };
}

test('an answer to a prompt counts when it is stored: until then the next worker takes one', async () => {
  const { world, servers, start, open, take, run } = makeFleet();
  const promptIn = () =>
    /"kind":"prompt","prompt":\{"kind":"permission","id":"([\w-]+)"/.exec(
      servers
        .part({ session: LEFT, part: 'events' })
        .map(({ text }) => text)
        .join(),
    )?.[1];
  await world.run(async () => {
    const isAnswer = (text: string) => text.includes('"kind":"prompt-settled"');
    const { process } = await start('first', {}, (engine) =>
      storesLate(engine, isAnswer, new Promise(() => {})),
    );
    await open('first', LEFT);
    while (promptIn() === undefined) {
      await run(LEFT, 'send', { content: 'hello' });
      await world.sleep(5_000);
    }
    const answer = () => run(LEFT, 'answer', { prompt: promptIn(), answer: { answer: 'allow' } });
    expect(await answer()).toMatchObject({ ok: false, error: { code: 'STORE_FAILED' } });
    process.kill();
    await world.sleep(10_000);
    await start('second');
    await take('second', LEFT);
    expect(await answer()).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await answer()).toMatchObject({ ok: true, value: { accepted: false } });
  });
});

test('a worker that takes a conversation over starts no CLI before there is a message for it', async () => {
  const { world, servers, start, open, take, run } = makeFleet();
  const startsIn = () => (servers.records.find(LEFT).value as { starts?: number } | undefined)?.starts;
  const loseWorker = async (worker: { process: SimProcess }) => {
    worker.process.kill();
    await world.sleep(10_000);
  };
  await world.run(async () => {
    const first = await start('first');
    await open('first', LEFT);
    await loseWorker(first);
    const second = await start('second');
    expect(await take('second', LEFT)).toMatchObject({ ok: true });
    await world.sleep(1_000);
    expect(second.sessions.all.map(({ state, isOpen }) => [state, isOpen])).toEqual([['parked', false]]);
    // The first worker may have died of it, the second one cannot.
    expect([second.worker.facts.used, startsIn()]).toEqual([0, 2]);
    await loseWorker(second);
    const third = await start('third');
    await take('third', LEFT);
    await world.sleep(1_000);
    expect(startsIn()).toBe(2);
    expect(await run(LEFT, 'send', { content: 'hello' })).toMatchObject({ ok: true });
    expect(third.sessions.all.map(({ isOpen }) => isOpen)).toEqual([true]);
  });
});

test('a take-over that fails when its record is written is left to another worker', async () => {
  const fleet = makeFleet();
  const { world, outside, start, take } = fleet;
  await world.run(async () => {
    const message = await leaveMessage(fleet);
    const withoutCommands = (engine: Engine): Engine => ({
      ...engine,
      logs: {
        ...engine.logs,
        last: async (key) => {
          if (key.part !== 'commands') return engine.logs.last(key);
          await world.sleep(5_000);
          throw new EngineError('unready', 'No answer.');
        },
      },
    });
    await start('second', {}, withoutCommands);
    await start('third');
    expect(await take('second', LEFT)).toMatchObject({ ok: false, why: 'later' });
    // The one that assigns conversations may offer it to the second one again.
    for (let tries = 0; tries < 30 && !outside.effects.has(message); tries += 1) {
      await take('third', LEFT);
      await world.sleep(1_000);
    }
    expect(outside.effects.get(message)).toBe(1);
  });
});

test('a conversation whose CLI kills its workers is given to three, however often its sender asks', async () => {
  const { world, servers, client, start, open } = makeFleet();
  const killed: string[] = [];
  const deadly = async (id: string) => {
    const { process, sessions } = await start(id);
    sessions.reopen = async () => {
      killed.push(id);
      process.kill();
      await new Promise(() => {});
    };
    return process;
  };
  await world.run(async () => {
    const first = await deadly('first');
    await open('first', LEFT);
    for (const id of ['second', 'third', 'fourth', 'fifth']) await deadly(id);
    first.kill();
    const message = { id: world.uuid(), name: 'send', session: LEFT, params: { content: 'hello' }, by };
    const request = JSON.stringify({ session: LEFT, again: true });
    const place = () =>
      client.bus.request(addresses.placer, request, 5_000).then(JSON.parse, () => undefined) as unknown;
    let placed: unknown;
    for (const end = world.now() + 5 * MINUTE; world.now() < end; await world.sleep(200)) {
      await client.bus.request(addresses.owner(LEFT), JSON.stringify(message), 5_000).catch(() => {});
      placed = await place();
      if (isObject(placed) && placed.ok === false) break;
    }
    const failed = { ok: false, text: expect.stringContaining('3 workers in a row') };
    expect(placed).toMatchObject(failed);
    expect(await place()).toMatchObject(failed);
    // The first one may have died of it, too.
    expect(killed).toHaveLength(2);
    expect(servers.records.find(LEFT).value).toMatchObject({ failure: expect.any(String) });
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
