import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OpenParams } from '../../../../src/entry/remote/contract.js';
import { projectKeyOf } from '../../../../src/host/transcripts/project-folders.js';
import { Folders } from '../../../../src/server/console/commands/folders.js';
import { History } from '../../../../src/server/console/commands/history.js';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [OURS, OTHERS, UNKNOWN, ALIKE, CARRIED] = [1, 2, 3, 4, 5].map(id) as [
  string,
  string,
  string,
  string,
  string,
];

/** A machine with one root, and conversations inside and outside of it. */
function machine() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-resumed-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [root, secret, configDir] = [join(folder, 'root'), join(folder, 'secret'), join(folder, 'config')];
  const [cwd, other] = [join(root, 'a'), join(root, 'b')];
  for (const each of [cwd, other, secret]) mkdirSync(each, { recursive: true });
  const write = (conversation: string, recorded: string, project = recorded) => {
    const place = join(configDir, 'projects', projectKeyOf(project));
    mkdirSync(place, { recursive: true });
    const line = {
      type: 'user',
      uuid: id(9),
      parentUuid: null,
      cwd: recorded,
      message: { role: 'user', content: 'secret' },
    };
    const file = join(place, `${conversation}.jsonl`);
    writeFileSync(file, `${JSON.stringify({ ...line, sessionId: conversation })}\n`);
    return file;
  };
  write(OURS, cwd);
  const file = write(OTHERS, secret);
  // The CLI uses the same name for both folders.
  write(ALIKE, `${root}-a`, cwd);
  write(CARRIED, '/home/of/another/machine', cwd);
  const touch = (conversation: string, seconds: number) =>
    utimesSync(join(configDir, 'projects', projectKeyOf(cwd), `${conversation}.jsonl`), seconds, seconds);
  const history = new History({ folders: new Folders([root]), configDir });
  const check = (asked: Partial<OpenParams>, isKnown = false) =>
    history.checkResume({ cwd, ...asked }, isKnown);
  return { root, cwd, other, secret, file, check, history, write, touch };
}

describe('a conversation to resume', () => {
  test('is one of the folder', async () => {
    const { check, cwd } = machine();
    expect(await check({ resume: OURS })).toEqual({ cwd, resume: OURS });
    expect(await check({ resume: CARRIED })).toEqual({ cwd, resume: CARRIED });
    expect(await check({})).toEqual({ cwd });
  });

  test.each([
    ['resume', (resume: string) => ({ resume })],
    ['a fork', (resume: string) => ({ resume, forkSession: true })],
    ['an option of a program', (resume: string) => ({ program: { options: { resume }, initialize: {} } })],
  ])('is not the path of a transcript, or outside the roots, in %s', async (_where, asked) => {
    const { check, file } = machine();
    const refused = { code: 'FOLDER_REFUSED' };
    for (const isKnown of [false, true]) {
      await expect(check(asked(file), isKnown)).rejects.toMatchObject(refused);
      await expect(check(asked('../secret/x.jsonl'), isKnown)).rejects.toMatchObject(refused);
      await expect(check(asked('x.JSONL'), isKnown)).rejects.toMatchObject(refused);
      await expect(check(asked(OTHERS), isKnown)).rejects.toMatchObject(refused);
      await expect(check(asked(ALIKE), isKnown)).rejects.toMatchObject(refused);
    }
  });

  test('exists, unless the server knows it', async () => {
    const { check, cwd } = machine();
    await expect(check({ resume: UNKNOWN })).rejects.toMatchObject({ code: 'SESSION_MISSING' });
    await expect(check({ resume: 'the one about cats' })).rejects.toMatchObject({ code: 'SESSION_MISSING' });
    expect(await check({ resume: UNKNOWN }, true)).toEqual({ cwd, resume: UNKNOWN });
  });
});

describe('the newest conversation of a folder', () => {
  const newest = (resume?: string) => ({ program: { options: { continue: true, resume }, initialize: {} } });

  test('is one of that folder, not of one with a similar name, and gets its name before a CLI starts', async () => {
    const { check, cwd, touch } = machine();
    touch(OURS, 1);
    touch(CARRIED, 2);
    touch(ALIKE, 3);
    expect(await check({ program: { options: { continue: true, model: 'haiku' }, initialize: {} } })).toEqual(
      {
        cwd,
        program: { options: { resume: CARRIED, model: 'haiku' }, initialize: {} },
      },
    );
  });

  test('is missing if all are from elsewhere', async () => {
    const { check, root, other, write } = machine();
    write(id(6), `${root}-b`, other);
    await expect(check({ cwd: other, ...newest() })).rejects.toMatchObject({ code: 'SESSION_MISSING' });
  });

  test('does not hide another one that is asked for', async () => {
    const { check, file } = machine();
    await expect(check(newest(file))).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
  });
});

test('Messages of a conversation outside the roots are not read through a folder with the same name', async () => {
  const { history, cwd } = machine();
  expect(await history.messages(OURS, cwd)).toHaveLength(1);
  expect(await history.messages(ALIKE, cwd)).toEqual([]);
  expect(await history.messages(OTHERS, undefined)).toEqual([]);
});
