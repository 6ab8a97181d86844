import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlPeer } from '../../../../src/wire/peer/control-peer.js';
import {
  encodeCancel,
  encodeRefusal,
  encodeRequest,
  encodeSuccess,
} from '../../../../src/wire/protocol/encode.js';
import type { RequestBody } from '../../../../src/wire/protocol/frames.js';
import { memoryPair } from '../../../../src/wire/transport/memory.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { settle } from '../../../support/settle.js';
import { peerWithFarEnd, sayAndSettle } from './support.js';

describe('requests', () => {
  test('work both ways, also interleaved: the CLI sends one before it answers initialize', async () => {
    const [near, far] = memoryPair();
    const host = new ControlPeer(near);
    const cli = new ControlPeer(far);
    host.handle('mcp_message', ({ server_name }) => ({ mcp_response: { server: server_name } }));
    cli.handle('initialize', async () => {
      const { value } = await cli.request({ subtype: 'mcp_message', server_name: 'clock' });
      return { tools: value };
    });
    host.start();
    cli.start();
    const answer = await host.request({ subtype: 'initialize' });
    expect(answer.value).toEqual({ tools: { mcp_response: { server: 'clock' } } });
  });

  test('use ids of the form req_<counter>_<hex> that never repeat', async () => {
    const { peer, hear } = peerWithFarEnd();
    const asked = [peer.request({ subtype: 'a' }), peer.request({ subtype: 'b' })];
    for (const one of asked) one.catch(() => {});
    const ids = (await hear(2)).map((frame) => (frame.kind === 'request' ? frame.id : ''));
    expect(ids[0]).toMatch(/^req_1_[0-9a-f]{8}$/);
    expect(ids[1]).toMatch(/^req_2_[0-9a-f]{8}$/);
  });

  test('settle with the first answer; the second is a diagnostic (2.0.73 sends error, then success)', async () => {
    const { peer, far, diagnostics } = peerWithFarEnd({ makeId: () => 'r1' });
    const asked = peer.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' });
    const outcome = expect(asked).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      subtype: 'set_permission_mode',
      reason: 'disabled',
      errorCode: 'bypass_disabled',
    });
    await sayAndSettle(
      far,
      encodeRefusal('r1', 'disabled', 'bypass_disabled'),
      encodeSuccess('r1', { mode: 'x' }),
    );
    await outcome;
    expect(diagnostics).toMatchObject([{ code: 'LATE_ANSWER', id: 'r1' }]);
  });

  test('treat a plain ack as an answer without a value', async () => {
    const { peer, far } = peerWithFarEnd({ makeId: () => 'r1' });
    const asked = peer.request({ subtype: 'interrupt' });
    await far.send(encodeSuccess('r1'));
    expect(await asked).toMatchObject({ value: undefined, beside: {} });
  });

  test('an answer that is neither success nor error settles its call with a protocol error', async () => {
    const { peer, far, diagnostics } = peerWithFarEnd({ makeId: () => 'r1' });
    const outcome = expect(peer.request({ subtype: 'interrupt' })).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
    });
    await far.send('{"type":"control_response","response":{"subtype":"perhaps","request_id":"r1"}}');
    await outcome;
    expect(diagnostics).toMatchObject([{ code: 'BROKEN_FRAME' }]);
  });

  test('an answer without a request is a diagnostic', async () => {
    const { far, diagnostics } = peerWithFarEnd();
    await sayAndSettle(far, encodeSuccess('never-asked'));
    expect(diagnostics).toMatchObject([{ code: 'UNKNOWN_ANSWER', id: 'never-asked' }]);
  });

  test('time out at the deadline, naming the request, and leave no timer', async () => {
    const clock = new ManualClock();
    const { peer, hear } = peerWithFarEnd({ clock, deadlineMs: 500 });
    const asked = peer.request({ subtype: 'mcp_tools' });
    const outcome = expect(asked).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: /mcp_tools within 500 ms/,
    });
    await hear(1);
    expect(peer.waitingFor).toEqual(['mcp_tools']);
    clock.advance(500);
    await outcome;
    expect(peer.waitingFor).toEqual([]);
    expect(clock.size).toBe(0);
  });

  test('never send a cancel unless allowed: old CLIs exit on it', async () => {
    for (const mayCancel of [false, true]) {
      const clock = new ManualClock();
      const { peer, hear, heard } = peerWithFarEnd({ clock, mayCancel: () => mayCancel });
      const asked = peer.request({ subtype: 'slow' }, { deadlineMs: 10 });
      await hear(1);
      clock.advance(10);
      await expect(asked).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
      await settle();
      expect(heard.map(({ kind }) => kind)).toEqual(mayCancel ? ['request', 'cancel'] : ['request']);
    }
  });

  test('an aborted call rejects at once and removes its listener', async () => {
    const clock = new ManualClock();
    const { peer } = peerWithFarEnd({ clock });
    const controller = new AbortController();
    const asked = peer.request({ subtype: 'slow' }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toMatchObject({ code: 'REQUEST_ABORTED', cause: { message: 'enough' } });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(clock.size).toBe(0);
    await expect(peer.request({ subtype: 'x' }, { signal: controller.signal })).rejects.toMatchObject({
      code: 'REQUEST_ABORTED',
    });
  });

  test('when the other side ends, every call settles with one cause, and later ones at once', async () => {
    const clock = new ManualClock();
    const { peer, far } = peerWithFarEnd({ clock });
    const outcomes = Promise.allSettled([peer.request({ subtype: 'a' }), peer.request({ subtype: 'b' })]);
    await far.close();
    const [first, second] = await outcomes;
    expect(first).toMatchObject({
      status: 'rejected',
      reason: { code: 'CLI_ENDED', message: /waiting for a, b/ },
    });
    expect(second).toMatchObject({ reason: (first as PromiseRejectedResult).reason });
    await expect(peer.request({ subtype: 'c' })).rejects.toBe((first as PromiseRejectedResult).reason);
    await expect(peer.send({ type: 'user' })).rejects.toMatchObject({ code: 'CLI_ENDED' });
    expect(clock.size).toBe(0);
  });

  test('a body that is not JSON is refused before anything is sent', async () => {
    const { peer, heard } = peerWithFarEnd();
    await expect(peer.request({ subtype: 'x', big: 1n })).rejects.toMatchObject({ code: 'NOT_SERIALISABLE' });
    await settle();
    expect(heard).toEqual([]);
    expect(peer.waitingFor).toEqual([]);
  });
});

