import { expect, onTestFinished, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { LogEntry } from '../../src/server/console/log/entry.js';
import { LogMemory } from '../../src/server/fleet/log/log-memory.js';
import { LogView } from '../../src/server/fleet/log/log-view.js';
import { natsEngine } from '../../src/server/fleet/nats/nats-engine.js';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { BareClient, isCliMessage } from '../support/console.js';
import { isPieceEvent, startFleet, startTestGateway, type TestFleet } from '../support/fleet.js';
import { ManualClock } from '../support/manual-clock.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('a log that a gateway follows', () => {
  test('continues at another gateway in the middle of a message', async () => {
    const { engine, client, session, goOn } = await inTheMiddle();
    const { n } = await client.next(isPieceEvent);
    const late = await BareClient.connect(await startTestGateway({ fleet: engine }));
    late.attach(session, Number(n));
    const attached = await late.next(({ type }) => type === 'attached');
    expect(attached).toMatchObject({ from: Number(n) + 1, reset: false });
    goOn();
    const result = await client.event('line', isCliMessage('result'));
    expect(await late.event('line', isCliMessage('result'))).toEqual(result);
    expect(late.numbers.every((each) => each > Number(n))).toBe(true);
  });

  test('ends at the last stored event when it is reopened, not at earlier partial messages', async () => {
    const { client, session, ...fleet } = await inTheMiddle();
    const { n } = await client.next(isPieceEvent);
    const { view } = await viewOf(fleet, session);
    await view.open();
    const { last } = view;
    expect(last).toBeLessThan(Number(n));
    const seen = new Promise<void>((resolve) => {
      const unwatch = view.watch(() => {
        if (view.last > last) {
          unwatch();
          resolve();
        }
      });
    });
    fleet.another();
    await seen;
    view.close();
    await view.open();
    expect(view.last).toBe(last);
    expect(view.recent(last + 1)).toEqual([]);
  });

  test('is read to its end although NATS goes away meanwhile', async () => {
    const { nats, client, session, goOn, ...fleet } = await inTheMiddle();
    goOn();
    const { n } = await client.event('line', isCliMessage('result'));
    const engine = await openEngine(fleet.engine);
    onTestFinished(() => engine.close());
    let again = deferred<void>();
    const after = (ms: number, run: () => void) => {
      again.resolve();
      return systemClock.after(ms, run);
    };
    const view = new LogView(engine, session, { clock: { ...systemClock, after }, memory: new LogMemory() });
    onTestFinished(view.watch(() => {}));
    await view.open();
    await nats.kill();
    again = deferred();
    const reading = numbersOf(view.stored(1));
    await Promise.race([again.promise, reading]);
    await nats.start();
    expect(await reading).toContain(n);
  });

  test('knows what clients may have seen, however long NATS takes to say where it ends', async () => {
    const { client, session, goOn, ...fleet } = await inTheMiddle();
    goOn();
    const { n } = await client.event('line', isCliMessage('result'));
    const engine = await engineOf(fleet.engine);
    const gate = deferred<void>();
    const getMessage = async (...asked: Parameters<typeof engine.jsm.streams.getMessage>) => {
      await gate.promise;
      return engine.jsm.streams.getMessage(...asked);
    };
    const streams = Object.create(engine.jsm.streams, { getMessage: { value: getMessage } });
    const slow = natsEngine({
      ...engine,
      jsm: Object.create(engine.jsm, { streams: { value: streams } }),
    });
    const clock = new ManualClock();
    const view = new LogView(slow, session, { clock, memory: new LogMemory() });
    onTestFinished(() => view.close());
    const opening = view.open();
    clock.advance(60_000);
    gate.resolve();
    await opening;
    expect(await view.has({ after: Number(n) })).toBe(true);
  });

  test('leaves no timer when it is closed before its last viewer leaves', async () => {
    const { session, goOn, ...fleet } = await inTheMiddle();
    const { view, clock } = await viewOf(fleet, session);
    const leave = view.watch(() => {});
    await view.open();
    view.close();
    leave();
    expect(clock.size).toBe(0);
    goOn();
  });

  test('is followed as long as anybody watches it', async () => {
    const { client, session, goOn, ...fleet } = await inTheMiddle();
    await client.next(isPieceEvent);
    const { view, clock } = await viewOf(fleet, session);
    const told = new Promise<void>((resolve) => view.watch(resolve));
    view.watch(() => {})();
    await view.open();
    clock.advance(60_000);
    goOn();
    await told;
  });

  test('is not followed if it was only read', async () => {
    const { session, ...fleet } = await inTheMiddle();
    const { view, clock } = await viewOf(fleet, session);
    await view.open();
    expect(clock.size).toBe(1);
    clock.advance(60_000);
    expect(clock.size).toBe(0);
    const first = view.open();
    expect(view.open()).toBe(first);
    view.close();
    expect(view.open()).not.toBe(first);
    view.close();
  });

  test('is retried while the engine cannot read it', async () => {
    const { session, engine } = await inTheMiddle();
    const late = await BareClient.connect(await startTestGateway({ fleet: engine }));
    const { jsm, names } = await engineOf(engine);
    const stream = names.streamOf(session);
    const { config } = await jsm.streams.info(stream);
    await jsm.streams.delete(stream);
    late.attach(session);
    const answer = late.next(({ type }) => type === 'attached' || type === 'session-removed');
    // The gateway has tried it before it answers this request.
    await late.command('folders', {});
    await jsm.streams.add(config);
    expect(await answer).toMatchObject({ type: 'attached' });
  });
});

/** A conversation in the middle of a message, of which a part was delivered. */
async function inTheMiddle() {
  const gate = deferred<void>();
  let another = () => {};
  const piece = { type: 'stream_event', event: { type: 'content_block_delta' } };
  const scenario = () => [
    onUser(
      undefined,
      () => [
        send(piece),
        act(async (cli) => {
          another = () => void cli.send(piece);
          await gate.promise;
        }),
        say('All of it.'),
      ],
      { times: 'any' as const },
    ),
  ];
  const fleet = await startFleet([scenario]);
  const client = await BareClient.connect(fleet.server);
  const { session } = await client.ask('open', { cwd: fleet.root });
  client.attach(session);
  await client.ask('send', { content: 'go' }, { session });
  return { ...fleet, client, session, goOn: () => gate.resolve(), another: () => another() };
}

async function engineOf(options: TestFleet['engine']) {
  const engine = await openEngine(options);
  onTestFinished(() => engine.close());
  return engine;
}

async function viewOf({ engine }: Pick<TestFleet, 'engine'>, session: string) {
  const clock = new ManualClock();
  const view = new LogView(await engineOf(engine), session, { clock, memory: new LogMemory() });
  onTestFinished(() => view.close());
  return { view, clock };
}

async function numbersOf(entries: AsyncIterable<LogEntry>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { n } of entries) numbers.push(n);
  return numbers;
}
