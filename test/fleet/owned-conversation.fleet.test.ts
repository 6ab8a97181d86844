import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { takeEpoch } from '../../src/server/fleet/engine/epochs.js';
import { natsEngine } from '../../src/server/fleet/nats/nats-engine.js';
import { type NatsEngine, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { CommandRecords } from '../../src/server/fleet/worker/command-records.js';
import { OwnedConversation } from '../../src/server/fleet/worker/owned-conversation.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const LONG = 'long '.repeat(220_000);
const by = { client: randomUUID(), name: 'test', kind: 'program', role: 'operator', key: 'key' } as const;

withNats('a conversation that a worker has taken over', () => {
  test('runs commands once it is restored, not before', async () => {
    const { owned, ask, ran, untilRecorded } = await takenOver();
    await owned.listen();
    const id = randomUUID();
    const answer = ask(id);
    await untilRecorded(id);
    await ask(randomUUID(), 'files');
    expect(ran).toEqual(['files']);
    owned.ready();
    await answer;
    expect(ran).toEqual(['files', 'send']);
  });

  test('sends a message that an earlier owner had accepted once, however often it is requested', async () => {
    const { owned, ask, ran, accepted } = await takenOver();
    await owned.listen();
    const answers = [ask(accepted), ask(accepted)];
    await owned.finishEarlier(() => false);
    owned.ready();
    for (const answer of await Promise.all([...answers, ask(accepted)]))
      expect(JSON.parse(answer)).toEqual({ type: 'done', id: accepted, ok: true });
    expect(ran).toEqual(['send']);
  });

  test('sends a message that is too long for one of NATS, if an earlier owner had accepted it', async () => {
    const { owned, contents, engine } = await takenOver(LONG);
    await owned.listen();
    await owned.finishEarlier(() => false);
    owned.ready();
    expect(contents).toEqual([LONG]);
    // The log has it now.
    await expect.poll(() => engine.blobs.names()).toEqual([]);
  });

  test('knows what was accepted even if a replica that lags is asked', async () => {
    const { owned, ran } = await takenOver('hello', (engine) => {
      const direct = Object.create(engine.jsm.direct, { getBatch: { value: async () => nothing() } });
      return natsEngine({ ...engine, jsm: Object.create(engine.jsm, { direct: { value: direct } }) });
    });
    await owned.listen();
    await owned.finishEarlier(() => false);
    expect(ran).toEqual(['send']);
  });

  test('does not resend a message that is in the log', async () => {
    const { owned, ask, ran, accepted } = await takenOver();
    await owned.listen();
    const answer = ask(accepted);
    await owned.finishEarlier((uuid) => uuid === accepted);
    owned.ready();
    expect(JSON.parse(await answer)).toMatchObject({ ok: true, value: { uuid: accepted } });
    expect(ran).toEqual([]);
  });
});

/** A conversation whose last owner accepted a message, and no more. */
async function takenOver(content = 'hello', seen = (engine: NatsEngine): NatsEngine => engine) {
  const opened = await openEngine({ nats: (await natsServer()).url });
  onTestFinished(() => opened.close());
  const engine = seen(opened);
  const [session, accepted] = [randomUUID(), randomUUID()];
  const before = await takeEpoch(engine, session, { worker: 'one', after: 0 });
  const send = (id: string, name: string) => ({ id, name, session, params: { content } });
  await new CommandRecords(engine, before, systemClock).accept(send(accepted, 'send'), by);
  const epoch = await takeEpoch(engine, session, { worker: 'two', after: before.sequence });
  const ran: string[] = [];
  const contents: unknown[] = [];
  const owned = new OwnedConversation({
    engine,
    clock: systemClock,
    worker: 'two',
    epoch,
    series: 'b',
    left: { record: undefined, revision: 0 },
    run: async ({ name, params }) => {
      ran.push(name);
      contents.push((params as { readonly content: unknown }).content);
      return { ok: true, value: undefined };
    },
    disk: () => undefined,
    onGone: () => {},
    onFenced: () => {},
    onDeleted: async () => {},
  });
  onTestFinished(() => owned.close());
  const ask = async (id: string, name = 'send') => {
    const text = JSON.stringify({ ...send(id, name), by });
    return engine.bus.request(addresses.owner(session), text, 30_000);
  };
  const untilRecorded = async (id: string) => {
    const found = async () =>
      JSON.parse((await engine.logs.last({ session, part: 'commands' }))?.text ?? '{}');
    await vi.waitFor(async () => expect(await found()).toMatchObject({ id }), 30_000);
  };
  return { owned, ask, ran, contents, accepted, untilRecorded, engine };
}

async function* nothing(): AsyncGenerator<never, void, undefined> {}
