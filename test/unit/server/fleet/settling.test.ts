import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import {
  isElecting,
  isPlacing,
  isStarting,
  onceSettled,
} from '../../../../src/server/fleet/nats/settling.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { ManualClock } from '../../../support/manual-clock.js';

const api = (code: number, description: string, status = 503) =>
  new JetStreamApiError({ code: status, err_code: code, description });
const noPeers = api(10005, 'no suitable peers for placement, peer offline', 400);
const notEnabled = Object.assign(new Error('jetstream is not enabled'), { name: 'JetStreamNotEnabled' });
const timeout = new errors.TimeoutError();

test('an error passes if a cluster is still electing or placing', () => {
  const unavailable = api(10008, 'JetStream system temporarily unavailable');
  for (const error of [timeout, new errors.RequestError('timeout', { cause: timeout }), unavailable])
    expect([isElecting(error), isPlacing(error)], String(error)).toEqual([true, true]);
  const noLeader = Object.assign(new Error('no responders'), { name: 'JetStreamStatusError', code: 503 });
  const unknown = api(10059, 'stream not found', 404);
  const nobody = new errors.NoRespondersError('$JS.API.DIRECT.GET');
  const unheard = new errors.RequestError('no responders', { cause: nobody });
  const full = api(10023, 'insufficient resources');
  // Two workers have started with an empty server.
  const taken = api(10058, 'stream name already in use with a different configuration', 400);
  for (const error of [noPeers, notEnabled, noLeader, unknown, full, taken, nobody, unheard])
    expect([isElecting(error), isPlacing(error)], String(error)).toEqual([false, true]);
});

test('an error passes if a server is starting, and not if it refuses the client', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });
  const refused = new errors.ConnectionError('connection refused', { cause: coded('ECONNREFUSED') });
  for (const error of [refused, coded('ENOTFOUND'), coded('EAI_AGAIN'), coded('ECONNRESET'), timeout])
    expect(isStarting(error), String(error)).toBe(true);
  const denied = new errors.AuthorizationError('Authorization Violation');
  for (const error of [denied, coded('ERR_TLS_CERT_ALTNAME_INVALID'), new Error('other'), 'text'])
    expect(isStarting(error), String(error)).toBe(false);
});

test('an error that stays is not retried', async () => {
  const denied = new errors.PermissionViolationError('denied', 'publish', '$JS.API.INFO');
  const noAccount = api(10039, 'JetStream not enabled for account');
  for (const error of [
    denied,
    noAccount,
    api(10071, 'wrong last sequence', 400),
    new Error('other'),
    'text',
  ]) {
    expect(isPlacing(error), String(error)).toBe(false);
    const tried = onceSettled(() => Promise.reject(error), { passes: isPlacing, clock: new ManualClock() });
    await expect(tried).rejects.toBe(error);
  }
});

test('it says what it waits for, once for each reason, until the step succeeds', async () => {
  const clock = new ManualClock();
  const told: Diagnostic[] = [];
  const failures = [timeout, timeout, noPeers];
  const step = async () => {
    const error = failures.shift();
    if (error !== undefined) throw error;
    return 'ready';
  };
  const waits = onceSettled(step, { passes: isPlacing, clock, onDiagnostic: (each) => told.push(each) });
  await clock.pass(10_000);
  expect(await waits).toBe('ready');
  expect(told).toEqual([
    { code: 'FLEET_WAITS', cause: timeout, message: expect.stringContaining('timeout') },
    { code: 'FLEET_WAITS', cause: noPeers, message: expect.stringContaining('peer offline') },
  ]);
  expect(clock.size).toBe(0);
});

test('by default it rejects with the last error after a minute', async () => {
  const clock = new ManualClock();
  const waits = onceSettled(() => Promise.reject(noPeers), { passes: isPlacing, clock });
  const rejected = expect(waits).rejects.toBe(noPeers);
  await clock.pass(61_000);
  await rejected;
  expect(clock.size).toBe(0);
});
