import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCox } from '../../../support/cox.js';
import { assistant, id, putTranscript, SESSION, toolUse, user } from '../../../support/transcripts.js';

let configDir = '';
let file = '';

beforeEach(async () => {
  configDir = await mkdtemp(join(tmpdir(), 'cox-sessions-'));
  file = await putTranscript(configDir, `${SESSION}.jsonl`, [
    user(11, null, 'say \u001b[31mhello'),
    assistant(12, 11, 'hello'),
    { type: 'tag', tag: 'work', sessionId: SESSION },
  ]);
});

afterEach(() => rm(configDir, { recursive: true, force: true }));

async function cox(...args: readonly string[]) {
  const cox = startCox(['sessions', ...args], {
    env: { CLAUDE_CONFIG_DIR: configDir },
    cwd: '/work/project',
  });
  return { exitCode: await cox.exitCode, ...cox.output };
}

test('lists the sessions of the current folder, of another one, or of all', async () => {
  const here = await cox('list');
  expect(here).toMatchObject({ exitCode: 0, err: '' });
  expect(here.out).toMatch(new RegExp(`^\\S+ \\S+ {2}${SESSION} {2}say \\\\x1b\\[31mhello #work\n$`));
  expect(await cox('list', '--dir', '/elsewhere')).toMatchObject({
    exitCode: 0,
    out: '',
    err: expect.stringContaining('--all'),
  });
  expect((await cox('list', '--all')).out).toBe(here.out);
});

test('lists them as JSON', async () => {
  const { out } = await cox('list', '--json');
  expect(JSON.parse(out)).toMatchObject({ schema: 1, sessionId: SESSION, tag: 'work' });
});

test('shows the messages of a session', async () => {
  const { out, exitCode } = await cox('show', SESSION);
  expect(exitCode).toBe(0);
  expect(out).toContain('user 2026-01-01T00:00:11.000Z\nsay \\x1b[31mhello\n');
  expect(out).toContain('assistant 2026-01-01T00:00:12.000Z\nhello\n');
  const { out: page } = await cox('show', SESSION, '--offset', '1', '--limit', '1', '--json');
  expect(JSON.parse(page)).toMatchObject({ schema: 1, type: 'assistant', uuid: id(12) });
});

test('says when there is no such session', async () => {
  expect(await cox('show', id(404))).toMatchObject({
    exitCode: 4,
    out: '',
    err: expect.stringContaining('SESSION_MISSING'),
  });
  expect(await cox('show', '../../etc/passwd')).toMatchObject({ exitCode: 4, out: '' });
});

test('checks all transcripts, and explains what is broken', async () => {
  expect(await cox('check')).toMatchObject({
    exitCode: 0,
    out: '',
    err: '1 transcript checked, 0 with problems.\n',
  });
  await appendFile(file, `${JSON.stringify(assistant(13, 12, toolUse('t')))}\n`);
  const { exitCode, out } = await cox('check');
  expect(exitCode).toBe(10);
  expect(out).toContain(`${file}\n`);
  expect(out).toMatch(/UNANSWERED_TOOL_USE line 4: .*\n {4}what it means: .*\n {4}what to do: .*fork/);
  const { out: json } = await cox('check', file, '--json');
  expect(JSON.parse(json)).toMatchObject({
    schema: 1,
    file,
    findings: [{ code: 'UNANSWERED_TOOL_USE', line: 4 }],
  });
});

test('says when there is nothing to check', async () => {
  expect(await cox('check', 'nowhere')).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('TRANSCRIPT_INVALID'),
  });
});
