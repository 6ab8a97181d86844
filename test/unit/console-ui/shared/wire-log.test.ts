import { describe, expect, test } from 'vitest';
import { makeLanes } from '../../../../console-ui/shared/model/lanes.js';
import { allTokens, sumTokens } from '../../../../console-ui/shared/model/totals.js';
import { WireLog } from '../../../../console-ui/shared/model/wire-log.js';
import { summaryOf, type WireEntry } from '../../../../console-ui/shared/model/wire-row.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { cliSays, hostSays, partnerLabels } from './wire-lines.js';

const NEW = 'test/recordings/2.1.326/note.trace';
const OLD = 'test/recordings/2.0.73/note.trace';

async function logOf(path: string) {
  const log = new WireLog();
  log.append(await loadTrace(path));
  return log.snapshot();
}

describe.each([OLD, NEW])('the log of %s', (path) => {
  test('pairs every request with its answer, and knows how long it took', async () => {
    const { rows, exchanges, openRequests } = await logOf(path);
    const requests = rows.filter(({ type }) => type === 'control_request');
    expect(requests.length).toBeGreaterThan(5);
    for (const { index } of requests) {
      expect(exchanges.get(index)).toMatchObject({ how: expect.stringMatching(/success|refusal/) });
      expect(exchanges.get(index)?.ms).toBeGreaterThanOrEqual(0);
    }
    expect(openRequests).toBe(0);
  });

  test('has turns, tool calls, prompts, callbacks and requests as spans', async () => {
    const { spans, turns } = await logOf(path);
    const words = (kind: string) =>
      spans.filter((span) => span.kind === kind).map(({ name, word }) => [name, word]);
    expect(words('turn')).toEqual([
      ['make a note', 'success'],
      ['make a folder', 'success'],
    ]);
    expect(words('tool')).toEqual([
      ['Bash', undefined],
      ['Bash', 'error'],
    ]);
    expect(words('prompt')).toEqual([
      ['Bash', 'allow'],
      ['Bash', 'deny'],
    ]);
    expect(words('callback').map(([name]) => name)).toContain('hook PreToolUse');
    expect(words('request').map(([name]) => name)).toContain('set_model');
    expect(spans.every(({ start, end }) => end !== undefined && end >= start)).toBe(true);
    expect(turns).toHaveLength(2);
  });

  test('finds no mistakes', async () => {
    const { findings } = await logOf(path);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('costs', () => {
  test('are per turn and per session', async () => {
    const { turns } = await logOf(NEW);
    expect(turns.map(({ totalUsd }) => totalUsd)).toEqual([expect.closeTo(0.00047), expect.closeTo(0.00125)]);
    expect(turns[1]?.costUsd).toBeCloseTo(0.00078);
    expect(sumTokens(turns)).toMatchObject({ input: 40, output: 78 });
    expect(allTokens(sumTokens(turns))).toBe(118);
  });

  test('start again with a new CLI', () => {
    const log = new WireLog();
    const result = (cost: number) => cliSays({ type: 'result', subtype: 'success', total_cost_usd: cost });
    log.append([result(2), result(3), result(0.5)].map((entry, at) => ({ at, entry })));
    expect(log.snapshot().turns.map(({ costUsd }) => costUsd)).toEqual([2, 1, 0.5]);
  });
});

describe('a log that grows', () => {
  test('notifies its listeners, and ends up like one filled at once', async () => {
    const entries = await loadTrace(NEW);
    const log = new WireLog();
    let told = 0;
    const stop = log.subscribe(() => {
      told += 1;
    });
    for (const entry of entries) log.append([entry]);
    stop();
    log.append([]);
    expect(told).toBe(entries.length);
    const [grown, whole] = [log.snapshot(), await logOf(NEW)];
    expect(grown.rows).toEqual(whole.rows);
    expect(grown.spans).toEqual(whole.spans);
    expect(grown.findings).toEqual(whole.findings);
  });

  test('drops its older half at its limit, and then reports no answer as unmatched', () => {
    const log = new WireLog({ limit: 10 });
    const question = { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } };
    const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'r' } };
    const talk: WireEntry[] = Array.from({ length: 9 }, (_, at) => ({
      at: at + 2,
      entry: cliSays({ type: 'assistant', message: { content: `${at}` } }),
    }));
    log.append([{ at: 1, entry: hostSays(question) }, ...talk]);
    expect(log.snapshot()).toMatchObject({ dropped: 0, openRequests: 1 });
    log.append([{ at: 11, entry: cliSays(answer) }]);
    const { rows, dropped, findings, exchanges } = log.snapshot();
    expect(dropped).toBe(6);
    expect(rows.map(({ at, index }) => [at, index])).toEqual(
      [7, 8, 9, 10, 11].map((at, index) => [at, index]),
    );
    expect(findings).toEqual([]);
    expect(exchanges.get(4)).toMatchObject({ question: undefined, ms: undefined, asker: 'host' });
  });

  test('keeps schema findings, by line', async () => {
    const log = new WireLog();
    log.append(await loadTrace(NEW));
    const finding = { at: 5, severity: 'warning', problem: 'unknown-key', label: 'x', message: 'm' } as const;
    log.addFindings([finding]);
    expect(log.snapshot().findingsAt.get(5)).toEqual([finding]);
  });
});

describe('mistakes', () => {
  test('are found: no answer, an answer without a request, noise', () => {
    const log = new WireLog();
    const entries = [
      hostSays({ type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } }),
      cliSays({ type: 'control_response', response: { subtype: 'success', request_id: 'r2' } }),
      { kind: 'line', t: 3, from: 'cli', line: 'Debugger attached.', frame: undefined },
      { kind: 'end', t: 9, end: { reason: 'exited', code: 1, signal: null, stderrTail: '' } },
    ] as const;
    log.append(entries.map((entry, index) => ({ at: index + 1, entry })));
    const { findings, rows, spans, end, duration } = log.snapshot();
    expect(findings.map(({ at, problem }) => [at, problem])).toEqual([
      [2, 'answer-to-nobody'],
      [3, 'noise'],
      [1, 'unanswered'],
    ]);
    expect(spans).toMatchObject([{ kind: 'request', outcome: 'open', end: 9 }]);
    expect(rows.map(summaryOf).at(-1)).toBe('exit code 1');
    expect([end?.reason, duration]).toEqual(['exited', 9]);
  });

  test('are not reported for requests before a gap: the answer may be in it', () => {
    const log = new WireLog();
    log.append([
      {
        at: 1,
        entry: hostSays({ type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } }),
      },
      { at: 2, entry: { kind: 'gap', t: 4, lines: 2 } },
    ]);
    expect(log.snapshot().findings.map(({ at, problem }) => [at, problem])).toEqual([[2, 'gap']]);
  });

  test('are not caused by an answer that arrives twice, or after a cancel', () => {
    const ask = {
      type: 'control_request',
      request_id: 'p',
      request: { subtype: 'can_use_tool', tool_name: 'Bash' },
    };
    const cancel = { type: 'control_cancel_request', request_id: 'p' };
    const late = {
      type: 'control_response',
      response: { subtype: 'success', request_id: 'p', response: {} },
    };
    const log = new WireLog();
    log.append([cliSays(ask, 1), cliSays(cancel, 5), hostSays(late, 8)].map((entry, at) => ({ at, entry })));
    const { exchanges, spans, rows } = log.snapshot();
    expect(exchanges.get(0)).toMatchObject({ how: 'cancelled', ms: 4 });
    expect(spans).toMatchObject([{ kind: 'prompt', name: 'Bash', word: 'withdrawn', end: 5 }]);
    expect(partnerLabels(rows, exchanges)).toEqual([
      'cancel to can_use_tool',
      'request can_use_tool',
      'request can_use_tool',
    ]);
  });
});