describe('answers', () => {
  test('a request without a handler gets an error with its subtype, and is reported', async () => {
    const { far, hear, diagnostics } = peerWithFarEnd();
    await far.send(encodeRequest('c1', { subtype: 'from_the_future' }));
    expect(await hear(1)).toMatchObject([{ kind: 'refusal', id: 'c1', error: /from_the_future/ }]);
    expect(diagnostics).toMatchObject([{ code: 'UNHANDLED_REQUEST', subtype: 'from_the_future' }]);
  });

  test('a handler can be removed again', async () => {
    const { peer, far, hear } = peerWithFarEnd();
    const remove = peer.handle('x', () => 'yes');
    await far.send(encodeRequest('c1', { subtype: 'x' }));
    await hear(1);
    remove();
    await far.send(encodeRequest('c2', { subtype: 'x' }));
    expect(await hear(2)).toMatchObject([{ kind: 'success', value: 'yes' }, { kind: 'refusal' }]);
  });

  test('a withdrawn request aborts its signal and gets no answer, however it ends', async () => {
    const { peer, far, heard } = peerWithFarEnd();
    let seen: AbortSignal | undefined;
    let finish = (_value: unknown) => {};
    peer.handle('can_use_tool', (_body, { signal }) => {
      seen = signal;
      return new Promise((resolve) => (finish = resolve));
    });
    await sayAndSettle(far, encodeRequest('c1', { subtype: 'can_use_tool' }));
    await sayAndSettle(far, encodeCancel('c1'));
    expect(seen?.aborted).toBe(true);
    finish({ behavior: 'allow' });
    await settle();
    expect(heard).toEqual([]);
  });

  test('a request withdrawn in the same batch is never shown', async () => {
    const { peer, far, heard } = peerWithFarEnd();
    let shown = false;
    peer.handle('x', () => {
      shown = true;
    });
    void far.send(encodeRequest('c1', { subtype: 'x' }));
    void far.send(encodeCancel('c1'));
    await settle();
    expect([shown, heard]).toEqual([false, []]);
  });

  test('a repeated request is handled once', async () => {
    const { peer, far, heard, diagnostics } = peerWithFarEnd();
    let calls = 0;
    let finish = (_value: unknown) => {};
    peer.handle('x', () => {
      calls += 1;
      return new Promise((resolve) => (finish = resolve));
    });
    await sayAndSettle(far, encodeRequest('c1', { subtype: 'x' }), encodeRequest('c1', { subtype: 'x' }));
    finish('done');
    await settle();
    expect(calls).toBe(1);
    expect(heard).toMatchObject([{ kind: 'success', id: 'c1' }]);
    expect(diagnostics).toMatchObject([{ code: 'DUPLICATE_REQUEST' }]);
  });

  test('a broken request with an id is answered with an error', async () => {
    const { far, hear } = peerWithFarEnd();
    await far.send('{"type":"control_request","request_id":"c1"}');
    expect(await hear(1)).toMatchObject([{ kind: 'refusal', id: 'c1' }]);
  });

  test('a waiting handler delays neither messages nor other requests', async () => {
    const { peer, far, hear, messages } = peerWithFarEnd();
    peer.handle('never', () => new Promise(() => {}));
    peer.handle('quick', () => 'q');
    await far.send(encodeRequest('c1', { subtype: 'never' }));
    await far.send('{"type":"assistant"}');
    await far.send(encodeRequest('c2', { subtype: 'quick' }));
    expect(await hear(1)).toMatchObject([{ kind: 'success', id: 'c2' }]);
    expect(messages).toEqual([{ type: 'assistant' }]);
  });

  test('when the connection ends, running handlers are aborted', async () => {
    const { peer, far } = peerWithFarEnd();
    const aborted = new Promise<void>((resolve) => {
      peer.handle('x', (_body, { signal }) => {
        signal.addEventListener('abort', () => resolve());
        return new Promise(() => {});
      });
    });
    await sayAndSettle(far, encodeRequest('c1', { subtype: 'x' }));
    await far.close();
    await aborted;
  });

  test('requests in progress are named and reported, until they are answered or withdrawn', async () => {
    const told: string[] = [];
    const watcher = {
      requestOpened: ({ subtype }: RequestBody) => told.push(`${subtype} opened`),
      requestClosed: () => told.push('closed'),
    };
    const { peer, far } = peerWithFarEnd({ watcher });
    let finish = (_value: unknown) => {};
    peer.handle('can_use_tool', () => new Promise((resolve) => (finish = resolve)));
    peer.handle('never', () => new Promise(() => {}));
    await sayAndSettle(
      far,
      encodeRequest('c1', { subtype: 'can_use_tool', tool_name: 'Bash' }),
      encodeRequest('c2', { subtype: 'never' }),
      encodeRequest('c3', { subtype: 'unhandled' }),
    );
    expect(peer.answering).toEqual(['can_use_tool Bash', 'never']);
    finish('done');
    await settle();
    expect(peer.answering).toEqual(['never']);
    await sayAndSettle(far, encodeCancel('c2'), encodeCancel('c2'));
    expect(peer.answering).toEqual([]);
    expect(told).toEqual(['can_use_tool opened', 'never opened', 'closed', 'closed']);
  });

  test('whatever a handler does, there is exactly one well-formed answer, or none if withdrawn', async () => {
    const behaviour = fc.record({
      result: fc.oneof(
        fc.anything({ withBigInt: true, withDate: true }).map((value) => () => value),
        fc.anything().map((value) => () => {
          throw value;
        }),
        fc.string().map((text) => () => Promise.reject(new Error(text))),
      ),
      withdrawn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(behaviour, { maxLength: 8 }), async (behaviours) => {
        const { peer, far, heard } = peerWithFarEnd();
        peer.handle('x', ({ index }) => behaviours[Number(index)]?.result());
        for (const [index, { withdrawn }] of behaviours.entries()) {
          void far.send(encodeRequest(`c${index}`, { subtype: 'x', index }));
          if (withdrawn) void far.send(encodeCancel(`c${index}`));
        }
        await settle();
        await settle();
        const answered = heard.map((frame) => ('id' in frame ? frame.id : frame.kind)).toSorted();
        const expected = behaviours.flatMap(({ withdrawn }, index) => (withdrawn ? [] : [`c${index}`]));
        expect(answered).toEqual(expected.toSorted());
        expect(heard.every(({ kind }) => kind === 'success' || kind === 'refusal')).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe('reading', () => {
  test('noise and broken frames are reported and lose nothing that follows', async () => {
    const { far, messages, diagnostics } = peerWithFarEnd();
    const bad = ['null', '42', '[]', '{"half":', 'npm warn something', '{"type":"control_response"}'];
    await sayAndSettle(far, ...bad, '{"type":"from_the_future","n":1}');
    expect(messages).toEqual([{ type: 'from_the_future', n: 1 }]);
    expect(diagnostics.map(({ code }) => code)).toEqual([...Array(5).fill('NOISE_LINE'), 'BROKEN_FRAME']);
  });

  test('a diagnostic listener that throws does no harm', async () => {
    const { far, messages } = peerWithFarEnd({
      onDiagnostic: () => {
        throw new Error('listener');
      },
    });
    await sayAndSettle(far, 'noise', '{"type":"x"}');
    expect(messages).toEqual([{ type: 'x' }]);
  });
});
