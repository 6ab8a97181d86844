import { describe, expect, test } from 'vitest';
import { examine } from '../../../../src/command/doctor/examine.js';
import { systemClock } from '../../../../src/wire/util/clock.js';
import { type FakeMachine, fakeSystem } from '../../host/cli/options/fake-system.js';

const CLI = '/work/node_modules/@anthropic-ai/claude-code/cli.js';

/** A machine with a CLI of this version. */
function machineWith(version: string, facts: FakeMachine = {}): FakeMachine {
  const manifest = JSON.stringify({ name: '@anthropic-ai/claude-code', version });
  const files = {
    [CLI]: { text: '// a CLI' },
    '/work/node_modules/@anthropic-ai/claude-code/package.json': { text: manifest },
  };
  return { files, ...facts };
}

const look = (machine: FakeMachine, options: { cli?: string; nodeVersion?: string } = {}) =>
  examine({
    cli: options.cli,
    cwd: '/work',
    start: false,
    timeoutMs: 1_000,
    clock: systemClock,
    version: '1.2.3',
    nodeVersion: options.nodeVersion ?? '20.19.0',
    system: fakeSystem(machine),
  });

describe('the CLI', () => {
  test('is reported with its search rule and its version', async () => {
    const { cli, problems, notes, supports } = await look(machineWith('2.1.326'));
    expect(cli).toEqual({
      path: CLI,
      how: 'the npm package near the project',
      version: '2.1.326',
    });
    expect([problems, notes]).toEqual([[], []]);
    expect(supports.map(({ what }) => what)).toEqual([
      'requests to the CLI',
      'requests from the CLI',
      'messages',
      'hook events',
      'flags',
    ]);
  });

  test.each(['2.0.0', '2.1.100', '2.1.326'])('%s needs no note', async (version) => {
    const { notes, problems } = await look(machineWith(version));
    expect([notes, problems]).toEqual([[], []]);
  });

  test('newer than all probed versions is worth a note', async () => {
    const { notes, problems } = await look(machineWith('9.2.0'));
    expect(notes).toEqual([expect.stringMatching(/^CLI 9\.2\.0 is newer .* treated like 2\.1\.\d+\.$/)]);
    expect(problems).toEqual([]);
  });

  test('older than all probed versions is a problem', async () => {
    const { problems } = await look(machineWith('1.0.30'));
    expect(problems).toEqual([
      {
        what: 'CLI 1.0.30 is too old: 2.0.0 is the oldest supported version.',
        remedy: 'update the Claude CLI.',
      },
    ]);
  });

  test('that is missing is a problem, with every place that was searched', async () => {
    const { cli, looked, problems, supports } = await look({});
    expect(cli).toBeUndefined();
    expect(supports).toEqual([]);
    expect(new Set(looked.map(({ how }) => how))).toEqual(new Set(['package', 'path', 'usual-place']));
    expect(problems).toEqual([
      { what: 'No Claude CLI was found.', remedy: expect.stringContaining('--cli') },
    ]);
  });
});

test('an old Node is a problem', async () => {
  const { problems } = await look(machineWith('2.1.326'), { nodeVersion: '18.20.0' });
  expect(problems).toEqual([{ what: 'Node 18.20.0 is too old.', remedy: 'install Node 20.19.0 or newer.' }]);
});

describe('a note is printed for', () => {
  const notesOf = async (facts: FakeMachine) => (await look(machineWith('2.1.326', facts))).notes;

  test('a user that is root', async () => {
    expect(await notesOf({ uid: 0 })).toEqual(['You are root: the CLI refuses bypassPermissions.']);
  });

  test('a platform that the tests do not run on', async () => {
    const [note] = await notesOf({ arch: 'arm64' });
    expect(note).toMatch(/^linux arm64 is not a tested platform/);
  });

  test('a secret on a command line in the settings, and a lock that a killed CLI left', async () => {
    const settings = { apiKeyHelper: 'echo ghp_0123456789abcdefghijABCDEFGHIJ' };
    const { files, ...machine } = machineWith('2.1.326', { folders: ['/home/me/.claude.lock'] });
    const own = { '/home/me/.claude/settings.json': { text: JSON.stringify(settings) } };
    const { notes } = await look({ ...machine, files: { ...files, ...own } });
    expect(notes).toEqual([
      expect.stringContaining('(/home/me/.claude/settings.json)'),
      expect.stringContaining('left the lock /home/me/.claude.lock'),
    ]);
  });

  test('a variable that affects the CLI: its name, never its value', async () => {
    const notes = await notesOf({
      env: { PATH: '/bin', ANTHROPIC_API_KEY: 'sk-secret', NODE_OPTIONS: '--x' },
    });
    expect(notes).toEqual([
      'NODE_OPTIONS is set; it is not passed to the CLI.',
      'These variables change what the CLI does: ANTHROPIC_API_KEY.',
    ]);
  });
});

test.each([
  [{}, 'linux x64, glibc'],
  [{ files: { '/lib/ld-musl-x86_64.so.1': { text: 'x' } } }, 'linux x64, musl'],
  [{ platform: 'darwin', arch: 'arm64' }, 'darwin arm64'],
] as const)('the system is told', async (machine: FakeMachine, words) => {
  expect((await look(machine)).platform).toBe(words);
});
