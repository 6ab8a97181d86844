import { describe, expect, test } from 'vitest';
import { ControlPeer } from '../../../../src/wire/peer/control-peer.js';
import { encodeRequest } from '../../../../src/wire/protocol/encode.js';
import { decodeLine } from '../../../../src/wire/protocol/frames.js';
import { memoryPair } from '../../../../src/wire/transport/memory.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { settle } from '../../../support/settle.js';
import { boundTo, peerWithFarEnd, sayAndSettle } from './support.js';

describe('a transport that refuses lines', () => {
  /** A transport whose sends fail in one way while its other side keeps running. */
  function refusing(error: Error) {
    const [near] = memoryPair();
    const clock = new ManualClock();
    const diagnostics: Diagnostic[] = [];
    const transport = { ...boundTo(near), send: () => Promise.reject(error) };
    const peer = new ControlPeer(transport, {
      clock,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    peer.start();
    return { peer, near, clock, diagnostics };
  }

  const brokenPipe = new CoxswainError('TRANSPORT_CLOSED', 'EPIPE');

  test('fails the call at once if only that line was at fault', async () => {
    const { peer, clock } = refusing(new CoxswainError('SEND_OVERFLOW', 'too much'));
    await expect(peer.request({ subtype: 'a' })).rejects.toMatchObject({ code: 'SEND_OVERFLOW' });
    expect(clock.size).toBe(0);
  });

  test('a broken pipe waits for the end, whose cause every call then gets', async () => {
    const { peer, near, clock } = refusing(brokenPipe);
    const calls = Promise.allSettled([peer.request({ subtype: 'a' }), peer.request({ subtype: 'b' })]);
    await settle();
    await near.close();
    expect(await calls).toMatchObject([{ reason: { code: 'CLI_ENDED' } }, { reason: { code: 'CLI_ENDED' } }]);
    expect(clock.size).toBe(0);
  });

  test('a broken pipe without an end fails the calls after a moment', async () => {
    const { peer, clock } = refusing(brokenPipe);
    const failed = expect(peer.request({ subtype: 'a' })).rejects.toBe(brokenPipe);
    await settle();
    clock.advance(2_000);
    await failed;
  });

  test.each([
    ['rejects', () => Promise.reject(brokenPipe)],
    [
      'throws',
      () => {
        throw brokenPipe;
      },
    ],
  ])('an answer that cannot be sent is reported, even if the transport %s', async (_how, send) => {
    const [near, far] = memoryPair();
    const diagnostics: Diagnostic[] = [];
    const peer = new ControlPeer(
      { ...boundTo(near), send },
      { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
    );
    peer.start();
    await sayAndSettle(far, encodeRequest('c1', { subtype: 'x' }));
    expect(diagnostics.map(({ code }) => code)).toEqual(['UNHANDLED_REQUEST', 'ANSWER_NOT_SENT']);
  });

  test('a shared promise of several lines fails each of them, including those sent after it failed', async () => {
    const [near, far] = memoryPair();
    const diagnostics: Diagnostic[] = [];
    const batch = Promise.reject(new CoxswainError('SEND_OVERFLOW', 'too much'));
    const peer = new ControlPeer(
      { ...boundTo(near), send: () => batch },
      { onDiagnostic: ({ code, message }) => diagnostics.push({ code, message } as Diagnostic) },
    );
    peer.handle('x', () => 'yes');
    peer.start();
    const call = peer.request({ subtype: 'a' });
    const failed = expect(call).rejects.toMatchObject({ code: 'SEND_OVERFLOW' });
    await sayAndSettle(far, encodeRequest('c1', { subtype: 'x' }), encodeRequest('c2', { subtype: 'x' }));
    await failed;
    expect(diagnostics).toEqual([
      { code: 'ANSWER_NOT_SENT', message: 'too much' },
      { code: 'ANSWER_NOT_SENT', message: 'too much' },
    ]);
  });
});

test('a message callback that throws loses no later message, and is reported', async () => {
  const taken: unknown[] = [];
  const { far, diagnostics } = peerWithFarEnd({
    onMessage: (message) => {
      if (message.type === 'bad') throw new Error('not this one');
      taken.push(message.type);
    },
  });
  await sayAndSettle(far, '{"type":"a"}', '{"type":"bad"}', '{"type":"b"}');
  expect(taken).toEqual(['a', 'b']);
  expect(diagnostics).toMatchObject([{ code: 'LISTENER_FAILED', message: /not this one/ }]);
});

test('a keep-alive has no effect, and a request after the end is not served', async () => {
  const { peer, far, near, messages, diagnostics } = peerWithFarEnd();
  await sayAndSettle(far, '{"type":"keep_alive"}');
  expect([messages, diagnostics]).toEqual([[], []]);
  await near.close();
  await settle();
  let served = false;
  peer.handle('x', () => {
    served = true;
  });
  peer.redeliver(decodeLine(encodeRequest('c1', { subtype: 'x' })));
  await settle();
  expect(served).toBe(false);
});
