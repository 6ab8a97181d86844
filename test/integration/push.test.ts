import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { BareClient, eventIn, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { startPushService } from '../support/push-service.js';

const SECRET = 'curl -H "x-key: hunter2" example.org';

async function begin({ hosts = ['127.0.0.1'] }: { readonly hosts?: readonly string[] } = {}) {
  const clock = new ManualClock();
  const service = await startPushService();
  const stateFolder = await temporaryFolder();
  const token = new KeyFile(stateFolder).add('phone', 'operator');
  const { server, root } = await startEmulatedConsole(
    [onUser([useTool('Bash', { command: SECRET }, { ask: true, result: 'ok' }), say('Done.')])],
    { clock, webhookHosts: hosts, stateFolder, publicUrl: 'https://console.example.org' },
  );
  const client = await BareClient.connect(server);
  const phone = await BareClient.connect(server, { token });
  const ask = async () => {
    const { session } = await client.ask('open', { cwd: root });
    // Summaries wait for the clock, events do not.
    client.attach(session);
    await client.ask('send', { content: 'the secret plan' }, { session });
    const { prompt } = eventIn(await client.event('prompt'));
    return { session, prompt: isObject(prompt) ? String(prompt.id) : '' };
  };
  /** Passes the time until a timer of ours is due: others belong to sessions. */
  const pass = (ms: number) => clock.advance(ms);
  return { clock, service, server, client, phone, ask, pass, stateFolder };
}

test('nobody gets anything unless they asked for it', async () => {
  const { service, ask, pass, phone } = await begin();
  expect((await phone.ask('push', { endpoint: service.subscription.endpoint })).on).toBe(false);
  await ask();
  pass(10_000);
  await phone.ask('push', {});
  expect(service.taken).toEqual([]);
});

test('a browser gets a prompt that nobody has answered, without anything secret, signed by the server', async () => {
  const { service, ask, pass, phone, stateFolder } = await begin();
  const { subscription } = service;
  await phone.ask('push.add', subscription);
  const { key, on } = await phone.ask('push', { endpoint: subscription.endpoint });
  expect(on).toBe(true);
  const { session, prompt } = await ask();
  await eventually(() => {
    pass(1_000);
    return service.taken.length === 1;
  });
  const [message] = service.taken;
  expect(JSON.parse(message?.text ?? '')).toEqual({
    session,
    tag: prompt,
    title: expect.stringMatching(/^A session in coxswain-console-\w+ needs you$/),
    body: 'It asks whether Bash may run.',
  });
  const { authorization = '', ...headers } = message?.headers ?? {};
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '14400' });
  expect(authorization).toContain(`k=${key}`);
  const [, claims = ''] = /t=[^.]+\.([^.]+)/.exec(authorization) ?? [];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: new URL(subscription.endpoint).origin,
    sub: 'https://console.example.org',
  });
  expect(readFileSync(join(stateFolder, 'push.json'), 'utf8')).not.toContain(SECRET);
});

test('a prompt that somebody answers at once is not worth a message', async () => {
  const { service, client, phone, ask, pass } = await begin();
  await phone.ask('push.add', service.subscription);
  const { session, prompt } = await ask();
  pass(2_000);
  await client.ask('answer', { prompt, answer: { answer: 'deny' } }, { session });
  pass(10_000);
  await phone.ask('push', {});
  expect(service.taken).toEqual([]);
});

test('a browser that has unsubscribed, is gone or has lost its access gets nothing', async () => {
  const { service, client, phone, ask, pass, stateFolder } = await begin();
  const { subscription } = service;
  const { endpoint } = subscription;
  await phone.ask('push.add', subscription);
  // Others cannot remove it.
  await client.ask('push.remove', { endpoint });
  expect((await phone.ask('push', { endpoint })).on).toBe(true);
  service.status = 410;
  await ask();
  await eventually(() => {
    pass(1_000);
    return service.taken.length === 1;
  });
  await eventually(async () => !(await phone.ask('push', { endpoint })).on);

  service.status = 201;
  await phone.ask('push.add', subscription);
  await phone.ask('push.remove', { endpoint });
  await phone.ask('push.add', subscription);
  await ask();
  new KeyFile(stateFolder).remove('phone');
  pass(10_000);
  await client.ask('push', {});
  expect(service.taken).toHaveLength(1);
  expect(readFileSync(join(stateFolder, 'push.json'), 'utf8')).not.toContain(endpoint);
});

test('a service that fails is asked again', async () => {
  const { service, phone, ask, pass } = await begin();
  await phone.ask('push.add', service.subscription);
  service.status = 503;
  await ask();
  await eventually(() => {
    pass(1_000);
    return service.taken.length === 1;
  });
  service.status = 201;
  await eventually(() => {
    pass(1_000);
    return service.taken.length === 2;
  });
  expect(service.taken[0]?.text).toBe(service.taken[1]?.text);
});

test('addresses in the network of the server are refused, and what is no subscription', async () => {
  const { service, phone } = await begin({ hosts: [] });
  const { p256dh, auth } = service.subscription;
  const add = (endpoint: string, keys = { p256dh, auth }) => phone.command('push.add', { endpoint, ...keys });
  const refused = (code: string) => ({ ok: false, error: expect.objectContaining({ code }) });
  for (const endpoint of [
    'http://127.0.0.1:80/push',
    'https://127.0.0.1/push',
    'https://[::1]/push',
    'https://localhost/push',
    'https://169.254.169.254/latest',
    'https://user:password@push.example.org/',
    'http://push.example.org/',
    'file:///etc/passwd',
    'push',
  ])
    expect(await add(endpoint), endpoint).toMatchObject(refused('WEBHOOK_REFUSED'));
  for (const keys of [
    { p256dh: 'short', auth },
    { p256dh, auth: 'short' },
  ])
    expect(await add('https://push.example.org/', keys)).toMatchObject(refused('COMMAND_INVALID'));
  expect((await add('https://push.example.org/')).ok).toBe(true);
});
