import { expect, test } from 'vitest';
import { BASIC_VARIABLES, buildEnvironment, variableFor } from '../../../../src/host/cli/environment.js';
import { OptionError } from '../../../../src/wire/util/option-checks.js';
import { fakeSystem } from './options/fake-system.js';

const host = {
  PATH: '/bin',
  HOME: '/h',
  SECRET: 's',
  NODE_OPTIONS: '--inspect',
  COXSWAIN_TOKEN: 't',
  COXSWAIN_WATCH_TOKEN: 'w',
  LANG: 'C',
};
const system = fakeSystem({ env: host });

test('extends the host’s environment by default, without its Node flags and the token of its console', () => {
  expect(buildEnvironment({ env: { A: '1' } }, system)).toEqual({
    PATH: '/bin',
    HOME: '/h',
    SECRET: 's',
    LANG: 'C',
    A: '1',
  });
});

test('Node flags are passed on when the caller gives them', () => {
  expect(buildEnvironment({ env: { NODE_OPTIONS: '--x' } }, system).NODE_OPTIONS).toBe('--x');
});

test('a variable set to undefined is removed', () => {
  expect(buildEnvironment({ env: { SECRET: undefined } }, system)).not.toHaveProperty('SECRET');
});

test('replaces it if requested', () => {
  expect(buildEnvironment({ envMode: 'replace', env: { PATH: '/x' } }, system)).toEqual({ PATH: '/x' });
});

test('isolates: only a short list is kept', () => {
  const built = buildEnvironment({ envMode: 'isolated', env: { A: '1' } }, system);
  expect(built).toEqual({ PATH: '/bin', HOME: '/h', LANG: 'C', A: '1' });
});

test('isolates: the address of a model and the key for it are kept, and no other secret', () => {
  const model = {
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_API_KEY: 'made-up',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const others = { ANTHROPIC_AUTH_TOKEN: 't', CLAUDE_CODE_OAUTH_TOKEN: 't', HTTPS_PROXY: 'http://p' };
  const system = fakeSystem({ env: { PATH: '/bin', ...model, ...others } });
  expect(buildEnvironment({ envMode: 'isolated' }, system)).toEqual({ PATH: '/bin', ...model });
  expect(BASIC_VARIABLES.filter((name) => /KEY|TOKEN|ANTHROPIC|CLAUDE|PROXY/.test(name))).toEqual([]);
});

test('variables from options yield to the caller’s own, and the mark cannot be overridden', () => {
  const parts = { fromOptions: { ENTRY: 'ours', B: 'b' }, forced: { MARK: 'm' } };
  const built = buildEnvironment({ ...parts, env: { ENTRY: 'mine', MARK: 'x' } }, system);
  expect(built).toMatchObject({ ENTRY: 'mine', B: 'b', MARK: 'm' });
});

test.each(['replace', 'extend'] as const)('an environment without PATH is refused (%s)', (envMode) => {
  const build = () => buildEnvironment({ envMode, env: { PATH: undefined, A: '1' } }, system);
  expect(build).toThrow(OptionError);
  expect(build).toThrow(/PATH/);
});

test('the host’s own environment is never modified', () => {
  const before = { ...host };
  buildEnvironment({ env: { PATH: '/x', SECRET: undefined }, forced: { MARK: 'm' } }, system);
  expect(host).toEqual(before);
});

test('on Windows, Path and PATH are the same', () => {
  const windows = fakeSystem({ platform: 'win32', env: { Path: 'C:\\a', SystemRoot: 'C:\\w', X: '1' } });
  expect(buildEnvironment({ env: { PATH: 'C:\\b' } }, windows)).toEqual({
    PATH: 'C:\\b',
    SystemRoot: 'C:\\w',
    X: '1',
  });
  expect(buildEnvironment({ envMode: 'isolated' }, windows)).toEqual({ PATH: 'C:\\a', SYSTEMROOT: 'C:\\w' });
});

test.each([
  {},
  { env: { LANG: 'de', HOME: undefined, NODE_OPTIONS: '--x' } },
  { envMode: 'isolated' },
  { envMode: 'isolated', env: { SECRET: 'mine' } },
  { envMode: 'replace', env: { PATH: '/x' } },
] as const)('one variable is the same as in the whole environment: %j', (parts) => {
  const whole = buildEnvironment(parts, system);
  for (const name of Object.keys(host))
    expect([name, variableFor(name, parts, system)]).toEqual([name, whole[name]]);
});

test('one variable on Windows has any spelling', () => {
  const windows = fakeSystem({ platform: 'win32', env: { Path: 'C:\\a' } });
  expect(variableFor('PATH', {}, windows)).toBe('C:\\a');
  expect(variableFor('PATH', { env: { path: 'C:\\b' } }, windows)).toBe('C:\\b');
  expect(variableFor('PATH', { env: { path: undefined } }, windows)).toBeUndefined();
});
