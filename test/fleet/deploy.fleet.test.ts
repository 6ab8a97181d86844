import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { type NatsEngine, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { BareClient, isCliMessage, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { natsProgram, withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const WORKER = { user: 'worker', pass: 'w-secret' };
const GATEWAY = { user: 'gateway', pass: 'g-secret' };
const variables = {
  NATS_NAME: 'nats-1',
  NATS_WORKER_PASSWORD: WORKER.pass,
  NATS_GATEWAY_PASSWORD: GATEWAY.pass,
  NATS_ROUTE_PASSWORD: 'r-secret',
  NATS_ROUTES: '[nats://route:r-secret@nats-1:6222, nats://route:r-secret@nats-2:6222]',
};

withNats('the NATS configuration in deploy', () => {
  test('is accepted by a server', () => {
    const options = { env: { ...process.env, ...variables }, encoding: 'utf8', stdio: 'pipe' } as const;
    expect(() => execFileSync(natsProgram ?? '', ['-t', '-c', 'deploy/nats.conf'], options)).not.toThrow();
  });

  test('gives workers and gateways what they need, and gateways no right to change what is stored', async () => {
    for (const [name, value] of Object.entries(variables)) {
      process.env[name] = value;
      onTestFinished(() => {
        delete process.env[name];
      });
    }
    const engine = await natsServer({ config: readFileSync('deploy/permissions.conf', 'utf8') });
    const nats = engine.url;
    const root = await temporaryFolder();
    const one = await startEmulatedWorker(chat, { nats, ...WORKER, root });
    await startEmulatedWorker(chat, { nats, ...WORKER, root });
    const server = await startTestGateway({
      fleet: { nats, ...GATEWAY },
      retention: { maxAgeMs: 1_000_000 },
    });
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    const long = 'long '.repeat(150_000);
    await client.ask('send', { content: long }, { session });
    await client.event('line', isCliMessage('result'));
    // Whichever worker has it, the other one gets it.
    await one.worker.drain();
    await client.ask('send', { content: 'hello' }, { session });
    await client.event('line', isCliMessage('result'));
    const own = await openEngine({ nats, ...GATEWAY });
    onTestFinished(() => own.close());
    // Nothing that they need was refused so far.
    expect(engine.log()).not.toContain('Violation');
    for (const change of changesBy(own, session)) await expect(change()).rejects.toThrow(/ermission/);
    expect(engine.log()).toContain('Violation');
    await client.ask('close', {}, { session });
    await client.ask('remove', {}, { session });
  });
});

/** What a gateway could do to the log and the record of a conversation, if it had the rights. */
function changesBy({ js, jsm, names }: NatsEngine, session: string): readonly (() => Promise<unknown>)[] {
  const stream = names.streamOf(session);
  const records = `KV_${names.sessions}`;
  const publish = (subject: string) => () => js.publish(subject, 'forged', { timeout: 2_000 });
  return [
    publish(names.events(session)),
    publish(names.epoch(session)),
    publish(`$KV.${names.sessions}.${session}`),
    publish(`$KV.${names.workers}.forged`),
    ...[stream, records, `OBJ_${names.transcripts}`].flatMap((each) => [
      () => jsm.streams.purge(each),
      () => jsm.streams.delete(each),
      () => jsm.streams.deleteMessage(each, 1),
      () => jsm.streams.update(each, { max_msgs: 1 }),
    ]),
  ];
}
