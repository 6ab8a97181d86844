import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient, eventIn, isCliMessage, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startFleet, startTestGateway, type TestFleet } from '../support/fleet.js';
import { keptLog } from '../support/kept-log.js';
import { withNats } from '../support/nats/with-nats.js';

const talks = () => [onUser(undefined, [say('yes'), done('yes')], { times: 'any' })];

withNats('a fleet whose NATS has gone back to an older store', () => {
  test('loses nothing of a live worker: it stores again what is missing, and viewers start over at most', async () => {
    const { client, session, turn, ...fleet } = await conversation();
    await turn('one');
    const restore = await backup(fleet);
    await turn('two');
    await restore();
    await turn('three');
    const { lines } = await keptLog(fleet.nats.url, session);
    const numbers = lines.map(({ n }) => n);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    const texts = JSON.stringify(lines);
    for (const text of ['"one"', '"two"', '"three"', 'FLEET_LOG_LOST']) expect(texts).toContain(text);
    // A reader that is ahead of the store may miss what is stored again.
    expect(resetsOf(client).length).toBeLessThanOrEqual(1);
    const late = await BareClient.connect(await startTestGateway({ fleet: fleet.engine }));
    late.attach(session);
    const { n } = client.events.at(-1) ?? {};
    await late.ever((message) => message.n === n);
    expect(resetsOf(late)).toEqual([]);
  });

  test('resets viewers of a conversation whose worker is gone too, also those that come back with a position', async () => {
    const { client, session, turn, ...fleet } = await conversation(undefined, { leaseSeconds: 3 });
    await turn('one');
    const before = positionOf(client);
    const restore = await backup(fleet);
    await turn('two');
    const after = positionOf(client);
    await fleet.workers[0]?.worker.close();
    await restore();
    await startEmulatedWorker(talks, { ...fleet.engine, root: fleet.root });
    await turn('three');
    expect(resetsOf(client)).toHaveLength(1);
    const end = client.events.at(-1)?.n;
    const server = await startTestGateway({ fleet: fleet.engine });
    const [good, bad] = [await BareClient.connect(server), await BareClient.connect(server)];
    good.say({ type: 'attach', session, ...before });
    bad.say({ type: 'attach', session, ...after });
    await Promise.all([good, bad].map((each) => each.ever((message) => message.n === end)));
    expect([resetsOf(good).length, resetsOf(bad).length]).toEqual([0, 1]);
    const ids = await fetch(`${server.origin}/api/v1/conversations/${session}/events?until=settled`, {
      headers: {
        authorization: `Bearer ${server.token}`,
        'last-event-id': `${after.after}@${after.kept}-${after.series}`,
      },
    });
    expect(await ids.text()).toContain('"reset":true');
  });
});

async function conversation(given?: TestFleet, options: { readonly leaseSeconds?: number } = {}) {
  const fleet = given ?? (await startFleet([talks], options));
  const client = await BareClient.connect(fleet.server);
  const { session } = await client.ask('open', { cwd: fleet.root });
  client.attach(String(session));
  const turn = async (content: string) => {
    const { uuid } = await client.ask('send', { content }, { session });
    await client.ever((message) => {
      const event = message.type === 'event' ? eventIn(message) : {};
      return event.kind === 'settled' && event.uuid === uuid;
    });
  };
  return { ...fleet, client, session: String(session), turn };
}

/** Copies the store of a server; the returned function puts the copy in its place. */
async function backup({ nats }: Pick<TestFleet, 'nats'>): Promise<() => Promise<void>> {
  const copy = join(await temporaryFolder(), 'copy');
  const while_ = async (work: () => Promise<void>) => {
    await nats.stop();
    await work();
    await nats.start();
  };
  await while_(() => cp(nats.storeDir, copy, { recursive: true }));
  return () =>
    while_(async () => {
      await rm(nats.storeDir, { recursive: true });
      await cp(copy, nats.storeDir, { recursive: true });
    });
}

function resetsOf({ messages }: BareClient): readonly WireObject[] {
  return messages.filter(({ type, reset }) => type === 'attached' && reset === true);
}

/** Where a client is, as a remote client counts. */
function positionOf({ messages }: BareClient) {
  const events = messages.filter(({ type }) => type === 'event');
  const after = Number(events.at(-1)?.n);
  const kept = Number(events.findLast((event) => !isCliMessage('stream_event')(eventIn(event)))?.n);
  const { series } = messages.findLast(({ type }) => type === 'attached') ?? {};
  return { after, kept, series: String(series) };
}
