import { describe, expect, it } from 'vitest';
import { contentOf, readAttachment } from '../../../../console-ui/console/composer/attachments.js';
import { decisionWords, isNegative } from '../../../../console-ui/console/conversation/decision-words.js';
import { fileEdit } from '../../../../console-ui/console/conversation/edits.js';
import { safeLink } from '../../../../console-ui/console/conversation/safe-link.js';
import { readRequest, requestText } from '../../../../console-ui/console/inspector/request-text.js';
import { TraceEntries } from '../../../../console-ui/console/inspector/trace-entries.js';
import { browserName } from '../../../../console-ui/console/link/browser-name.js';
import { makeUuid } from '../../../../console-ui/console/link/uuid.js';
import { fits, inOrder, isArchived, tagsOf } from '../../../../console-ui/console/sidebar/search.js';
import { readRoute, routeTo } from '../../../../console-ui/console/store/route.js';
import { memoryWords } from '../../../../console-ui/console/ui/memory-words.js';
import { fullName, titleOf } from '../../../../console-ui/console/ui/names.js';
import { shortTime, timeAgo } from '../../../../console-ui/console/ui/time.js';
import type { WireEntry } from '../../../../console-ui/shared/model/wire-row.js';
import type { PromptAnswer, SessionSummary } from '../../../../src/entry/remote/contract.js';

describe('links in model output', () => {
  it('lead to the web or to mail', () => {
    for (const good of ['https://a.example/x?y#z', 'HTTP://a.example', 'mailto:a@b.example'])
      expect(safeLink(good)).toBe(good);
  });

  it('lead nowhere else', () => {
    const bad = [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:x',
      'data:text/html,x',
      '/api/me',
      '//a',
      'https://a b',
      'file:///etc',
      '',
    ];
    expect(bad.map(safeLink)).toEqual(bad.map(() => undefined));
  });
});

describe('file changes', () => {
  it('are found in the input of an edit, with the surrounding lines', () => {
    const input = { file_path: '/a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree' };
    expect(fileEdit({ name: 'Edit', input })).toMatchObject({
      path: '/a.ts',
      added: 1,
      removed: 1,
      numbered: false,
      hunks: [{ lines: [' one', '-two', '+2', ' three'] }],
    });
  });

  it('are taken from the CLI if it reports them, with the real line numbers', () => {
    const details = { structuredPatch: [{ oldStart: 40, newStart: 41, lines: [' a', '+b'] }] };
    const edit = fileEdit({
      name: 'Edit',
      input: { file_path: '/a.ts', old_string: 'x', new_string: 'y' },
      details,
    });
    expect(edit).toMatchObject({ numbered: true, added: 1, hunks: [{ oldStart: 40, newStart: 41 }] });
  });

  it('are all additions for a new file, and one hunk for each of several edits', () => {
    expect(fileEdit({ name: 'Write', input: { file_path: '/a', content: 'x\ny' } })).toMatchObject({
      added: 2,
      removed: 0,
    });
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ];
    expect(fileEdit({ name: 'MultiEdit', input: { file_path: '/a', edits } })?.hunks).toHaveLength(2);
  });

  it('are empty for other tools and for invalid input', () => {
    expect(fileEdit({ name: 'Read', input: { file_path: '/a' } })).toBeUndefined();
    expect(fileEdit({ name: 'Edit', input: { file_path: '/a', old_string: 7 } })).toBeUndefined();
    expect(fileEdit({ name: 'Bash', input: { command: 'ls' } })).toBeUndefined();
  });
});

describe('attached files', () => {
  it('are sent as pictures, documents or text', async () => {
    const read = async (name: string, type: string, body: BlobPart) =>
      (await readAttachment(new File([body], name, { type }), () => 'id')).block;
    expect(await read('a.png', 'image/png', 'x')).toMatchObject({ type: 'image', source: { data: 'eA==' } });
    expect(await read('a.pdf', 'application/pdf', 'x')).toMatchObject({ type: 'document', title: 'a.pdf' });
    expect(await read('a.md', 'text/markdown', '# hi')).toMatchObject({
      type: 'text',
      text: expect.stringContaining('# hi'),
    });
  });

  it('are refused when they are too large or unreadable', async () => {
    const large = new File([new Uint8Array(9 * 1024 * 1024)], 'large.png', { type: 'image/png' });
    await expect(readAttachment(large, () => 'id')).rejects.toThrow('too large');
    const odd = new File([new Uint8Array([0xff, 0xfe, 0x00])], 'odd.bin');
    await expect(readAttachment(odd, () => 'id')).rejects.toThrow('cannot be attached');
  });

  it('leave a message plain text if there are none', async () => {
    expect(contentOf('hi', [])).toBe('hi');
    const attachment = await readAttachment(new File(['x'], 'a.png', { type: 'image/png' }), () => 'id');
    expect(contentOf('hi', [attachment])).toMatchObject([{ type: 'image' }, { type: 'text', text: 'hi' }]);
    expect(contentOf(' ', [attachment])).toHaveLength(1);
  });
});

