import { expect, test } from 'vitest';
import { failed, succeeded } from '../../../../src/server/console/commands/command-result.js';
import { addresses, type Engine, EngineError } from '../../../../src/server/fleet/engine/engine.js';
import { takeEpoch } from '../../../../src/server/fleet/engine/epochs.js';
import { CommandRecords } from '../../../../src/server/fleet/worker/command-records.js';
import {
  OwnedConversation,
  type OwnedParts,
} from '../../../../src/server/fleet/worker/owned-conversation.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

const by = { client: 'c', name: 'test', kind: 'program', role: 'operator', key: 'key' } as const;

const EARLIER = 'accepted by an earlier owner';

test.each(['asked now', EARLIER])(
  'a message is not refused while a later owner would run it: %s',
  async (id) => {
    const { world, connect } = makeServers();
    const client = connect();
    let isStoring = false;
    const engine = withoutResult(connect(), id, () => !isStoring);
    const send = (name: string) => ({ id: name, name: 'send', session: 's', params: { content: 'hello' } });
    const ask = () =>
      client.bus.request(addresses.owner('s'), JSON.stringify({ ...send(id), by }), 5_000).then(JSON.parse);
    await world.run(async () => {
      const before = await takeEpoch(engine, 's', { worker: 'one', after: 0 });
      await new CommandRecords(engine, before, world).accept(send(EARLIER), by);
      const run = async () => failed(new CoxswainError('CLI_ENDED', 'The CLI ended.'));
      const owned = await own({ engine, clock: world, run }, before.sequence);
      await owned.listen();
      void owned.finishEarlier(() => false).finally(() => owned.ready());
      await expect(ask()).rejects.toMatchObject({ why: 'unready' });
      isStoring = true;
      expect(await ask()).toMatchObject({ ok: false });
      owned.close();
    });
  },
);

/** A conversation without a session, after the epoch of an earlier owner. */
async function own(
  parts: Pick<OwnedParts, 'engine' | 'clock' | 'run'>,
  after = 0,
): Promise<OwnedConversation> {
  return new OwnedConversation({
    ...parts,
    worker: 'own',
    epoch: await takeEpoch(parts.engine, 's', { worker: 'own', after }),
    series: 'a',
    left: { record: undefined, revision: 0 },
    disk: () => undefined,
    onDeleted: async () => {},
    onGone: () => {},
    onFenced: () => {},
  });
}

/** An engine that stores everything but the result of one command. */
function withoutResult(engine: Engine, id: string, isAway: () => boolean): Engine {
  const append: Engine['logs']['append'] = async (key, text, how) => {
    if (isAway() && text.includes(`"id":"${id}","state":"done"`)) throw new EngineError('unready', 'away');
    return engine.logs.append(key, text, how);
  };
  return { ...engine, logs: { ...engine.logs, append } };
}

test('an owner that cannot tell whether a command ran says so, and tells the next time', async () => {
  const { world, connect } = makeServers();
  const [client, engine] = [connect(), connect()];
  const results = [Promise.reject(new TypeError('unforeseen')), Promise.resolve(succeeded({}))];
  results[0]?.catch(() => {});
  const rename = JSON.stringify({ id: 'r', name: 'rename', session: 's', params: { title: 'new' }, by });
  const ask = (text = rename) => client.bus.request(addresses.owner('s'), text, 5_000).then(JSON.parse);
  const unanswered = { ok: false, error: { code: 'FLEET_UNANSWERED' } };
  await world.run(async () => {
    const run = () => results.shift() ?? Promise.reject(new Error('It ran twice.'));
    const owned = await own({ engine, clock: world, run });
    await owned.listen();
    owned.ready();
    expect(await ask()).toMatchObject(unanswered);
    expect(await ask()).toMatchObject({ ok: true });
    expect(await ask()).toMatchObject({ ok: true });
    // Its text was too long for a message, and is gone.
    expect(await ask('{"blob":"messages/gone"}')).toMatchObject(unanswered);
    owned.close();
  });
});

test('nothing listens for a conversation that was closed while it learned what was accepted', async () => {
  const { world, servers, connect } = makeServers();
  const engine = connect();
  await world.run(async () => {
    const owned = await own({ engine, clock: world, run: async () => succeeded({}) });
    const listening = owned.listen();
    owned.close();
    await expect(listening).rejects.toMatchObject({ code: 'FLEET_FENCED' });
    await world.sleep(1_000);
    expect(servers.used).toBe(0);
  });
});
