import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { readScenario } from '../../src/lab/testing/emulator/program/scenario-file.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { loadTrace } from '../../src/wire/trace/read/read-trace.js';
import { replayHost } from '../../src/wire/trace/replay/replay-host.js';
import { replayTrace } from '../../src/wire/trace/replay/replay-transport.js';
import { toScenario } from '../../src/wire/trace/scenario/to-scenario.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { runHost, SEEN } from '../recordings/host.mjs';
import { emulatedStarts } from '../support/emulated-starts.js';
import { ManualClock } from '../support/manual-clock.js';

const VERSIONS = ['2.0.73', '2.1.326'] as const satisfies readonly string[];
const golden = (version: string) => `test/recordings/${version}/note.trace`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-trace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(VERSIONS)('the recording of a session on %s', (version) => {
  test('replays: the recorded program sees the same again, without a CLI', async () => {
    const transport = await replayTrace(golden(version));
    expect(transport.version).toBe(version);
    expect(await runHost(openSession, { transport })).toEqual(SEEN);
    transport.assertFinished();
  });

  test('fails a program that sends something else, with the expected and the actual value', async () => {
    const transport = await replayTrace(golden(version));
    await expect(runHost(openSession, { transport }, { changed: true })).rejects.toThrow();
    expect(() => transport.assertFinished()).toThrow(
      /something other than line \d+ of the recording \(request set_model\):\n {2}request\.model\n {4}expected "opus"\n {4}got {6}"haiku"/,
    );
    expect(await transport.ended).toMatchObject({ reason: 'failed', error: { code: 'REPLAY_MISMATCH' } });
  });

  test('fails a program that stops too early, with everything that is missing', async () => {
    const transport = await replayTrace(golden(version));
    const session = await openSession({
      transport,
      hooks: { PreToolUse: [{ matcher: 'Bash', run: () => ({}) }] },
    });
    await session.close();
    expect(() => transport.assertFinished()).toThrow(
      /never sent these lines of the recording:\n {2}line \d+: user/,
    );
  });

  test('becomes a scenario with which the emulated CLI does the same', async () => {
    const { scenario, cliVersion, notes } = await toScenario(golden(version));
    expect(cliVersion).toBe(version);
    expect(notes).toEqual([]);
    const written = JSON.parse(JSON.stringify(scenario));
    expect(readScenario(written)).toHaveLength(scenario.length);
    const cli = emulateCli(written, { version });
    expect(await runHost(openSession, { transport: cli.transport })).toEqual(SEEN);
    cli.assertFinished();
  });

  test('is sent to the emulated CLI as the host sent it, and differences are reported', async () => {
    const { scenario } = await toScenario(golden(version));
    const cli = emulateCli(readScenario(JSON.parse(JSON.stringify(scenario))), { version });
    const report = await replayHost(golden(version), cli.transport, { waitMs: 5_000 });
    expect(report.missed).toEqual([]);
    expect(report.sent).toBe(
      (await loadTrace(golden(version))).filter(({ entry }) => entry.kind === 'line' && entry.from === 'host')
        .length,
    );
    const missing = report.changes.filter(({ change }) => change === 'removed').map(({ label }) => label);
    expect(missing).not.toContain('result/success');
    cli.assertFinished();
  });
});

