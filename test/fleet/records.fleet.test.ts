import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { OpenParams } from '../../src/entry/remote/contract.js';
import { failed } from '../../src/server/console/commands/command-result.js';
import type { ConsoleSession } from '../../src/server/console/sessions/console-session.js';
import { newSummary } from '../../src/server/console/sessions/new-summary.js';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { type Epoch, endEpoch, lastEpoch, takeEpoch } from '../../src/server/fleet/engine/epochs.js';
import { type NatsEngine, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { ANYWHERE, type FleetRecord } from '../../src/server/fleet/record.js';
import { CarriedState } from '../../src/server/fleet/worker/carried-state.js';
import { OwnedConversation } from '../../src/server/fleet/worker/owned-conversation.js';
import { leftRecord, RecordKeeper } from '../../src/server/fleet/worker/record-keeper.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { transcriptLines, WrittenTranscripts } from '../support/written-transcripts.js';

const by = { client: randomUUID(), name: 'test', kind: 'program', role: 'operator', key: 'key' } as const;

withNats('the record of a removed conversation', () => {
  test('is not written again by an old owner that had written it', async () => {
    const { own, record } = await conversation();
    const old = await own('one');
    await old.keeper.write();
    const young = await own('two');
    await young.keeper.write();
    await young.keeper.delete();
    await old.keeper.write();
    expect(await record()).toBeUndefined();
    expect(old.isFenced()).toBe(true);
  });

  test('is not written by an old owner that had written none, even if nothing of the conversation is left', async () => {
    const { own, record, forget } = await conversation();
    const olds = [await own('one'), await own('another')];
    const young = await own('two');
    await young.keeper.write();
    await young.keeper.delete();
    await olds[0]?.keeper.write();
    await forget();
    await olds[1]?.keeper.write();
    expect(await record()).toBeUndefined();
    expect(olds.map((old) => old.isFenced())).toEqual([true, true]);
  });

  test('is written again if the conversation is reopened, even if the marker of the old one expires meanwhile', async () => {
    const { own, record, forget } = await conversation();
    const old = await own('one');
    await old.keeper.write();
    await old.keeper.delete();
    const young = await own('two');
    await forget();
    await young.keeper.write();
    expect(await record()).toMatchObject({ worker: 'two' });
    expect(young.isFenced()).toBe(false);
  });
});

withNats('the record of a conversation', () => {
  test('is not written by an old owner if a newer version has it', async () => {
    const { engine, session, own } = await conversation();
    const old = await own('one');
    await old.keeper.write();
    const theirs = { format: 2, by: 'somebody newer' };
    await engine.sessions.put(session, JSON.stringify(theirs));
    await old.keeper.write();
    expect(old.isFenced()).toBe(true);
    expect((await engine.sessions.get(session))?.json()).toEqual(theirs);
  });
});

withNats('the transcript of a conversation', () => {
  test('is not saved by an old owner, and not after the conversation was removed', async () => {
    const { engine, session, own } = await conversation();
    const machine = new WrittenTranscripts();
    const id = randomUUID();
    const carried = new CarriedState(engine, { nats: '', configDir: machine.configDir });
    const notes: string[] = [];
    const note = (_level: string, code: string, text: string) => notes.push(`${code} ${text}`);
    const summary = { conversation: id, cwd: machine.cwd };
    const talk = { id: session, summary, note } as unknown as ConsoleSession;
    const save = ({ epoch }: Awaited<ReturnType<typeof own>>) =>
      carried.save(talk, { id: session, epoch: epoch.sequence });
    machine.write(`${id}.jsonl`, transcriptLines(1, 1));
    const old = await own('one');
    await save(old);
    expect([notes, (await engine.transcripts.names()).length]).toEqual([[], 2]);
    const again = { clock: systemClock, signal: AbortSignal.timeout(60_000) };
    await endEpoch(engine, (await own('two')).epoch, again);
    await carried.remove(session, id);
    machine.append(`${id}.jsonl`, transcriptLines(2, 1));
    await save(old);
    expect(await engine.transcripts.names()).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^FLEET_NOT_SAVED .*Another worker has/)]);
  });
});

