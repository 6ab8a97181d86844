import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { Names } from '../../src/server/fleet/nats/names.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startTestGateway } from '../support/fleet.js';
import { workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsServer } from '../support/nats/nats-server.js';
import { noSmallDisk, smallDiskServer } from '../support/nats/small-disk.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('a NATS server that answers and stores nothing', () => {
  test('because its disk is full: commands fail, and all is there when the disk has room and it was restarted', async ({
    skip,
  }) => {
    const noDisk = noSmallDisk();
    if (noDisk !== '') skip(noDisk);
    const server = await smallDiskServer(16);
    const root = await temporaryFolder();
    await workerProcess({ nats: server.url, root, leaseSeconds: 120 });
    const gateway = await startTestGateway({ fleet: { nats: server.url } });
    const talk = await FleetTalk.open(gateway, { cwd: root, nats: server.url });
    await talk.say(100, 30);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 100'));
    server.fill();
    // The last page of a file may have room for some, or for a command and not for what it changed.
    const renameUntilFull = async () => {
      for (;;) await talk.client.ask('rename', { title: 'full' }, { session: talk.session });
    };
    await expect(renameUntilFull()).rejects.toThrow(
      /STORE_FAILED "rename" was (?:not run|run, but what it changed is not stored yet): /,
    );
    server.free();
    await server.stop();
    await server.start();
    await talk.until(({ event }) => JSON.stringify(event).includes('100 of 100'));
    await talk.until(({ event }) => JSON.stringify(event).includes('"kind":"note","level":"error"'));
    await talk.talk(3);
    expect(await talk.owners()).toHaveLength(1);
    expect(await talk.problems()).toEqual([]);
  });
});

withNats('a worker that never answers', () => {
  test('costs a command 16 minutes, and the error says so', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    await workerProcess({ nats, root, leaseSeconds: 60 });
    const client = await BareClient.connect(await startTestGateway({ fleet: { nats }, clock }));
    const connection = await connect({ servers: nats });
    onTestFinished(() => connection.close());
    const id = randomUUID();
    const asked = new Promise<void>((resolve) => {
      connection.subscribe(new Names().bus(addresses.owner(id)), { callback: () => resolve() });
    });
    await connection.flush();
    const opened = client.command('open', { cwd: root, id });
    await asked;
    later = 17 * 60_000;
    expect(await opened).toMatchObject({
      ok: false,
      error: { code: 'FLEET_UNANSWERED', message: expect.stringContaining('16 minutes') },
    });
  });
});
