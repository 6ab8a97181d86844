import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkTranscripts } from '../../../../src/host/transcripts/check/check-transcripts.js';
import type { TranscriptReport } from '../../../../src/host/transcripts/check/finding.js';
import {
  assistant,
  entry,
  id,
  type Line,
  putTranscript,
  SESSION,
  toolResult,
  toolUse,
  transcript,
  user,
} from '../../../support/transcripts.js';

let configDir = '';

beforeEach(async () => {
  configDir = await mkdtemp(join(tmpdir(), 'sessions-check-'));
});

afterEach(() => rm(configDir, { recursive: true, force: true }));

async function reports(path: string): Promise<readonly TranscriptReport[]> {
  const found: TranscriptReport[] = [];
  for await (const report of checkTranscripts(path)) found.push(report);
  return found;
}

/** The findings in a transcript, as `CODE line`. */
async function found(lines: readonly Line[], text = transcript(lines)): Promise<readonly string[]> {
  const file = await putTranscript(configDir, `${SESSION}.jsonl`, []);
  await writeFile(file, text);
  const [report] = await reports(file);
  expect(await readFile(file, 'utf8')).toBe(text);
  return (report?.findings ?? []).map(({ code, line }) => (line === undefined ? code : `${code} ${line}`));
}

const good = [
  user(11, null, 'a'),
  assistant(12, 11, toolUse('t')),
  user(13, 12, toolResult('t')),
  assistant(14, 13, 'b'),
];
const side = { isSidechain: true };

describe('a valid transcript', () => {
  test('has no findings', async () => {
    expect(await found(good)).toEqual([]);
  });

  test('may have a compaction, branches, sidechains, and parallel tool calls', async () => {
    const call = (number: number, tool: string) =>
      assistant(number, 11, toolUse(tool), { messageId: 'msg_one' });
    const parallel = [
      user(11, null, 'a'),
      call(12, 't1'),
      call(13, 't2'),
      user(14, 12, toolResult('t1')),
      user(15, 13, toolResult('t2')),
      assistant(16, 15, 'b'),
    ];
    expect(await found(parallel)).toEqual([]);
    expect(
      await found([...good, user(21, null, 's', side), user(22, 12, 'taken back'), user(15, 14, 'c')]),
    ).toEqual([]);
    expect(
      await found([
        ...good,
        entry(20, null, { type: 'system', subtype: 'compact_boundary' }),
        user(21, 20, 'c'),
      ]),
    ).toEqual([]);
  });
});

describe('a broken transcript is detected', () => {
  test.each<[string, readonly Line[], readonly string[]]>([
    ['a line that is not JSON', [good[0] ?? '', '{"type":', ...good.slice(1)], ['INVALID_JSON 2']],
    ['a line that is not an entry', [...good, '5', '{}'], ['NOT_AN_ENTRY 5', 'NOT_AN_ENTRY 6']],
    ['a missing parent', [user(11, 99, 'a'), assistant(12, 11, 'b')], ['MISSING_PARENT 1']],
    [
      'a loop',
      [user(11, 12, 'a'), assistant(12, 11, 'b'), user(13, 12, 'c')],
      ['PARENT_LOOP 1', 'PARENT_LOOP 2'],
    ],
    ['a duplicate uuid', [...good, assistant(14, 13, 'b')], ['DUPLICATE_UUID 5']],
    [
      'a call without a result',
      [user(11, null, 'a'), assistant(12, 11, toolUse('t')), user(13, 12, 'b')],
      ['UNANSWERED_TOOL_USE 2'],
    ],
    [
      'a result without a call',
      [user(11, null, 'a'), assistant(12, 11, 'b'), user(13, 12, toolResult('t'))],
      ['ORPHAN_TOOL_RESULT 3'],
    ],
    [
      'an empty text',
      [user(11, null, 'a'), assistant(12, 11, [{ type: 'text', text: '' }])],
      ['EMPTY_TEXT 2'],
    ],
    ['two sessions', [...good, user(15, 14, 'c', { sessionId: id(2) })], ['MIXED_SESSIONS']],
    ['another session', [user(11, null, 'a', { sessionId: id(2) })], ['WRONG_SESSION']],
    ['no message', [{ type: 'custom-title', customTitle: 'x', sessionId: SESSION }], ['NO_CONVERSATION']],
    ['nothing at all', [], ['EMPTY_FILE']],
  ])('%s', async (_, lines, expected) => {
    expect(await found(lines)).toEqual(expected);
  });

  test('a truncated last line', async () => {
    expect(await found([], transcript(good).slice(0, -10))).toEqual(['CUT_LINE 4']);
  });

  test('a call on an abandoned branch does not matter', async () => {
    const left = [
      user(11, null, 'a'),
      assistant(12, 11, toolUse('t')),
      user(13, 11, 'other'),
      assistant(14, 13, 'b'),
    ];
    expect(await found(left)).toEqual([]);
  });

  test('each finding says what it means and what to do', async () => {
    const file = await putTranscript(configDir, `${SESSION}.jsonl`, good.slice(0, 2));
    const [report] = await reports(file);
    expect(report).toMatchObject({
      file,
      lines: 2,
      messages: 2,
      more: 0,
      findings: [{ severity: 'warning', line: 2, means: /400/, remedy: /[Ff]ork/ }].map((each) => ({
        ...each,
        means: expect.stringMatching(each.means),
        remedy: expect.stringMatching(each.remedy),
      })),
    });
  });

  test('many findings of a kind are counted and not kept', async () => {
    const file = await putTranscript(
      configDir,
      `${SESSION}.jsonl`,
      Array.from({ length: 1000 }, () => '{broken'),
    );
    const [report] = await reports(file);
    expect(report).toMatchObject({ lines: 1000, more: 980 });
  });
});

describe('a folder', () => {
  test('is checked with everything below it', async () => {
    await putTranscript(configDir, `${SESSION}.jsonl`, good);
    await putTranscript(configDir, `${SESSION}/subagents/agent-a.jsonl`, [user(21, null, 's', side)]);
    await putTranscript(configDir, 'agent-old.jsonl', [user(22, null, 's', side)]);
    await putTranscript(configDir, `${id(2)}/subagents/agent-b.jsonl`, [user(23, null, 's', side)]);
    await putTranscript(configDir, 'agent-lost.jsonl', [user(24, null, 's', { ...side, sessionId: id(3) })]);
    const all = await reports(configDir);
    const codes = Object.fromEntries(
      all.map(({ file, findings }) => [file.split('/').at(-1), findings.map(({ code }) => code)]),
    );
    expect(codes).toEqual({
      [`${SESSION}.jsonl`]: [],
      'agent-a.jsonl': [],
      'agent-old.jsonl': [],
      'agent-b.jsonl': ['SIDECHAIN_WITHOUT_OWNER'],
      'agent-lost.jsonl': ['SIDECHAIN_WITHOUT_OWNER'],
    });
  });

  test('of real transcripts has no problems', async () => {
    const all = await reports('test/fixtures/transcripts');
    expect(all.length).toBeGreaterThan(15);
    expect(all.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'note')).toEqual([]);
  });

  test('that does not exist is an error', async () => {
    await expect(reports(join(configDir, 'nowhere'))).rejects.toMatchObject({ code: 'TRANSCRIPT_INVALID' });
  });
});