describe('a request to resend', () => {
  it('is parsed from the typed text', () => {
    expect(readRequest('{"subtype":"set_model","model":"x"}')).toEqual({
      subtype: 'set_model',
      params: { model: 'x' },
    });
    expect(readRequest(requestText({ request: { subtype: 'mcp_status' } }))).toEqual({
      subtype: 'mcp_status',
      params: {},
    });
  });

  it('is refused while it is invalid', () => {
    for (const text of ['{', '[]', '"x"', '{}', '{"subtype":""}'])
      expect(readRequest(text)).toHaveProperty('problem');
  });
});

it('gives the shared wire view the text of each line', () => {
  const frame = { type: 'keep_alive' };
  const event = { kind: 'line', t: 9, from: 'cli', frame } as const;
  expect(new TraceEntries().take([{ n: 4, at: 1_009, event }])).toEqual([
    { at: 4, entry: { kind: 'line', t: 9, from: 'cli', frame, line: '{"type":"keep_alive"}' } },
  ]);
});

it('shows the CLIs of a session one after another', () => {
  const entries = new TraceEntries();
  const start = { kind: 'header', startedAt: '', argv: [] } as const;
  const line = (t: number) => ({ kind: 'line', t, from: 'cli', frame: { type: 'keep_alive' } }) as const;
  const timesOf = (taken: readonly WireEntry[]) =>
    taken.map(({ entry }) => ('t' in entry ? entry.t : undefined));
  const first = [
    { n: 1, at: 10_000, event: start },
    { n: 2, at: 10_500, event: line(500) },
  ];
  expect(timesOf(entries.take(first))).toEqual([undefined, 500]);
  const second = [
    { n: 3, at: 70_000, event: start },
    { n: 4, at: 70_020, event: line(20) },
  ];
  expect(timesOf(entries.take(second))).toEqual([undefined, 60_020]);
});

it('parses the address and writes it back', () => {
  expect(readRoute('#/s/a%2Fb/mcp')).toEqual({ session: 'a/b', tab: 'mcp' });
  expect(readRoute(routeTo('a/b', 'inspector'))).toEqual({ session: 'a/b', tab: 'inspector' });
  expect(readRoute('#/s/%E0%A4%A/mcp/%')).toEqual({ session: '%E0%A4%A', tab: 'mcp', find: '%' });
  expect(readRoute('#/s/x/nowhere')).toEqual({ session: 'x', tab: 'conversation' });
  for (const hash of ['', '#/', '#token=x', '#/s/']) expect(readRoute(hash).session).toBeUndefined();
});

it('searches names, folders, models and ids for every word, and keeps the order stable', () => {
  const make = (id: string, more: Partial<SessionSummary>) =>
    ({
      id,
      title: 'Fix slugs',
      cwd: '/work/blog',
      model: 'opus',
      state: 'idle',
      startedAt: 1,
      ...more,
    }) as SessionSummary;
  expect(fits(make('a', {}), 'BLOG slug')).toBe(true);
  expect(fits(make('a', {}), 'blog shop')).toBe(false);
  const sessions = [
    make('ended', { state: 'ended', startedAt: 9 }),
    make('old', { state: 'needs-you' }),
    make('new', { startedAt: 5 }),
  ];
  expect(inOrder(sessions).map(({ id }) => id)).toEqual(['new', 'old', 'ended']);
});

it('puts sessions out of the way that were archived, or ended without a message', () => {
  const make = (more: Partial<SessionSummary>) =>
    ({ title: '', state: 'ended', costUsd: 0, tokens: { output: 0 }, ...more }) as SessionSummary;
  expect(isArchived(make({}))).toBe(true);
  expect(isArchived(make({ archived: true, title: 'x', state: 'idle' }))).toBe(true);
  expect(isArchived(make({ state: 'idle' }))).toBe(false);
  expect(isArchived(make({ title: 'Paint the shed' }))).toBe(false);
  expect(isArchived(make({ costUsd: 0.1 }))).toBe(false);
});

