import { expect, onTestFinished, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { lastEpoch } from '../../src/server/fleet/engine/epochs.js';
import { StoredLog } from '../../src/server/fleet/log/stored-log.js';
import { type NatsEngine, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { BareClient, eventIn, isCliMessage } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { startEmulatedWorker, startFleet, type TestFleet } from '../support/fleet.js';
import { withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

withNats('beside a newer version', () => {
  test('a record that only it can read is left alone: not listed, not taken over', async () => {
    const { fleet, own, session, client } = await released();
    const entry = await own.sessions.get(session);
    await own.sessions.put(session, JSON.stringify({ ...entry?.json<object>(), format: 2 }));
    await client.ever(({ type, session: removed }) => type === 'session-removed' && removed === session);
    const before = await lastEpoch(own, session);
    await startEmulatedWorker(chat, { ...fleet.engine, root: fleet.root });
    const text = 'A newer version of Coxswain has this conversation.';
    expect(await asked(own, session)).toEqual({ ok: false, text });
    expect(await lastEpoch(own, session)).toEqual(before);
    expect((await own.sessions.get(session))?.json()).toMatchObject({ format: 2 });
  });

  test('a conversation that it owns in a way that only it can read is left alone', async () => {
    const { fleet, own, session } = await released();
    await own.js.publish(own.names.epoch(session), JSON.stringify({ format: 2, worker: 'newer' }));
    const before = await lastEpoch(own, session);
    await startEmulatedWorker(chat, { ...fleet.engine, root: fleet.root });
    const text = 'A newer version of Coxswain has this conversation.';
    expect(await asked(own, session)).toEqual({ ok: false, text });
    expect(await lastEpoch(own, session)).toEqual(before);
  });

  test('a part of a log that only it can read is shown as such, and no older worker continues from there', async () => {
    const { fleet, own, session, client } = await released();
    const last = (await new StoredLog(own, session).ends())?.last ?? 0;
    const headers = own.clients.core.headers();
    const facts = { 'Cox-Format': '2', 'Cox-First': String(last + 1), 'Cox-Last': String(last + 3) };
    for (const [name, value] of Object.entries(facts)) headers.set(name, value);
    await own.js.publish(own.names.events(session), 'something else', { headers });
    const note = { kind: 'note', code: 'STORE_TOO_NEW', level: 'warning' };
    expect(eventIn(await client.event('note'))).toMatchObject(note);
    const late = await BareClient.connect(fleet.server);
    late.attach(session);
    await late.event('line', isCliMessage('result'));
    const told = await late.event('note');
    expect(eventIn(told)).toMatchObject(note);
    expect(told.n).toBe(last + 3);
    const before = await lastEpoch(own, session);
    await startEmulatedWorker(chat, { ...fleet.engine, root: fleet.root });
    expect(await asked(own, session)).toMatchObject({
      ok: false,
      text: expect.stringContaining('newer version'),
    });
    expect(await lastEpoch(own, session)).toEqual(before);
    const sent = await client.command('send', { content: 'hello' }, { session });
    expect(sent).toMatchObject({ ok: false, error: { code: 'FLEET_NO_WORKER' } });
  });

  test('a conversation that an older worker cannot read goes to a newer one', async () => {
    const { fleet, own, session } = await released();
    const entry = await own.sessions.get(session);
    await own.sessions.put(session, JSON.stringify({ ...entry?.json<object>(), format: 2 }));
    const { worker: older } = await startEmulatedWorker(chat, {
      ...fleet.engine,
      root: fleet.root,
      slots: 9,
    });
    // Its facts contain something that this version does not know.
    const newer = { ...older.facts, worker: 'newer', format: 2, slots: 5, moods: ['good'] };
    own.connection.subscribe(own.names.bus(addresses.worker('newer')), {
      callback: (_error, message) => void message.respond('{"ok":true,"used":1,"mood":"good"}'),
    });
    await own.workers.put('newer', JSON.stringify(newer));
    expect(await asked(own, session)).toEqual({ ok: true, worker: 'newer' });
  });
});

/** A conversation with messages and no worker. */
async function released(): Promise<{
  readonly fleet: TestFleet;
  readonly own: NatsEngine;
  readonly session: string;
  readonly client: BareClient;
}> {
  const fleet = await startFleet([chat]);
  const own = await openEngine(fleet.engine);
  onTestFinished(() => own.close());
  const client = await BareClient.connect(fleet.server);
  const { session } = await client.ask('open', { cwd: fleet.root });
  client.attach(session);
  await client.ask('send', { content: 'hello' }, { session });
  await client.event('line', isCliMessage('result'));
  await fleet.workers[0]?.worker.drain();
  await client.event('state', ({ state }) => state === 'parked');
  return { fleet, own, session, client };
}

/** What the worker that places conversations answers, once there is one. */
async function asked(own: NatsEngine, session: string): Promise<unknown> {
  let answer: unknown;
  await eventually(async () => {
    answer = await own.connection
      .request(own.names.bus(addresses.placer), JSON.stringify({ session }), { timeout: 5_000 })
      .then(
        (message) => message.json(),
        () => undefined,
      );
    return answer !== undefined;
  });
  return answer;
}
