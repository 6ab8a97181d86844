import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { BareClient, temporaryFolder } from '../support/console.js';
import { gatewayProcess, workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { keptLog } from '../support/kept-log.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

withNats('a gateway that fails', () => {
  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'by %s: the conversation goes on, and another gateway tells all of it',
    async (signal) => {
      const { nats, first, second, talk } = await fleetWithGateways();
      await talk.talk(3);
      await talk.say(60, 20);
      await talk.until(({ event }) => JSON.stringify(event).includes('3 of 60'));
      first.signal(signal);
      const seen = talk.client.numbers.at(-1) ?? 0;
      const late = await BareClient.connect(second);
      late.attach(talk.session, seen);
      await late.ever(({ event }) => JSON.stringify(event ?? '').includes('60 of 60'));
      const next = new FleetTalk(late, talk.session, nats);
      await next.talk(2);
      next.accepted.push(...talk.accepted);
      expect(late.numbers.every((n) => n > seen)).toBe(true);
      expect(await next.problems()).toEqual([]);
    },
  );

  test('by losing its connection: it tells what was said meanwhile when it is back', async () => {
    const server = await natsServer();
    const root = await temporaryFolder();
    await workerProcess({ nats: server.url, root, leaseSeconds: 60 });
    const proxy = await createProxy(server.port);
    const gateway = await gatewayProcess(`nats://127.0.0.1:${proxy.port}`);
    const talk = await FleetTalk.open(gateway, { cwd: root, nats: server.url });
    await talk.say(60, 20);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 60'));
    proxy.hold();
    await vi.waitFor(
      async () => expect(JSON.stringify(await keptLog(server.url, talk.session))).toContain('60 of 60'),
      { timeout: 60_000, interval: 500 },
    );
    proxy.release();
    await talk.until(({ event }) => JSON.stringify(event).includes('60 of 60'));
    await talk.talk(2);
    expect(await talk.problems()).toEqual([]);
  });

  test('in the middle of commands: whoever sends them again, by any gateway, has each of them done once', async () => {
    const { nats, first, second, talk } = await fleetWithGateways();
    await talk.talk(1);
    const late = await BareClient.connect(second);
    late.attach(talk.session);
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const send = (client: BareClient, id: string) =>
      client.ask('send', { content: `count 1 every 1 ${id}` }, { session: talk.session, id });
    for (const id of ids) void send(talk.client, id).catch(() => {});
    first.signal('SIGKILL');
    await Promise.all(ids.map((id) => send(late, id)));
    for (const id of ids)
      await late.ever(({ event }) => JSON.stringify(event ?? '').includes(`1 of 1: count 1 every 1 ${id}`));
    const again = new FleetTalk(late, talk.session, nats);
    again.accepted.push(...talk.accepted, ...ids);
    expect(await again.problems()).toEqual([]);
  });
});

async function fleetWithGateways() {
  const { url: nats } = await natsServer();
  const root = await temporaryFolder();
  await workerProcess({ nats, root, leaseSeconds: 60 });
  const [first, second] = [await gatewayProcess(nats), await gatewayProcess(nats)];
  const talk = await FleetTalk.open(first, { cwd: root, nats });
  return { nats, first, second, talk };
}
