import { expect, test } from 'vitest';
import { rateLimitEvent } from '../../src/lab/testing/builders/system.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('usage limits', () => {
  test('that one worker hears of hold back new work on another', async () => {
    const resetsAt = Math.ceil(Date.now() / 1_000) + 3_600;
    const unifiedWindows = { five_hour: { utilization: 0.95, resetsAt } };
    const report = rateLimitEvent({ status: 'allowed', utilization: undefined, unifiedWindows });
    const reports = () => [onUser(undefined, [send(report), say('ok')], { times: 'any' as const })];
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const start = (label: string) =>
      startEmulatedWorker(reports, { nats, root, labels: [label], holdAbove: 0.9 });
    const workers = [await start('one'), await start('two')];
    const server = await startTestGateway({ fleet: { nats } });
    const client = await BareClient.connect(server);
    const { session: first } = await client.ask('open', { cwd: root, place: { labels: ['one'] } });
    await client.ask('send', { content: 'now' }, { session: first });
    await client.summary(({ id, limits }) => id === first && limits !== undefined);
    const { session: second } = await client.ask('open', { cwd: root, place: { labels: ['two'] } });
    await client.ask('send', { content: 'later' }, { session: second });
    await client.summary(({ id, state }) => id === second && state === 'limited');
    expect(workers.map(({ clis }) => clis.length)).toEqual([1, 1]);
  });
});
