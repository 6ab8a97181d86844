import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openSession, startSession } from '../../src/entry/sdk/open-session.js';
import type { LaunchedCli } from '../../src/host/core/connection/launch.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { type EmulateOptions, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { refuse } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { askHost } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { flood } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, die, hang, wait } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { memoryPair } from '../../src/wire/transport/memory.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { emulatedStarts } from '../support/emulated-starts.js';
import { ManualClock } from '../support/manual-clock.js';
import { settle } from '../support/settle.js';
import { testedVersions } from '../support/tested-versions.js';

async function open(scenario: Scenario, options: SessionOptions = {}, emulation: EmulateOptions = {}) {
  const cli = emulateCli(scenario, emulation);
  const session = await openSession({ transport: cli.transport, ...options });
  return { cli, session };
}

/** A session whose every start gets the next scenario. */
function several(scenarios: readonly Scenario[], options: SessionOptions = {}) {
  const { transport, clis } = emulatedStarts((before) => scenarios[before] ?? []);
  return { session: startSession({ transport, ...options }), clis };
}

const never = new Promise<never>(() => {});
describe('after a failed or closed session', () => {
  test('an unusable schema fails the open before anything starts', async () => {
    let started = 0;
    const opening = openSession({
      transport: () => {
        started += 1;
        return emulateCli([]).transport;
      },
      outputSchema: { type: 'object', properties: { n: { type: 'nonsense' } } },
    });
    await expect(opening).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'outputSchema' });
    expect(started).toBe(0);
  });

  test('close waits until a CLI that ended by itself is gone with all its children', async () => {
    const gone = deferred<void>();
    const cli = emulateCli([onUser([die({ code: 1 })])]);
    const { transport } = cli;
    const slow = Object.assign(Object.create(transport), {
      ended: transport.ended,
      start: transport.start.bind(transport),
      send: transport.send.bind(transport),
      pause: transport.pause.bind(transport),
      resume: transport.resume.bind(transport),
      close: async () => {
        await gone.promise;
        return transport.close();
      },
    });
    const session = await openSession({ transport: slow });
    await session.send('go').outcome;
    let closed = false;
    const closing = session.close().then(() => {
      closed = true;
    });
    await settle();
    expect(closed).toBe(false);
    gone.resolve();
    await closing;
  });

  test('an abort ends the loop at once, however long the CLI takes to end', async () => {
    const gone = deferred<void>();
    const { transport } = emulateCli([onUser([flood(500, 300), hang()])]);
    const slow = Object.assign(Object.create(transport), {
      ended: transport.ended,
      start: (...args: Parameters<typeof transport.start>) => transport.start(...args),
      pause: () => transport.pause(),
      resume: () => transport.resume(),
      send: (line: string) => transport.send(line),
      close: async () => {
        await gone.promise;
        await transport.close();
      },
    });
    const controller = new AbortController();
    const session = await openSession({ transport: slow, signal: controller.signal });
    const turn = session.send('go');
    let count = 0;
    for await (const _ of turn) {
      count += 1;
      if (count === 10) controller.abort();
    }
    expect(count).toBe(10);
    expect(await turn.outcome).toMatchObject({ kind: 'aborted' });
    expect(session.state).toBe('ended');
    gone.resolve();
    await session.close();
  });

  test('the caller’s signal has no listener left', async () => {
    const controller = new AbortController();
    for (let index = 0; index < 3; index += 1) {
      const { session } = await open([], { signal: controller.signal });
      expect(getEventListeners(controller.signal, 'abort').length).toBeGreaterThan(0);
      await session.close();
    }
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('a start that never completes ends with the session, and one that completes late is ended', async () => {
    const clock = new ManualClock();
    const launched = deferred<LaunchedCli>();
    const session = startSession({}, { clock, launch: () => launched.promise });
    const failed = expect(session.ready).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    await settle();
    const closing = session.close();
    await failed;
    await settle();
    clock.advance(5_000);
    await closing;
    const [near, far] = memoryPair();
    launched.resolve({ transport: near, version: Promise.resolve(undefined) });
    await far.ended;
  });

  test('close waits until a late start is ended', async () => {
    const launched = deferred<LaunchedCli>();
    const session = startSession({}, { launch: () => launched.promise });
    await settle();
    let closed = false;
    const closing = session.close().then(() => {
      closed = true;
    });
    await settle();
    expect(closed).toBe(false);
    const [near, far] = memoryPair();
    launched.resolve({ transport: near, version: Promise.resolve(undefined) });
    await closing;
    expect(await far.ended).toEqual({ reason: 'closed' });
  });

  test('a start and a version that never arrive fail at the handshake deadline', async () => {
    const clock = new ManualClock();
    const session = startSession({ handshakeMs: 100 }, { clock, launch: () => never });
    const failed = expect(session.ready).rejects.toMatchObject({ code: 'HANDSHAKE_TIMEOUT' });
    await settle();
    clock.advance(100);
    await failed;
    const other = new ManualClock();
    const cli = emulateCli([], { version: '2.1.17' });
    const opening = openSession(
      { handshakeMs: 100 },
      { clock: other, launch: async () => ({ transport: cli.transport, version: never }) },
    );
    while (cli.received.length === 0) await settle();
    await settle();
    other.advance(100);
    await using opened = await opening;
    expect(opened.version).toBeUndefined();
  });

  test('info and version are kept after the end', async () => {
    const { session } = await open([]);
    const { info, version } = session;
    await session.close();
    expect(session.info).toBe(info);
    expect(session.version).toBe(version);
  });

  test('messages() and unasked end with the session, even if called after it', async () => {
    const { session } = await open([]);
    const readers = [session.messages(), session.unasked].map(async (source) => {
      for await (const _item of source);
    });
    await session.close();
    await Promise.all(readers);
    for await (const _message of session.messages()) throw new Error('nothing can come');
  });

  test('send after close starts nothing, even in a session that reopens itself', async () => {
    const { session, clis } = several([[]], { reopen: 'auto' });
    await session.ready;
    await session.close();
    expect(() => session.send('late')).toThrow(expect.objectContaining({ code: 'SESSION_ENDED' }));
    expect(clis).toHaveLength(1);
    await session.reopen();
    expect(clis).toHaveLength(2);
    await session.close();
  });
});