test('a tool call without a result ends with its turn', () => {
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: {} };
  const lines = [
    hostSays({ type: 'user', message: { role: 'user', content: 'go' } }, 1),
    cliSays({ type: 'assistant', message: { id: 'm1', content: [call] } }, 2),
    cliSays({ type: 'result', subtype: 'success', is_error: false, result: '' }, 6),
  ];
  const log = new WireLog();
  log.append(lines.map((entry, at) => ({ at, entry })));
  expect(log.snapshot().spans).toMatchObject([
    { kind: 'turn', name: 'go', word: 'success', end: 6 },
    { kind: 'tool', name: 'Bash', word: 'cut off', outcome: 'failed', end: 6 },
  ]);
});

test('lanes stack overlapping spans and leave out empty lanes', async () => {
  const { spans } = await logOf(NEW);
  const lanes = makeLanes(spans);
  expect(lanes.map(({ title }) => title)).toEqual(['Turns', 'Tools', 'Prompts', 'Callbacks', 'Requests']);
  const long = { ...spans[0], kind: 'tool', start: 0, end: 10 } as (typeof spans)[0];
  const [tools] = makeLanes([long, { ...long, start: 5 }, { ...long, start: 11 }]);
  expect(tools?.tracks.map((track) => track.length)).toEqual([2, 1]);
});
