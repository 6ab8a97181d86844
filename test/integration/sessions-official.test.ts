import { cp, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Call,
  callOfficial,
  callOurs,
  comparable,
  OFFICIAL_MISSING,
} from '../support/official-sessions.js';
import { transcriptCases } from '../support/transcript-cases.js';
import { assistant, id, putTranscript, user } from '../support/transcripts.js';

const REAL = resolve('test/fixtures/transcripts');
const LONG = `/${'some-folder/'.repeat(30)}end`;
const names = Object.keys(transcriptCases);
const idOf = (name: string): string => id(1000 + names.indexOf(name));
let folder = '';
let configDir = '';
let realIds: readonly string[] = [];
let realAgents: readonly (readonly [session: string, agent: string])[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sessions-'));
  configDir = join(folder, 'config');
  for (const name of names)
    await putTranscript(configDir, `${idOf(name)}.jsonl`, transcriptCases[name] ?? []);
  for (const version of await readdir(REAL)) {
    const project = join(configDir, 'projects', `-real-${version.replaceAll('.', '-')}`);
    await cp(join(REAL, version), project, { recursive: true });
  }
  const paths = await readdir(REAL, { recursive: true });
  realIds = paths.flatMap((path) => /[^/]{36}(?=\.jsonl$)/.exec(path)?.[0] ?? []);
  realAgents = paths.flatMap((path) => {
    const [, session, agent] = /([^/]{36})\/subagents\/agent-(.+)\.jsonl$/.exec(path) ?? [];
    return session === undefined || agent === undefined ? [] : [[session, agent] as const];
  });
  const side = { isSidechain: true, agentId: 'x' };
  for (const path of ['agent-x', 'agent-y', 'workflows/one/agent-deep']) {
    const lines = [user(21, null, 'note', { ...side, isMeta: true }), assistant(22, 21, 'b', side)];
    await putTranscript(configDir, `${idOf('plain')}/subagents/${path}.jsonl`, lines);
  }
  const about = { agentType: 'g', toolUseId: 'toolu_1', parentAgentId: 'y' };
  await putTranscript(configDir, `${idOf('plain')}/subagents/agent-x.meta.json`, [about]);
  await putTranscript(configDir, 'agent-old.jsonl', [user(31, null, 'old', side)]);
  await putTranscript(configDir, 'notes.jsonl', [user(31, null, 'no session')]);
  const programs = ['cli', 'sdk-cli', 'sdk-ts', 'sdk-py', 'claude-vscode', 'mcp'];
  for (const [index, entrypoint] of programs.entries()) {
    await putTranscript(
      configDir,
      `${id(2000 + index)}.jsonl`,
      [user(11, null, 'hi', { entrypoint })],
      '-programs',
    );
  }
  const long = LONG.replaceAll(/[^a-z]/gi, '-').slice(0, 200);
  await putTranscript(configDir, `${id(3000)}.jsonl`, [user(11, null, 'mine', { cwd: LONG })], `${long}-abc`);
  await putTranscript(
    configDir,
    `${id(3001)}.jsonl`,
    [user(11, null, 'not', { cwd: `${LONG}2` })],
    `${long}-def`,
  );
  await putTranscript(configDir, `${idOf('plain')}.jsonl`, [user(11, null, 'elsewhere')], '-older-copy');
  await giveDistinctTimes(join(configDir, 'projects'));
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lists are ordered by time, and files made in the same millisecond have no order. */
async function giveDistinctTimes(projects: string): Promise<void> {
  const paths = (await readdir(projects, { recursive: true })).toSorted();
  for (const [index, path] of paths.entries()) await utimes(join(projects, path), 1000 - index, 1000 - index);
}

/** Every call that only reads. */
function reads(): readonly Call[] {
  const ids = [...names.map(idOf), ...realIds];
  const pages = [
    { limit: 2 },
    { offset: 1, limit: 1 },
    { offset: 2 },
    { limit: 0 },
    { offset: 99 },
    { limit: -1 },
  ];
  const perSession = ids.flatMap((each): Call[] => [
    ['getSessionInfo', each],
    ['getSessionMessages', each],
    ['getSessionMessages', each, { includeSystemMessages: true }],
    ['listSubagents', each],
  ]);
  const projects = ['/work/project', '/real/2.0.73', '/programs', '/nowhere', LONG];
  return [
    ...perSession,
    ...pages.map((page): Call => ['getSessionMessages', idOf('dialogue'), page]),
    ...pages.map((page): Call => ['listSessions', { dir: '/real/2.1.17', ...page }]),
    ...projects.map((dir): Call => ['listSessions', { dir }]),
    ['listSessions', { dir: '/programs', includeProgrammatic: false }],
    ['listSessions', { dir: '/real/2.1.326', includeWorktrees: false }],
    ['getSessionInfo', 'nonsense'],
    ['getSessionInfo', '../../etc/passwd'],
    ['getSessionInfo', id(999)],
    ['getSessionInfo', idOf('plain').toUpperCase()],
    ['getSessionInfo', idOf('plain'), { dir: '/real/2.1.17' }],
    ['getSessionMessages', 'nonsense'],
    ['getSessionMessages', id(999)],
    ['listSubagents', 'nonsense'],
    ...['x', 'y', 'deep', '../../agent-old', '', 'missing'].map(
      (agent): Call => ['getSubagentMessages', idOf('plain'), agent, { dir: '/work/project' }],
    ),
    ['listSubagents', idOf('plain'), { dir: '/work/project' }],
    ['getSubagentMessages', idOf('plain'), 'x', { dir: '/work/project', limit: 1, offset: 1 }],
    ...realAgents.map(([session, agent]): Call => ['getSubagentMessages', session, agent]),
    ...names.map(
      (name): Call => [
        'foldSessionSummary',
        undefined,
        { projectKey: 'p', sessionId: id(1) },
        objects(name),
        { mtime: 5 },
      ],
    ),
  ];
}

function objects(name: string): readonly unknown[] {
  const lines = transcriptCases[name] ?? [];
  return lines.filter((line) => typeof line !== 'string');
}

describe('we read what the official SDK reads', () => {
  test('the same from every transcript, real and synthetic, whole and broken', async ({ skip }) => {
    if (OFFICIAL_MISSING !== undefined) skip(OFFICIAL_MISSING);
    const calls = reads().filter((call) => ACCEPTED.every(({ fits }) => !fits(call)));
    const [ours, theirs] = [await callOurs(configDir, calls), await callOfficial(configDir, calls)];
    const differing = calls.flatMap((call, index) => {
      const [mine, official] = [comparable(ours[index]), comparable(theirs[index])];
      return JSON.stringify(sorted(mine)) === JSON.stringify(sorted(official))
        ? []
        : [firstDifference(call, mine, official)];
    });
    expect(differing).toEqual([]);
    expect(calls.length).toBeGreaterThan(400);
  });

  test('except for accepted differences, each with its reason', async ({ skip }) => {
    if (OFFICIAL_MISSING !== undefined) skip(OFFICIAL_MISSING);
    const calls = ACCEPTED.map(({ example }) => example);
    const [ours, theirs] = [await callOurs(configDir, calls), await callOfficial(configDir, calls)];
    const alike = ACCEPTED.filter(
      (_, index) => JSON.stringify(comparable(ours[index])) === JSON.stringify(comparable(theirs[index])),
    );
    expect(alike.map(({ reason }) => reason)).toEqual([]);
  });
});

describe('we write what the official SDK writes', () => {
  const session = (name: string) => [idOf(name), { dir: '/work/project' }] as const;

  /** The calls one after the other on a copy of all sessions, and the contents of changed files. */
  async function changes(by: typeof callOurs, calls: readonly Call[]): Promise<unknown> {
    const copy = await mkdtemp(join(folder, 'copy-'));
    await cp(configDir, copy, { recursive: true, preserveTimestamps: true });
    const outcomes = await by(copy, calls);
    const files = await filesIn(join(copy, 'projects', '-work-project'));
    const before = await filesIn(join(configDir, 'projects', '-work-project'));
    const gone = Object.keys(before).filter((name) => !(name in files));
    const changed = Object.entries(files).filter(([name, text]) => before[name] !== text);
    return { outcomes: outcomes.map(comparable), gone, changed };
  }

  test.for<[string, readonly Call[]]>([
    [
      'titles and tags',
      [
        ['renameSession', idOf('plain'), '  New title ', { dir: '/work/project' }],
        ['renameSession', idOf('plain'), '  ', { dir: '/work/project' }],
        ['renameSession', idOf('plain'), 'x', { dir: '/nowhere' }],
        ['renameSession', id(999), 'x'],
        ['renameSession', '../../x', 'x'],
        ['tagSession', idOf('dialogue'), ' T\u200b '],
        ['tagSession', idOf('dialogue'), ''],
        ['tagSession', idOf('two branches'), null],
      ],
    ],
    [
      'marks of being archived',
      [
        ['archiveSession', ...session('plain')],
        ['archiveSession', ...session('dialogue')],
        ['unarchiveSession', ...session('dialogue')],
        ['unarchiveSession', ...session('two roots')],
        ['archiveSession', id(999)],
        ['unarchiveSession', 'nonsense'],
      ],
    ],
    [
      'deletions',
      [
        ['deleteSession', ...session('plain')],
        ['deleteSession', ...session('plain')],
        ['deleteSession', id(999)],
        ['deleteSession', '..'],
      ],
    ],
  ])('%s', async ([, calls], { skip }) => {
    if (OFFICIAL_MISSING !== undefined) skip(OFFICIAL_MISSING);
    expect(await changes(callOurs, calls)).toEqual(await changes(callOfficial, calls));
  });

  test('forks: the same entries, order, links and titles', async ({ skip }) => {
    if (OFFICIAL_MISSING !== undefined) skip(OFFICIAL_MISSING);
    const whole = [...FORKED.map(idOf), ...realIds].map((each): Call => ['forkSession', each]);
    const parts = [11, 12, 14, 16].map(
      (upTo): Call => ['forkSession', idOf('two branches'), { upToMessageId: id(upTo) }],
    );
    const compacted = [12, 13, 14, 15, 16, 18].map(
      (upTo): Call => ['forkSession', idOf('a compaction that kept a segment'), { upToMessageId: id(upTo) }],
    );
    const odd: Call[] = [
      ['forkSession', idOf('dialogue'), { upToMessageId: id(99) }],
      ['forkSession', idOf('dialogue'), { title: 'Mine' }],
      ['forkSession', idOf('empty')],
      ['forkSession', idOf('only a title')],
      ['forkSession', id(999)],
      ['forkSession', '../x'],
    ];
    const calls = [...whole, ...parts, ...compacted, ...odd];
    const ours = await forks(callOurs, calls);
    expect(ours).toEqual(await forks(callOfficial, calls));
    expect(ours.filter((fork) => Array.isArray(fork) && fork[1] === 'fails')).toHaveLength(5);
  });

  async function forks(by: typeof callOurs, calls: readonly Call[]): Promise<readonly unknown[]> {
    const copy = await mkdtemp(join(folder, 'forks-'));
    await cp(configDir, copy, { recursive: true });
    const outcomes = await by(copy, calls);
    const paths = await readdir(copy, { recursive: true });
    return Promise.all(
      outcomes.map(async (outcome, index) => {
        const { sessionId } = ('value' in outcome ? outcome.value : {}) as { sessionId?: string };
        const path = paths.find((each) => each.endsWith(`/${sessionId}.jsonl`));
        return [
          calls[index],
          path === undefined ? 'fails' : structure(await readFile(join(copy, path), 'utf8')),
        ];
      }),
    );
  }
});

const FORKED = [
  'dialogue',
  'all kinds of titles',
  'a generated title',
  'only an answer',
  'two branches',
  'a missing parent',
  'a sidechain inside',
  'progress between',
  'attachments between',
  'a compaction',
  'a compaction that kept a segment',
  'tools side by side, as siblings',
  'a broken line',
];

interface ForkedEntry {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string;
  readonly customTitle?: string;
  readonly forkedFrom?: { readonly messageUuid: string };
}

/** Each entry of a fork by its original, and its parent likewise. */
function structure(text: string): readonly string[] {
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ForkedEntry);
  const origins = new Map(entries.map(({ uuid, forkedFrom }) => [uuid, forkedFrom?.messageUuid]));
  return entries.map(({ type, uuid, parentUuid, customTitle }) =>
    customTitle === undefined
      ? `${type} ${origins.get(uuid)} < ${origins.get(parentUuid)}`
      : `title ${customTitle}`,
  );
}

