import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import { SessionFiles } from '../../../../src/server/console/sessions/session-files.js';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

function record(session: string) {
  const opened = { cwd: '/work', program: { options: {}, initialize: {} } };
  const by = { client: 'c', name: 'a page', kind: 'page' as const };
  const summary = newSummary(session, opened, by, { now: 1, sessionBudgetUsd: 2, repository: '/repo' });
  const prompt = { id: 'p', kind: 'permission', at: 1, headline: 'Bash: ls', tool: 'Bash', input: {} };
  return {
    pid: 0,
    cli: { pid: 1, started: '12' },
    summary: { ...summary, prompts: [prompt], queued: ['m'], fromTheFuture: {} } as Record<string, unknown>,
    opened: opened as Record<string, unknown>,
    alsoNew: true,
  };
}

const FAULTS: readonly (readonly [string, unknown])[] = [
  ['summary.context', null],
  ['summary.context', { tokens: null }],
  ['summary.tokens', null],
  ['summary.tokens', { input: 1 }],
  ['summary.tokens', { input: 'many', output: 0, cacheRead: 0, cacheCreation: 0 }],
  ['summary.title', 7],
  ['summary.cwd', undefined],
  ['summary.state', 'asleep'],
  ['summary.owner', 'me'],
  ['summary.owner', { name: 'a', kind: 'ghost', away: false }],
  ['summary.costUsd', '1'],
  ['summary.prompts', {}],
  ['summary.prompts', [null]],
  ['summary.queued', [1]],
  ['summary.allows', null],
  ['summary.last', -1],
  ['summary.startedAt', null],
  ['summary.conversation', {}],
  ['opened.cwd', 1],
  ['opened.program', { options: null, initialize: {} }],
  ['opened.disabledServers', 'all'],
  ['pid', 'one'],
  ['cli', { pid: null }],
  ['summary', null],
  ['opened', []],
];

test.each(FAULTS)(
  'a record whose %s is %j is set aside and named; the others are read',
  async (path, value) => {
    const root = mkdtempSync(join(tmpdir(), 'coxswain-records-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const broken = record(id(2)) as Record<string, unknown>;
    const [first = '', second] = path.split('.');
    if (second === undefined) broken[first] = value;
    else (broken[first] as Record<string, unknown>)[second] = value;
    for (const [number, each] of [
      [1, record(id(1))],
      [2, broken],
    ] as const) {
      mkdirSync(join(root, id(number)));
      writeFileSync(join(root, id(number), 'session.json'), JSON.stringify(each));
    }
    const { records, problems } = await new SessionFiles(root).list();
    expect(records).toEqual([record(id(1))]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(join(id(2), 'session.json'));
    expect(problems[0]).toContain(second ?? first);
  },
);