it('finds sessions by their tags, and lists each tag once', () => {
  const make = (...tags: string[]) => ({ title: '', cwd: '/w', id: '1', tags }) as unknown as SessionSummary;
  expect(fits(make('paint'), '#paint')).toBe(true);
  expect(fits(make('paint'), '#shed')).toBe(false);
  expect(tagsOf([make('shed', 'paint'), make('paint'), make()])).toEqual(['paint', 'shed']);
});

it('tells times relative to now, and other days with their date', () => {
  const now = new Date(2026, 4, 20, 12, 0).getTime();
  const ago = (minutes: number) => timeAgo(now - minutes * 60_000, now);
  expect([ago(0), ago(5), ago(180), ago(13 * 60), ago(3 * 1_440)]).toEqual([
    'now',
    '5 min',
    '3 h',
    'yesterday',
    new Date(2026, 4, 17).toLocaleDateString([], { weekday: 'short' }),
  ]);
  expect(ago(30 * 1_440)).not.toMatch(/2026/);
  expect(ago(300 * 1_440)).toMatch(/2025/);
  expect(shortTime(now - 60_000, now)).not.toMatch(/,/);
  expect(shortTime(now - 1_440 * 60_000, now)).toMatch(/19.*, .*00/);
});

it('names browsers and creates ids', () => {
  expect(browserName('Mozilla/5.0 (Linux; Android 15) Firefox/140.0')).toBe('Firefox on Android');
  expect(browserName('Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140')).toBe('Edge on Windows');
  expect(browserName('curl')).toBe('a browser');
  expect(makeUuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

describe('the outcome of a prompt', () => {
  const by = { client: 'phone', name: 'Firefox on Android' };
  const words = (answer: PromptAnswer, client = 'desk') =>
    decisionWords({ how: 'answered', by, answer }, client);

  it('is shown with who decided and what', () => {
    const mode = { type: 'setMode', mode: 'plan', destination: 'userSettings' } as const;
    const forNow = { ...mode, destination: 'session' } as const;
    expect(words({ answer: 'allow' }, 'phone')).toBe('Allowed by you');
    expect(words({ answer: 'allow', permissions: [mode] })).toBe('Allowed permanently by Firefox on Android');
    expect(words({ answer: 'allow', permissions: [forNow] })).toBe(
      'Allowed for this session by Firefox on Android',
    );
    expect(words({ answer: 'allow', input: {} })).toBe('Allowed by Firefox on Android: with another input');
    expect(words({ answer: 'deny', reason: 'not now' })).toBe('Denied by Firefox on Android: not now');
    const choices = { colour: 'Red', days: ['Monday', { other: 'some Sunday' }] };
    expect(words({ answer: 'choices', choices })).toBe(
      'Answered by Firefox on Android: Red; Monday, some Sunday',
    );
    expect(words({ answer: 'reject', feedback: 'tests' })).toBe('Sent back by Firefox on Android: tests');
    expect(words({ answer: 'raw', value: {} })).toBe('Answered by Firefox on Android');
  });

  it('is shown if nobody decided', () => {
    const expired = { how: 'expired', by: undefined, answer: undefined } as const;
    expect(decisionWords(expired, 'desk')).toBe('Prompt expired');
    expect(isNegative(expired)).toBe(true);
    expect(isNegative({ how: 'answered', by, answer: { answer: 'approve' } })).toBe(false);
    expect(isNegative({ how: 'answered', by, answer: { answer: 'deny' } })).toBe(true);
  });
});

describe('names of sessions', () => {
  const summary = (id: string, title: string) =>
    ({ id, title, cwd: '/work/app', startedAt: Date.UTC(2026, 0, 1) }) as SessionSummary;

  it('are the first message, or the folder', () => {
    expect(titleOf(summary('a', 'Fix it'))).toBe('Fix it');
    expect(titleOf(summary('a', ''))).toBe('New session in app');
  });

  it('are made distinct if they are the same, and only then', () => {
    const all = [summary('aaaa-1', ''), summary('bbbb-2', ''), summary('cccc-3', 'Fix it')];
    const sessions = new Map(all.map((each) => [each.id, each]));
    const [one, other, third] = all.map((each) => fullName(each, sessions));
    expect([one, other, third]).toEqual(['New session in app', 'New session in app (2)', 'Fix it']);
  });
});

it('shows the memory of a CLI, and warnings about it', () => {
  const memory = { bytes: 300 * 1024 ** 2, processes: 1, growing: false, over: false };
  expect(memoryWords(memory)).toBe('300 MiB of memory by the CLI');
  expect(memoryWords({ ...memory, processes: 3, growing: true, over: true })).toBe(
    '300 MiB of memory by the CLI and 2 more, growing, more than the limit',
  );
});
