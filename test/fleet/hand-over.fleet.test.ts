import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryStore } from '../../src/host/transcripts/memory-store.js';
import { projectKeyOf } from '../../src/host/transcripts/project-folders.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { Names } from '../../src/server/fleet/nats/names.js';
import type { FleetRecord } from '../../src/server/fleet/record.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { BareClient, eventIn, isCliMessage, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';
import { transcriptLines } from '../support/written-transcripts.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const names = new Names();

withNats('a conversation that goes to another worker', () => {
  test('is at no time recorded as ended, so whoever comes next goes on too', async () => {
    const { url: nats, port } = await natsServer();
    const root = await temporaryFolder();
    // Long enough that a busy machine renews it while the others start.
    const first = await workerProcess({ nats, root, leaseSeconds: 10 });
    const talk = await FleetTalk.open(await startTestGateway({ fleet: { nats } }), { cwd: root, nats });
    const slow = await createProxy(port);
    const second = await workerProcess({ nats: `nats://127.0.0.1:${slow.port}`, root, leaseSeconds: 60 });
    const records = await recordsOf(nats, talk.session);
    // It writes the record while it still learns what was accepted.
    slow.slow(100);
    first.signal('SIGKILL');
    const worker = await second.heard('worker');
    const states: string[] = [];
    for await (const record of records) {
      if (record.worker === worker) states.push(record.summary.state);
      if (states.at(-1) === 'parked') break;
    }
    expect(states).toContain('starting');
    expect(states).not.toContain('ended');
  });

  test('has its messages in the log, and that a CLI is about to get them, before the CLI has them', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    await workerProcess({ nats, root, leaseSeconds: 60 });
    const talk = await FleetTalk.open(await startTestGateway({ fleet: { nats } }), { cwd: root, nats });
    await talk.say(1_000, 50);
    await talk.until(({ event }) => JSON.stringify(event).includes('1 of 1000'));
    // A CLI that is busy is given it at once.
    const id = await talk.say(1);
    await talk.until(({ event }) => JSON.stringify(event).includes(`"uuid":"${id}"`));
    const writes = await writesAbout(await connected(nats), talk.session, id);
    expect(writes[0]).toContain(`"kind":"queued","uuid":"${id}"`);
    const given = '"from":"host","frame":{"type":"user"';
    const handed = writes.findIndex((write) => write.includes(`"kind":"handed","uuid":"${id}"`));
    expect(handed).toBeGreaterThanOrEqual(0);
    expect(writes.slice(0, handed + 1).join()).not.toContain(given);
    await talk.until(
      ({ event }) => JSON.stringify(event).includes(given) && JSON.stringify(event).includes(id),
    );
  });

  test('gets no more turns where it is drained once it is parked there', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const store = new SlowStore();
    const one = await startEmulatedWorker(chat, { nats, root, transcripts: store });
    const client = await BareClient.connect(await startTestGateway({ fleet: { nats } }));
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: 'hello' }, { session });
    const result = eventIn(await client.event('line', isCliMessage('result')));
    await writeTranscript(root, String((result.frame as { session_id?: unknown }).session_id));
    await startEmulatedWorker(chat, { nats, root });
    store.hold();
    const drained = one.worker.drain();
    await client.event('state', ({ state }) => state === 'parked');
    const asked = requestsToPlace(await connected(nats));
    const sent = client.ask('send', { content: 'more' }, { session });
    await Promise.race([client.event('queued'), asked]);
    store.release();
    await Promise.all([drained, sent]);
    expect(one.clis).toHaveLength(1);
    await client.event('line', isCliMessage('result'));
  });
});

/** A store that can be made to wait. */
class SlowStore extends MemoryStore {
  #held = deferred<void>();

  constructor() {
    super();
    this.release();
  }

  hold(): void {
    this.#held = deferred();
  }

  release(): void {
    this.#held.resolve();
  }

  override async append(...given: Parameters<MemoryStore['append']>): Promise<void> {
    await this.#held.promise;
    return super.append(...given);
  }
}

async function writeTranscript(root: string, conversation: string): Promise<void> {
  const folder = join(root, 'projects', projectKeyOf(await realpath(root)));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${conversation}.jsonl`), transcriptLines(1, 3));
}

async function connected(nats: string): Promise<NatsConnection> {
  const connection = await connect({ servers: nats });
  onTestFinished(() => connection.close());
  return connection;
}

/** The next request for a worker. */
async function requestsToPlace(connection: NatsConnection): Promise<void> {
  for await (const _request of connection.subscribe(names.bus(addresses.placer))) return;
}

async function* recordsIn(records: AsyncIterable<{ json<T>(): T; readonly length: number }>) {
  for await (const entry of records) if (entry.length > 0) yield entry.json<FleetRecord>();
}

/** The record of a conversation as it is written from now on. */
async function recordsOf(nats: string, session: string): Promise<AsyncIterable<FleetRecord>> {
  const bucket = await new Kvm(await connected(nats)).open(names.sessions);
  return recordsIn(await bucket.watch({ key: session, include: 'updates' }));
}

/** The writes to a log that mention something. */
async function writesAbout(connection: NatsConnection, session: string, text: string): Promise<string[]> {
  const js = jetstream(connection);
  const consumer = await js.consumers.get(names.streamOf(session), {
    filter_subjects: names.events(session),
  });
  const { num_pending } = await consumer.info();
  const writes: string[] = [];
  for await (const message of await consumer.fetch({ max_messages: num_pending, expires: 30_000 }))
    if (message.string().includes(text)) writes.push(message.string());
  return writes;
}