/** The files below a folder, with run-specific values replaced. */
async function filesIn(root: string): Promise<Readonly<Record<string, string>>> {
  const paths = (await readdir(root, { recursive: true })).toSorted();
  const texts: Record<string, string> = {};
  for (const path of paths) {
    const file = join(root, path);
    if (!(await stat(file)).isFile()) continue;
    const text = await readFile(file, 'utf8');
    texts[path] = text.replaceAll(/"at":"[^"]*"|"by":"[^"]*"/g, '""');
  }
  return texts;
}

/** Deliberate differences. One that no longer occurs fails the test above. */
const ACCEPTED: readonly {
  readonly reason: string;
  readonly example: Call;
  readonly fits: (call: Call) => boolean;
}[] = [
  {
    reason:
      'CLIs up to 2.0.73 write subagents next to the sessions; we find them, the official SDK does not.',
    example: ['listSubagents', '00002073-0000-4000-8000-000000000001'],
    fits: ([name, sessionId]) => name === 'listSubagents' && String(sessionId).startsWith('00002073'),
  },
  {
    reason: 'A session that does not say where it worked is not given the folder that was asked for.',
    example: ['listSessions', { dir: '/work/project' }],
    fits: ([name, options]) => name === 'listSessions' && JSON.stringify(options).includes('/work/project'),
  },
  {
    reason:
      'An entry of a type that we do not know may be a link of the chain; the official SDK loses what is before it.',
    example: ['getSessionMessages', idOf('an entry of a type that nobody knows between')],
    fits: ([name, sessionId]) =>
      name === 'getSessionMessages' && sessionId === idOf('an entry of a type that nobody knows between'),
  },
  {
    reason: 'A first prompt behind 64 KB is found up to 1 MB; the official SDK does not list such sessions.',
    example: ['getSessionInfo', idOf('a prompt far behind the head')],
    fits: ([name, sessionId]) =>
      name === 'getSessionInfo' && sessionId === idOf('a prompt far behind the head'),
  },
  {
    reason: 'A path is resolved before it is looked up: `/work/project/` is `/work/project`.',
    example: ['listSessions', { dir: '/work/other/../project/', limit: 1 }],
    fits: () => false,
  },
];

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

/** The call and the first difference, short enough to read. */
function firstDifference(call: Call, ours: unknown, theirs: unknown): unknown {
  const [mine, official] = [JSON.stringify(sorted(ours)), JSON.stringify(sorted(theirs))];
  const at = [...mine].findIndex((character, index) => character !== official[index]);
  const from = Math.max(0, at - 150);
  return [JSON.stringify(call).slice(0, 200), mine.slice(from, at + 100), official.slice(from, at + 100)];
}