withNats('a conversation that is being removed', () => {
  test('stays as the new owner has it, if another worker has taken it meanwhile', async () => {
    const { engine, session, own, record } = await conversation();
    const { epoch, keeper } = await own('one');
    await keeper.write();
    const { ask, fenced } = await served(engine, epoch, async () => {
      const young = await own('two');
      await young.keeper.write();
      return true;
    });
    // A former owner does not answer.
    ask('remove').catch(() => {});
    await fenced;
    expect(await record()).toMatchObject({ worker: 'two' });
    expect(await lastEpoch(engine, session)).toMatchObject({ worker: 'two' });
  });

  test('is gone although another command came meanwhile', async () => {
    const { engine, session, own, record } = await conversation();
    const { epoch, keeper } = await own('one');
    await keeper.write();
    const { ask, gone, owned } = await served(engine, epoch, async (name) => {
      if (name !== 'remove') return true;
      await ask('interrupt');
      // As a worker does when the session is gone from its list.
      await owned.release();
      return true;
    });
    expect(await ask('remove')).toMatchObject({ ok: true });
    await gone;
    expect(await record()).toBeUndefined();
    expect(await lastEpoch(engine, session)).toBeUndefined();
  });

  test('is gone when NATS is back, if that goes away meanwhile', async () => {
    const { server, engine, session, own, record } = await conversation();
    const { epoch, keeper } = await own('one');
    await keeper.write();
    const { ask, gone } = await served(engine, epoch, async () => {
      await server.kill();
      void server.start();
      return true;
    });
    ask('remove').catch(() => {});
    await gone;
    expect(await record()).toBeUndefined();
    expect(await lastEpoch(engine, session)).toBeUndefined();
  });

  test('leaves nothing if somebody asks for it once more', async () => {
    const { engine, session, own } = await conversation();
    const { epoch } = await own('one');
    const { ask, gone } = await served(engine, epoch, async () => false);
    expect(await ask('remove')).toMatchObject({ ok: false });
    await gone;
    const filter = { subjects_filter: engine.names.everything(session) };
    const { state } = await engine.jsm.streams.info(engine.names.streamOf(session), filter);
    expect(state.subjects ?? {}).toEqual({});
  });
});

/** A worker's side of a conversation; `run` says whether a command succeeds. */
async function served(engine: NatsEngine, epoch: Epoch, run: (name: string) => Promise<boolean>) {
  const [gone, fenced] = [deferred<void>(), deferred<void>()];
  const { session } = epoch;
  const owned = new OwnedConversation({
    engine,
    clock: systemClock,
    worker: 'one',
    epoch,
    series: 'a',
    left: await leftRecord(engine, session),
    run: async ({ name }) => ((await run(name)) ? { ok: true, value: {} } : failed(new Error('It fails.'))),
    disk: () => undefined,
    onGone: () => gone.resolve(),
    onFenced: () => fenced.resolve(),
    onDeleted: async () => {},
  });
  onTestFinished(() => owned.close());
  await owned.listen();
  owned.ready();
  const ask = async (name: string): Promise<unknown> => {
    const text = JSON.stringify({ id: randomUUID(), name, session, params: {}, by });
    return JSON.parse(await engine.bus.request(addresses.owner(session), text, 20_000));
  };
  return { ask, owned, gone: gone.promise, fenced: fenced.promise };
}

/** A conversation, and workers that own it one after the other. */
async function conversation() {
  const server = await natsServer();
  const engine = await openEngine({ nats: server.url });
  onTestFinished(() => engine.close());
  const session = randomUUID();
  const own = async (worker: string) => {
    const after = (await lastEpoch(engine, session))?.sequence ?? 0;
    const epoch = await takeEpoch(engine, session, { worker, after });
    const left = await leftRecord(engine, session);
    let isFenced = false;
    let changes = 0;
    const keeper = new RecordKeeper({
      engine,
      epoch,
      clock: systemClock,
      left,
      record: () => {
        changes += 1;
        return { ...recordOf(session, worker, epoch.sequence), starts: changes };
      },
      flushed: async () => {},
      onFenced: () => {
        isFenced = true;
      },
    });
    onTestFinished(() => keeper.close());
    return { epoch, keeper, isFenced: () => isFenced };
  };
  const record = async () => (await leftRecord(engine, session)).record;
  /** As if the marker of the deleted record had expired. */
  const forget = () =>
    engine.jsm.streams.purge(`KV_${engine.names.sessions}`, {
      filter: `$KV.${engine.names.sessions}.${session}`,
    });
  return { server, engine, session, own, record, forget };
}

function recordOf(session: string, worker: string, epoch: number): FleetRecord {
  const opened: OpenParams = { cwd: '/' };
  const limits = { now: 0, sessionBudgetUsd: undefined, repository: undefined };
  const made = newSummary(session, opened, { ...by, kind: 'page' }, limits);
  const summary = { ...made, state: 'idle', last: 1 } as const;
  return { format: 1, epoch, worker, summary, opened, place: ANYWHERE, starts: 0 };
}
