import { expect, test } from 'vitest';
import { loginNotes } from '../../../../src/command/doctor/login-notes.js';
import { type FakeMachine, fakeSystem } from '../../host/cli/options/fake-system.js';

const NOW = 1_000_000_000;
const notesFor = (machine: FakeMachine) => loginNotes(fakeSystem({ env: {}, ...machine }), NOW);
const locked = (path: string, changed: number) => notesFor({ folders: [path], changed: { [path]: changed } });

test.each(['/home/me/.claude.lock', '/home/me/.claude/.oauth_refresh.lock', '/home/me/.claude.json.lock'])(
  'a lock that nobody holds is named with its age: %s',
  (path) => {
    expect(locked(path, NOW - 90_000)).toEqual([expect.stringMatching(/left the lock (\S+) 1 min 30 s ago/)]);
    expect(locked(path, NOW - 90_000)[0]).toContain(path);
    expect(locked(path, NOW - 4_000)).toEqual([]);
  },
);

test('a lock from the future is one that no CLI takes over', () => {
  const [note] = locked('/home/me/.claude.lock', NOW + 3_600_000);
  expect(note).toContain('60 min 0 s in the future');
});

test('the locks of another config folder are found there', () => {
  const path = '/team/.claude.json.lock';
  const notes = notesFor({ env: { CLAUDE_CONFIG_DIR: '/team' }, folders: [path, '/team.lock'] });
  expect(notes.join()).toContain(path);
  expect(notes.join()).toContain('/team.lock');
});

test('a linked login is named, one that is in its folder is not', () => {
  const file = '/own/.credentials.json';
  const env = { CLAUDE_CONFIG_DIR: '/own' };
  const files = { '/login.json': { text: '{}' } };
  expect(notesFor({ env, files: { ...files, [file]: { link: '/login.json' } } })).toEqual([
    expect.stringContaining(`${file} is a link`),
  ]);
  expect(notesFor({ env, files: { [file]: { text: '{}' } } })).toEqual([]);
});

test('a machine without login and locks has no notes', () => {
  expect(notesFor({})).toEqual([]);
});
