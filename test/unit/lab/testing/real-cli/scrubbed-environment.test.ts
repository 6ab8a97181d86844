import { describe, expect, test } from 'vitest';
import { scrubbedEnvironment } from '../../../../../src/lab/testing/real-cli/scrubbed-environment.js';

const host = {
  PATH: '/bin',
  HOME: '/home/me',
  ANTHROPIC_API_KEY: 'mine',
  AWS_SECRET_ACCESS_KEY: 'mine too',
  SystemRoot: 'C:\\Windows',
};
const options = {
  home: '/t/home',
  tmp: '/t/tmp',
  modelUrl: 'http://127.0.0.1:1',
  host,
  platform: 'linux',
  node: '20.19.0',
};

describe('scrubbedEnvironment', () => {
  test('takes only the search path from the host', () => {
    const env = scrubbedEnvironment(options);
    expect(env.PATH).toBe('/bin');
    expect(Object.values(env).join(' ')).not.toMatch(/mine|home\/me|Windows/);
  });

  test('points the CLI at throwaway folders and at the model, with a fake key', () => {
    expect(scrubbedEnvironment(options)).toMatchObject({
      HOME: '/t/home',
      TMPDIR: '/t/tmp',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_API_KEY: expect.stringContaining('made-up'),
    });
  });

  test('turns other traffic off', () => {
    expect(scrubbedEnvironment(options)).toMatchObject({
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    });
  });

  test('points every proxy to a closed port, except for the model', () => {
    const env = scrubbedEnvironment(options);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
      expect([env[name], env[name.toLowerCase()]]).toEqual(['http://127.0.0.1:9', 'http://127.0.0.1:9']);
    }
    expect([env.NO_PROXY, env.no_proxy]).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  test('sets no proxy on Node 26, where JavaScript CLIs do not work with one', () => {
    const env = scrubbedEnvironment({ ...options, node: '26.0.0' });
    expect(Object.keys(env).filter((name) => /proxy/i.test(name))).toEqual([]);
  });

  test('adds and removes variables as told', () => {
    const env = scrubbedEnvironment({ ...options, extra: { MINE: '1', ANTHROPIC_API_KEY: undefined } });
    expect(env.MINE).toBe('1');
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
  });

  test('has the folders that Windows programs need there', () => {
    const env = scrubbedEnvironment({
      ...options,
      platform: 'win32',
      host: { Path: 'C:\\bin', ...host, PATH: undefined },
    });
    expect(env).toMatchObject({
      PATH: 'C:\\bin',
      USERPROFILE: '/t/home',
      TEMP: '/t/tmp',
      TMP: '/t/tmp',
      SystemRoot: 'C:\\Windows',
    });
  });
});
