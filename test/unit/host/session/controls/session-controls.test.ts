import { describe, expect, test } from 'vitest';
import { Session } from '../../../../../src/host/session/session.js';
import { ControlPeer } from '../../../../../src/wire/peer/control-peer.js';
import type { RequestBody } from '../../../../../src/wire/protocol/frames.js';
import { memoryPair } from '../../../../../src/wire/transport/memory.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';

const silence = new Promise<never>(() => {});
/** A session on a CLI that records its requests, and answers only when told to. */
async function sessionOn(version: string | undefined, answers: Readonly<Record<string, unknown>> = {}) {
  const [near, far] = memoryPair();
  const cli = new ControlPeer(far);
  const asked: RequestBody[] = [];
  cli.handle('initialize', () => ({ claude_code_version: version }));
  for (const subtype of [
    'set_model',
    'mcp_status',
    'mcp_reconnect',
    'rewind_files',
    'get_settings',
    'get_task_output',
  ]) {
    cli.handle(subtype, (body) => {
      asked.push(body);
      return Object.hasOwn(answers, subtype) ? answers[subtype] : silence;
    });
  }
  cli.start();
  const clock = new ManualClock();
  const session = new Session({ transport: near }, { clock });
  await session.ready;
  return { session, clock, asked };
}

describe('a control method on a session', () => {
  test('sends its request and returns the answer in camelCase', async () => {
    const { session, asked } = await sessionOn('2.1.326', {
      get_task_output: { output: 'x', total_bytes: 1, truncated: false },
      set_model: undefined,
    });
    expect(await session.tasks.output('t')).toEqual({ output: 'x', totalBytes: 1, truncated: false });
    expect(await session.setModel('opus')).toEqual({});
    expect(asked).toEqual([
      { subtype: 'get_task_output', task_id: 't' },
      { subtype: 'set_model', model: 'opus' },
    ]);
    await session.close();
  });

  test.each([
    ['30 seconds', 30_000, (session: Session) => session.setModel('opus')],
    ['longer where the catalog says so', 90_000, (session: Session) => session.mcp.reconnect('x')],
    [
      'as long as the caller says',
      5_000,
      (session: Session) => session.mcp.reconnect('x', { deadlineMs: 5_000 }),
    ],
  ])('waits for its answer %s', async (_name, deadlineMs, send) => {
    const { session, clock } = await sessionOn('2.1.326');
    let outcome: unknown = 'pending';
    send(session).catch((error: unknown) => {
      outcome = error;
    });
    await settle();
    clock.advance(deadlineMs - 1);
    await settle();
    expect(outcome).toBe('pending');
    clock.advance(1);
    await settle();
    expect(outcome).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await session.close();
  });

  test('ends when its signal is aborted', async () => {
    const { session } = await sessionOn('2.1.326');
    const controller = new AbortController();
    const status = session.mcp.status({ signal: controller.signal });
    controller.abort();
    await expect(status).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    await session.close();
  });

  test('is refused at once, unsent, on a CLI that would never answer it', async () => {
    const { session, asked } = await sessionOn('2.1.17');
    await expect(session.settings.get()).rejects.toMatchObject({
      code: 'ENDPOINT_UNSUPPORTED',
      message: expect.stringContaining('2.1.17'),
    });
    expect(asked).toEqual([]);
    await session.close();
  });

  test('rewinds on 2.0.73 only without a dry run, which would change files there', async () => {
    const { session, asked } = await sessionOn('2.0.73', { rewind_files: undefined });
    await expect(session.rewind('m', { dryRun: true })).rejects.toMatchObject({
      code: 'ENDPOINT_UNSUPPORTED',
    });
    expect(await session.rewind('m')).toEqual({});
    expect(asked).toEqual([{ subtype: 'rewind_files', user_message_id: 'm' }]);
    await session.close();
  });

  test('rejects at once on an ended session', async () => {
    const { session } = await sessionOn('2.1.326');
    await session.close();
    await expect(session.mcp.status()).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });
});
