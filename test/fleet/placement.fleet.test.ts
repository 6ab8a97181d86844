import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { lastEpoch, takeEpoch } from '../../src/server/fleet/engine/epochs.js';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import type { PlaceRequest } from '../../src/server/fleet/placement/placer.js';
import { BareClient, isCliMessage, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startFleet, startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const asks = () => [
  onUser(undefined, () => [useTool('Bash', { command: 'ls' }, { ask: true }), say('Done.')], {
    times: 'any' as const,
  }),
];

withNats('placement', () => {
  test('respects labels and the CLI version, over a socket and HTTP; without such a worker, a conversation is refused', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const plain = await startEmulatedWorker(chat, { nats, root, cliVersion: '2.0.73' });
    const labelled = await startEmulatedWorker(chat, { nats, root, cliVersion: '2.1.326', labels: ['gpu'] });
    const server = await startTestGateway({ fleet: { nats } });
    const client = await BareClient.connect(server);
    const started = () => [plain.clis.length, labelled.clis.length];
    await client.ask('open', { cwd: root, place: { labels: ['gpu'] } });
    expect(started()).toEqual([0, 1]);
    await client.ask('open', { cwd: root, place: { cli: '2.0' } });
    expect(started()).toEqual([1, 1]);
    const opened = await fetch(`${server.origin}/api/v1/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ cwd: root, place: { cli: '2.1.326', priority: 3 } }),
    });
    expect(opened.status).toBe(201);
    expect(started()).toEqual([1, 2]);
    const refused = await client.command('open', {
      cwd: root,
      place: { labels: ['gpu', 'tpu'], cli: '2.2' },
    });
    expect(refused).toMatchObject({ ok: false, error: { code: 'FLEET_NO_WORKER' } });
    expect(JSON.stringify(refused)).toContain(
      'There is no worker with the label \\"gpu\\" and the label \\"tpu\\" and the CLI 2.2.',
    );
    expect(started()).toEqual([1, 2]);
  });

  test('lets clients add to a gateway’s restrictions, but not remove any', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const one = await startEmulatedWorker(chat, { nats, root, labels: ['gpu'] });
    const two = await startEmulatedWorker(chat, { nats, root, labels: ['gpu', 'eu'] });
    const place = { priority: 0, labels: ['eu'] };
    const server = await startTestGateway({ fleet: { nats }, place });
    const client = await BareClient.connect(server);
    for (const labels of [[], ['gpu']]) await client.ask('open', { cwd: root, place: { labels } });
    expect([one.clis.length, two.clis.length]).toEqual([0, 2]);
  });

  test('serves the higher priority first if slots are scarce, and an idle CLI makes room', async () => {
    const { server, root, engine, workers } = await startFleet([asks], { slots: 1 });
    const own = await openEngine(engine);
    const queued = new Set<string>();
    own.connection.subscribe(own.names.bus(addresses.placer), {
      callback: (_error, message) => void queued.add(message.json<PlaceRequest>().session),
    });
    await own.connection.flush();
    const client = await BareClient.connect(server);
    const busy = await working(client, root);
    queued.clear();
    const order: string[] = [];
    const later = working(client, root, { priority: 0 }).then(
      ({ session }) => order.push(session) && session,
    );
    await expect.poll(() => queued.size).toBe(1);
    const sooner = working(client, root, { priority: 5 }).then((opened) => {
      order.push(opened.session);
      return opened;
    });
    await expect.poll(() => queued.size).toBe(2);
    expect(order).toEqual([]);
    await client.ask('answer', { prompt: busy.prompt, answer: { answer: 'allow' } }, busy);
    const first = await sooner;
    expect(order).toEqual([first.session]);
    await client.ask('answer', { prompt: first.prompt, answer: { answer: 'allow' } }, first);
    expect(order).toEqual([first.session, await later]);
    expect(workers[0]?.clis).toHaveLength(3);
    await own.close();
  });

  test('offers a conversation again to a worker that should have it but does not', async () => {
    const { server, root, engine, workers } = await startFleet([chat]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    const own = await openEngine(engine);
    const before = await lastEpoch(own, session);
    await takeEpoch(own, session, { worker: 'somebody', after: before?.sequence ?? 0 });
    await own.close();
    await client.ask('send', { content: 'hello' }, { session });
    await client.event('line', isCliMessage('result'));
    expect(workers[0]?.clis).toHaveLength(2);
  });
});

/** Opens a conversation whose turn waits for an answer. */
async function working(
  client: BareClient,
  cwd: string,
  place?: { readonly priority: number },
): Promise<{ readonly session: string; readonly prompt: string }> {
  const { session } = await client.ask('open', { cwd, place });
  await client.ask('send', { content: 'go' }, { session });
  const asking = await client.ever(({ type, session: each }) => {
    const { id, prompts } = (each ?? {}) as { id?: string; prompts?: unknown[] };
    return type === 'session' && id === session && prompts?.length === 1;
  });
  const { prompts } = asking.session as { prompts: readonly { id: string }[] };
  return { session, prompt: String(prompts[0]?.id) };
}
