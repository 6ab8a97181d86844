import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { ConsoleSession } from '../../src/server/console/sessions/console-session.js';
import { lastEpoch, takeEpoch } from '../../src/server/fleet/engine/epochs.js';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import type { FleetWorker } from '../../src/server/fleet/worker/fleet-worker.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { answers, BareClient, eventIn, isCliMessage } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { type EmulatedWorker, isPieceEvent, startFleet, startTestGateway } from '../support/fleet.js';
import { withNats } from '../support/nats/with-nats.js';
import { settle } from '../support/settle.js';
import { spokenConversation } from '../support/spoken-conversation.js';
import { holdConversation, overSocket } from '../support/ways-in.js';
import { overRemote } from '../support/ways-in-programs.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const tools = () => [
  onUser(undefined, () => [useTool('Bash', { command: 'ls' }, { ask: true }), say('Done.')], {
    times: 'any' as const,
  }),
];

const isIdle = ({ type, session }: WireObject) =>
  type === 'session' &&
  (session as WireObject).state === 'idle' &&
  Number((session as WireObject).costUsd) > 0;

withNats('a fleet', () => {
  test('a conversation is opened, answers and is listed, through a gateway without a CLI', async () => {
    const { server, root, workers } = await startFleet([chat]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root, title: 'Greeting' });
    client.attach(session);
    await client.ask('send', { content: 'hello' }, { session });
    await client.event('line', isCliMessage('result'));
    expect((await client.ever(isIdle)).session).toMatchObject({
      id: session,
      title: 'Greeting',
      cwd: root,
      prompts: [],
    });
    const states = client.events.map(eventIn).filter(({ kind }) => kind === 'state');
    expect(states.map(({ state }) => state)).toEqual(['starting', 'idle', 'running', 'idle']);
    expect(client.events.some((event) => isPieceEvent(event))).toBe(true);
    expect(workers[0]?.clis).toHaveLength(1);
  });

  test.each([
    ['a socket', overSocket],
    ['a remote session', overRemote],
  ] as const)('a whole conversation is held over %s of a gateway', async (_name, over) => {
    const { server, root } = await startFleet([spokenConversation]);
    await holdConversation(over(server), root);
  });

  test('if two gateways answer a prompt, the first answer counts', async () => {
    const { server, root, workers, engine } = await startFleet([tools]);
    const other = await startTestGateway({ fleet: engine });
    const client = await BareClient.connect(server);
    const second = await BareClient.connect(other);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: 'list' }, { session });
    const { prompt } = eventIn(await client.event('prompt'));
    const answer = { prompt: String((prompt as WireObject).id), answer: { answer: 'allow' } } as const;
    const given = await Promise.all([
      client.ask('answer', answer, { session }),
      second.ask('answer', answer, { session }),
    ]);
    expect(given.map(({ accepted }) => accepted).sort()).toEqual([false, true]);
    await client.event('line', isCliMessage('result'));
    expect(answers(workers[0]?.clis[0])).toHaveLength(1);
  });

  test('a command sent through two gateways takes effect once', async () => {
    const { server, root, workers, engine } = await startFleet([chat]);
    const other = await startTestGateway({ fleet: engine });
    const client = await BareClient.connect(server);
    const second = await BareClient.connect(other);
    const { session } = await client.ask('open', { cwd: root });
    const id = randomUUID();
    const both = await Promise.all([
      client.ask('send', { content: 'once' }, { session, id }),
      second.ask('send', { content: 'once' }, { session, id }),
    ]);
    expect(both).toEqual([{ uuid: id }, { uuid: id }]);
    await client.ever(isIdle);
    const sent = workers[0]?.clis[0]?.received.filter(({ type }) => type === 'user');
    expect(sent).toHaveLength(1);
  });

  test('every gateway returns the same events from any number on', async () => {
    const { server, root, engine } = await startFleet([chat]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    for (const content of ['one', 'two', 'three']) {
      await client.ask('send', { content }, { session });
      await client.event('line', isCliMessage('result'));
    }
    await client.event('state', ({ state }) => state === 'idle');
    const kept = client.events.filter((event) => !isPieceEvent(event));
    const other = await startTestGateway({ fleet: engine });
    for (const after of [0, 1, Number(kept[10]?.n), Number(kept.at(-2)?.n)]) {
      const late = await BareClient.connect(other);
      late.attach(session, after);
      const wanted = kept.filter(({ n }) => Number(n) > after);
      await late.ever(({ type, n }) => type === 'event' && n === wanted.at(-1)?.n);
      expect(late.events.slice(0, wanted.length)).toEqual(wanted);
    }
  });

  test('a removed conversation leaves nothing in the engine, and one that cannot be opened is not listed', async () => {
    const { server, root, engine } = await startFleet([chat]);
    const client = await BareClient.connect(server);
    const refused = await client.command('open', { cwd: '/' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'FOLDER_REFUSED' } });
    const { session } = await client.ask('open', { cwd: root });
    await client.ask('close', {}, { session });
    await client.ask('remove', {}, { session });
    await client.ever(({ type, session: removed }) => type === 'session-removed' && removed === session);
    const own = await openEngine(engine);
    expect(await lastEpoch(own, session)).toBeUndefined();
    expect((await own.sessions.get(session))?.operation ?? 'PURGE').toBe('PURGE');
    const { subjects } = (await own.jsm.streams.info(own.names.streamOf(session), { subjects_filter: '>' }))
      .state;
    expect(Object.keys(subjects ?? {})).toEqual([]);
    await own.close();
    const late = await BareClient.connect(server);
    expect(late.messages.find(({ type }) => type === 'sessions')?.sessions).toEqual([]);
  });

  test('while the engine is unreachable the CLI continues until the spool is full, then waits; nothing is lost', async () => {
    const long = 'x'.repeat(50_000);
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${long}`);
    const isAway = deferred<void>();
    const [first, ...rest] = texts.map((text) => say(text, { chunk: 100_000 })) as [Step, ...Step[]];
    const scenario = () => [onUser(undefined, [first, act(() => isAway.promise), ...rest])];
    const spoolCharacters = 200_000;
    const { server, root, workers, nats } = await startFleet([scenario], { spoolCharacters });
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.event('state', ({ state }) => state === 'idle');
    const [{ worker }] = workers as [EmulatedWorker];
    const [{ log }] = (worker as FleetWorker).sessions as [ConsoleSession];
    await client.ask('send', { content: 'go' }, { session });
    await client.event('line', isCliMessage('assistant'));
    nats.signal('SIGSTOP');
    isAway.resolve();
    await eventually(() => log.written > spoolCharacters);
    // Would it not wait now, nothing else could keep it from going on.
    await settle(1_000);
    expect(log.written).toBeLessThan(texts.join('').length);
    nats.signal('SIGCONT');
    await client.event('line', isCliMessage('result'));
    const said = client.events.map(eventIn).filter(isCliMessage('assistant'));
    expect(said).toHaveLength(texts.length);
  });

  test('the first write of an old owner is refused, its CLI ends, and none of its output is in the log', async () => {
    const { server, root, workers, engine } = await startFleet([tools]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: 'work' }, { session });
    await client.event('state', ({ state }) => state === 'needs-you');
    const own = await openEngine(engine);
    const before = await lastEpoch(own, session);
    await takeEpoch(own, session, { worker: 'somebody', after: before?.sequence ?? 0 });
    const seen = client.events.length;
    void client.command('send', { content: 'Zombie' }, { session });
    await expect.poll(() => workers[0]?.worker.facts.used).toBe(0);
    await own.close();
    expect(client.events.slice(seen)).toEqual([]);
  });
});