describe('waits', () => {
  test('turns read only through text() do not cause an overflow', async () => {
    const turns = 20;
    const { session } = await open(
      Array.from({ length: turns }, () => onUser([flood(50, 1_000), say('ok')])),
      { buffer: { hardCharacters: 200_000 } },
    );
    await using _owned = session;
    for (let index = 0; index < turns; index += 1) expect(await session.send(`${index}`).text()).toBe('ok');
  });

  test('a finished turn that nobody read can still be read', async () => {
    const { session } = await open([onUser([say('one'), say('two')])]);
    await using _owned = session;
    const turn = session.send('go');
    await turn.outcome;
    const types: unknown[] = [];
    for await (const { type } of turn) types.push(type);
    expect(types.filter((type) => type === 'assistant')).toHaveLength(2);
  });

  test.each(testedVersions)('a stall that survives an interrupt ends the session on %s', async (version) => {
    const clock = new ManualClock();
    const cli = emulateCli([onUser([hang()]), onRequest('interrupt', [refuse('deaf')], { times: 'any' })], {
      version,
    });
    const session = await openSession({ transport: cli.transport, stallMs: 100 }, { clock });
    const [one, two] = [session.send('one'), session.send('two')];
    await one.began;
    clock.advance(100);
    expect(await one.outcome).toMatchObject({ kind: 'stalled' });
    expect(await two.outcome).toMatchObject({ kind: expect.stringMatching(/stalled|cli-ended/) });
    await session.close();
    expect(session.state).toBe('ended');
  });

  test('a message without any response stalls too', async () => {
    const clock = new ManualClock();
    const [near, far] = memoryPair();
    far.start((lines) => {
      for (const line of lines) {
        const { request_id, type } = JSON.parse(line);
        if (type === 'control_request')
          void far.send(
            JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id } }),
          );
      }
    });
    const session = await openSession({ transport: near, stallMs: 100 }, { clock });
    const turn = session.send('hello?');
    await settle();
    clock.advance(100);
    expect(await turn.outcome).toMatchObject({ kind: 'stalled' });
    await settle();
    clock.advance(100);
    await settle();
    expect(session.state).toBe('ended');
    await session.close();
  });

  test.each(testedVersions)('a message that cannot be serialised fails alone on %s', async (version) => {
    const { session } = await open([onUser('fine', [say('ok')])], {}, { version });
    await using _owned = session;
    const bad = session.send([{ type: 'text', text: 'x', big: 1n }]);
    expect(await bad.outcome).toMatchObject({ kind: 'error', message: /BigInt/ });
    expect(await session.send('fine').text()).toBe('ok');
    await session.settled({ deadlineMs: 5_000 });
  });

  test.each(testedVersions)(
    'an interrupt before the session is ready stops the first turn of %s',
    async (version) => {
      const cli = emulateCli([onRequest('initialize', [wait(5)]), onUser([hang()])], { version });
      await using session = startSession({ transport: cli.transport });
      const turn = session.send('go');
      expect(await session.interrupt()).toMatchObject({ interrupted: true });
      expect((await turn.outcome).kind).toBe('interrupted');
    },
  );

  test('the host’s budget also stops waiting messages', async () => {
    const { session, cli } = await open(
      [onUser([say('a')]), onUser([say('b')])],
      { maxBudgetUsd: 0.0001 },
      { version: '2.1.17' },
    );
    await using _owned = session;
    const outcomes = await Promise.all([session.send('one').outcome, session.send('two').outcome]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['success', 'budget']);
    expect(cli.received.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  test('a call before ready keeps its own deadline and signal', async () => {
    const { session } = several([[onRequest('initialize', [hang()])]]);
    await expect(session.control('mcp_status', {}, { deadlineMs: 10 })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    const controller = new AbortController();
    const call = session.control('mcp_status', {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await session.close();
  });

  test('a call during a reopen waits for it', async () => {
    const { session } = several([[onUser([die()])], [onRequest('initialize', [wait(5)])]]);
    await session.send('go').outcome;
    const reopening = session.reopen();
    expect(await session.control('mcp_status')).toEqual({ mcpServers: [] });
    await reopening;
    await session.close();
  });

  test('messages held when the CLI dies are sent once to the next one, and settled() waits for them', async () => {
    const gate = deferred<void>();
    const { session, clis } = several(
      [[onUser('one', [act(() => gate.promise), die()])], [onUser('two', [say('back')])]],
      { reopen: 'auto' },
    );
    await session.ready;
    await using _owned = session;
    // Only a CLI that accepts one message at a time leaves one to be held.
    const one = session.send('one');
    await one.began;
    gate.resolve();
    await one.outcome;
    const two = session.send('two');
    let settledFirst = false;
    const settling = session.settled({ deadlineMs: 5_000 }).then(() => {
      settledFirst = two.receipt !== 'settled';
    });
    expect(await two.text()).toBe('back');
    await settling;
    expect(settledFirst).toBe(false);
    expect(clis).toHaveLength(2);
  });
});

describe('callbacks', () => {
  test('a listener that throws or rejects does no harm', async () => {
    const { session } = await open([onUser([say('ok')])], {
      onMessage: async () => {
        throw new Error('later');
      },
      onStateChange: () => {
        throw new Error('now');
      },
    });
    expect(await session.send('go').text()).toBe('ok');
    await settle();
    await session.close();
  });

  test('a removed handler stays removed after a reopen, and restores the one before it', async () => {
    const ask = { subtype: 'from_the_future' };
    const scenario: Scenario = [onUser([askHost(ask), say('x')]), onUser([die()])];
    const { session } = several([scenario, [onUser([askHost(ask), say('y')])]], {
      otherHandlers: { from_the_future: () => 'first' },
    });
    await session.ready;
    const calls: string[] = [];
    const stop = session.handleOther('from_the_future', () => {
      calls.push('second');
      return {};
    });
    await session.send('one').outcome;
    stop();
    await session.send('two').outcome;
    await session.reopen();
    await session.send('three').outcome;
    expect(calls).toEqual(['second']);
    await session.close();
  });
});

test.each<[string, object]>([
  ['rules', { rules: { denny: ['Bash'] } }],
  ['hooks', { hooks: { PreToolUse: [{ run: () => ({}), onFailure: 'blokc' }] } }],
  ['hooks', { hooks: { PreToolUse: [{ run: () => ({}), timeoutMs: 'x' }] } }],
  ['hooks', { hooks: { PreToolUse: [{ matcher: 'Bash' }] } }],
  ['buffer', { buffer: { mesages: 3 } }],
  ['promptTimeoutsMs', { promptTimeoutsMs: { permision: 5 } }],
])('a misspelt key inside %s is refused', (option, options) => {
  expect(() => startSession(options as SessionOptions)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', option }),
  );
});
