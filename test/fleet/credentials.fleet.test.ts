import { copyFile, readFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { EngineOptions } from '../../src/server/fleet/engine/engine-options.js';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { BareClient, isCliMessage, temporaryFolder } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { lacking } from '../support/lacking.js';
import { makeCertificates, makeNkey, makeOperator } from '../support/nats/credentials.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const chat = () => [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

withNats('a fleet reaches its engine', () => {
  test('with TLS, its own authority and a certificate for each client; nobody else can', async ({ skip }) => {
    const noOpenssl = lacking('openssl');
    skip(noOpenssl !== '', noOpenssl);
    const folder = await temporaryFolder();
    const { ca, cert, key } = makeCertificates(folder);
    const tls = `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${ca}", verify: true }`;
    const { port } = await natsServer({ config: tls });
    const nats = `tls://127.0.0.1:${port}`;
    await talk({ nats, tls: { ca, cert, key } });
    await expect(openEngine({ nats, tls: { ca } })).rejects.toMatchObject({ code: 'FLEET_NOT_STARTED' });
    await expect(openEngine({ nats })).rejects.toThrow(
      /Cannot use the NATS server at tls:\/\/127\.0\.0\.1:\d+: .*certificate/,
    );
    const other = makeCertificates(await temporaryFolder());
    await expect(openEngine({ nats, tls: other })).rejects.toMatchObject({ code: 'FLEET_NOT_STARTED' });
  });

  test('with a .creds file of an operator’s account', async () => {
    const { config, creds } = makeOperator(await temporaryFolder());
    const { url: nats } = await natsServer({ config });
    await talk({ nats, creds });
    await expect(openEngine({ nats })).rejects.toThrow(/Cannot use the NATS server at .*[Aa]uthorization/);
    await expect(openEngine({ nats, creds: '/no/such.creds' })).rejects.toThrow(/\/no\/such\.creds/);
  });

  test('with an nkey, or a password in the address, which no error repeats; accounts are isolated from each other', async () => {
    const { publicKey, file } = makeNkey(await temporaryFolder());
    const users = (text: string) => `{ jetstream: enabled, users: [${text}] }`;
    const accounts = `accounts { ONE: ${users(`{ nkey: ${publicKey} }`)}, TWO: ${users('{ user: two, password: hushhush }')} }`;
    const { url: nats, port } = await natsServer({ config: accounts });
    await talk({ nats, nkey: file });
    const two = await openEngine({ nats: `nats://two:hushhush@127.0.0.1:${port}` });
    expect(await two.sessions.status()).toMatchObject({ values: 0 });
    await two.close();
    const wrong = await openEngine({ nats: `nats://two:wrongwrong@127.0.0.1:${port}` }).catch(String);
    expect(wrong).toContain(`Cannot use the NATS server at nats://127.0.0.1:${port}`);
    expect(wrong).not.toContain('wrongwrong');
  });

  test('again with credentials that were replaced, however often the old ones were refused', async () => {
    const [old, young] = [makeNkey(await temporaryFolder()), makeNkey(await temporaryFolder())];
    const storeDir = await temporaryFolder();
    const users = ({ publicKey }: typeof old) => `authorization { users: [{ nkey: ${publicKey} }] }`;
    const before = await natsServer({ storeDir, config: users(old) });
    const engine = await openEngine({ nats: before.url, nkey: old.file });
    onTestFinished(() => engine.close());
    await before.stop();
    const after = await natsServer({ storeDir, config: users(young), port: before.port });
    const refusals = () => after.log().split('authentication error').length - 1;
    await vi.waitFor(() => expect(refusals()).toBeGreaterThan(3), 30_000);
    await copyFile(young.file, old.file);
    await vi.waitFor(() => expect(engine.isConnected()).toBe(true), 30_000);
    expect(await engine.sessions.status()).toMatchObject({ values: 0 });
  });

  test.skipIf(process.platform !== 'linux')(
    'with variables, which a worker hides from its CLIs and tools',
    async () => {
      const users = 'authorization { users: [{ user: one, password: hushhush }] }';
      const { url } = await natsServer({ config: users });
      const root = await temporaryFolder();
      const flags = ['--demo', '--json', '--root', root, '--state', await temporaryFolder()];
      const env = { NATS_USER: 'one', NATS_PASSWORD: 'hushhush', OTHER: 'stays' };
      const cox = startCoxProcess(['worker', '--nats', url, ...flags], { env });
      onTestFinished(async () => {
        cox.kill('SIGKILL');
        await cox.exited;
      });
      await cox.until('\n');
      const seen = await readFile(`/proc/${cox.child.pid}/environ`, 'latin1');
      expect(seen).toContain('OTHER=stays');
      expect(seen).not.toContain('hushhush');
    },
  );
});

/** A fleet with these credentials runs a conversation. */
async function talk(fleet: EngineOptions): Promise<void> {
  const root = await temporaryFolder();
  await startEmulatedWorker(chat, { ...fleet, root });
  const client = await BareClient.connect(await startTestGateway({ fleet }));
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'hello' }, { session });
  await client.event('line', isCliMessage('result'));
}
