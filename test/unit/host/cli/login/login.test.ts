import { expect, test } from 'vitest';
import { loginFolderName, loginOf } from '../../../../../src/host/cli/login/login.js';
import { type FakeMachine, fakeSystem } from '../options/fake-system.js';

const HOME = { HOME: '/home/me' };
const loginIn = (machine: FakeMachine = {}, env: Record<string, string> = HOME) =>
  loginOf(env, fakeSystem(machine));
const text = (value: unknown) => ({ text: JSON.stringify(value) });

test('is in the config folder, or where a variable says; an empty one means the usual folder', () => {
  const fileFor = (env: Record<string, string>) => loginIn({}, { ...HOME, ...env })?.file;
  const CLAUDE_CONFIG_DIR = '/own';
  expect(fileFor({})).toBe('/home/me/.claude/.credentials.json');
  expect(fileFor({ CLAUDE_CONFIG_DIR })).toBe('/own/.credentials.json');
  const apart = { CLAUDE_CONFIG_DIR, CLAUDE_SECURESTORAGE_CONFIG_DIR: '/shared' };
  expect(fileFor(apart)).toBe('/shared/.credentials.json');
  const usual = { CLAUDE_CONFIG_DIR, CLAUDE_SECURESTORAGE_CONFIG_DIR: '' };
  expect(fileFor(usual)).toBe('/home/me/.claude/.credentials.json');
});

test('is named for CLIs with another config folder; on macOS, the usual one has no name', () => {
  const nameOn = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    loginFolderName({ ...HOME, ...env }, fakeSystem({ platform }));
  expect(nameOn('linux')).toBe('/home/me/.claude');
  expect(nameOn('darwin')).toBe('');
  expect(nameOn('darwin', { CLAUDE_CONFIG_DIR: '/team' })).toBe('/team');
});

test.each(['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK'])(
  'is none with %s',
  (name) => {
    expect(loginIn({}, { ...HOME, [name]: 'x' })).toBeUndefined();
    expect(loginIn({}, { ...HOME, [name]: '' })).toBeDefined();
  },
);

test('says when it ends, if the file says so', () => {
  const endOf = (file: { text: string }) =>
    loginIn({ files: { '/home/me/.claude/.credentials.json': file } })?.expiresAt;
  expect(endOf(text({ claudeAiOauth: { accessToken: 'x', expiresAt: 99 } }))).toBe(99);
  for (const other of [{}, { claudeAiOauth: 3 }, { claudeAiOauth: { expiresAt: 'soon' } }])
    expect(endOf(text(other))).toBeUndefined();
  expect(endOf({ text: '{"claudeAi' })).toBeUndefined();
  expect(loginIn()?.expiresAt).toBeUndefined();
});

test.each(['/home/me/.claude.lock', '/home/me/.claude/.oauth_refresh.lock'])(
  'is being renewed while %s is touched, and not once nobody has for ten seconds',
  (lock) => {
    const login = loginIn({ folders: [lock], changed: { [lock]: 50_000 } });
    expect(login?.isBeingRenewed(59_999)).toBe(true);
    expect(login?.isBeingRenewed(60_000)).toBe(false);
    expect(login?.locks).toEqual([{ path: lock, touchedAt: 50_000 }]);
    expect(loginIn()?.isBeingRenewed(0)).toBe(false);
  },
);