describe('a replay', () => {
  const record = async () => {
    const path = join(folder, 'a.trace');
    const cli = emulateCli([
      onUser('hi', [say('hello'), done()]),
      onUser('again', [say('and again'), done()]),
    ]);
    const session = await openSession({ transport: cli.transport, record: path });
    await session.send('hi').text();
    await session.send('again').text();
    await session.close();
    return path;
  };

  test('accepts host lines that differ only in ids, uuids, times and paths', async () => {
    const transport = await replayTrace(await record());
    const session = await openSession({ transport });
    expect(await session.send('hi', { uuid: '11111111-2222-4333-8444-555555555555' }).text()).toBe('hello');
    expect(await session.send('again').text()).toBe('and again');
    await session.close();
    transport.assertFinished();
  });

  test('keeps the recorded timing on request, with the given clock', async () => {
    const clock = new ManualClock();
    const text = [
      '{"v":1,"kind":"header","startedAt":"x","argv":[],"platform":"linux","arch":"x64","writer":"x","redacted":false}',
      '{"v":1,"kind":"line","t":100,"from":"cli","frame":{"type":"one"}}',
      '{"v":1,"kind":"line","t":300,"from":"cli","frame":{"type":"two"}}',
      '{"v":1,"kind":"end","t":300,"end":{"reason":"closed"}}',
    ].join('\n');
    const transport = await replayTrace({ text }, { speed: 2, clock });
    const seen: string[] = [];
    transport.start((lines) => seen.push(...lines));
    await Promise.resolve();
    const later = async (ms: number) => {
      clock.advance(ms);
      await Promise.resolve();
      await Promise.resolve();
      return seen.length;
    };
    expect([await later(49), await later(1), await later(99), await later(1)]).toEqual([0, 1, 1, 2]);
    expect(await transport.ended).toEqual({ reason: 'closed' });
  });

  test.each([0, -1, Number.NaN])('refuses the speed %d', async (speed) => {
    const replay = replayTrace('test/recordings/cut.trace', { speed });
    await expect(replay).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });

  test('returns the ids of the host’s own requests', async () => {
    const text = [
      '{"v":1,"kind":"header","startedAt":"x","argv":[],"platform":"linux","arch":"x64","writer":"x","redacted":false}',
      '{"v":1,"kind":"line","t":1,"from":"host","frame":{"type":"control_request","request_id":"old","request":{"subtype":"interrupt"}}}',
      '{"v":1,"kind":"line","t":2,"from":"cli","frame":{"type":"control_response","response":{"subtype":"success","request_id":"old"}}}',
    ].join('\n');
    const transport = await replayTrace({ text });
    const line = new Promise<string>((resolve) => transport.start(([first = '']) => resolve(first)));
    await transport.send('{"type":"control_request","request_id":"new","request":{"subtype":"interrupt"}}');
    expect(JSON.parse(await line)).toMatchObject({ response: { request_id: 'new' } });
    await expect(transport.send('{"type":"keep_alive"}')).rejects.toThrow(
      'not in the recording (keep_alive)',
    );
  });

  test('keeps ids apart that this run and the recording use for different requests', async () => {
    const ask = (id: string) =>
      `{"type":"control_request","request_id":"${id}","request":{"subtype":"interrupt"}}`;
    const entry = (from: string, frame: string) =>
      `{"v":1,"kind":"line","t":1,"from":"${from}","frame":${frame}}`;
    const answer = (id: string) =>
      `{"type":"control_response","response":{"subtype":"success","request_id":"${id}"}}`;
    const text = [
      '{"v":1,"kind":"header","startedAt":"x","argv":[],"platform":"linux","arch":"x64","writer":"x","redacted":false}',
      ...['req_1', 'req_2'].map((id) => entry('host', ask(id))),
      ...['req_2', 'req_1'].map((id) => entry('cli', answer(id))),
    ].join('\n');
    const transport = await replayTrace({ text });
    const seen: string[] = [];
    transport.start((lines) => seen.push(...lines));
    for (const id of ['req_2', 'req_3']) await transport.send(ask(id));
    await transport.close();
    expect(seen).toEqual([answer('req_3'), answer('req_2')]);
  });

  test('of an incomplete recording stays open until it is closed', async () => {
    const transport = await replayTrace('test/recordings/cut.trace');
    transport.start(() => {});
    expect(await transport.close()).toEqual({ reason: 'closed' });
  });
});

describe('openSession({ record })', () => {
  test('writes a file for each start of the CLI, with the traffic of both sides', async () => {
    const path = join(folder, 'session.trace');
    const scenario = [
      onUser('hi', [useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }), done('ok')]),
    ];
    const { transport, clis } = emulatedStarts(() => scenario);
    const ended = deferred<void>();
    const session = await openSession({
      transport,
      record: path,
      reopen: 'auto',
      onPermission: (request) => request.allow(),
      onStateChange: (state) => (state === 'ended' ? ended.resolve() : undefined),
    });
    await session.send('hi').text();
    clis[0]?.kill('SIGKILL');
    await ended.promise;
    await session.send('hi').text();
    await session.close();
    const [first, second] = await Promise.all([loadTrace(path), loadTrace(join(folder, 'session-2.trace'))]);
    for (const entries of [first, second]) {
      expect(entries.map(({ entry }) => entry.kind).slice(0, 2)).toEqual(['header', 'facts']);
      expect(JSON.stringify(entries)).toContain('can_use_tool');
    }
    expect(first.at(-1)?.entry).toMatchObject({ kind: 'end', end: { reason: 'exited', signal: 'SIGKILL' } });
    expect(second.some(({ entry }) => entry.kind === 'eof')).toBe(true);
  });

  test('with a path that cannot be written opens and works, and reports the problem', async () => {
    const cli = emulateCli([onUser('hi', [say('hello'), done()])]);
    const codes: string[] = [];
    const session = await openSession({
      transport: cli.transport,
      record: '/dev/full',
      onDiagnostic: ({ code }) => codes.push(code),
    });
    expect(await session.send('hi').text()).toBe('hello');
    await session.close();
    expect(codes).toEqual(['RECORDING_FAILED']);
  });

  test('refuses an invalid target', async () => {
    await expect(openSession({ record: '' })).rejects.toThrow('"record" must be a path');
  });
});
