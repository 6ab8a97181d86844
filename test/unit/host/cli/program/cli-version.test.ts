import { describe, expect, test } from 'vitest';
import { VersionCache, versionBeside } from '../../../../../src/host/cli/program/cli-version.js';
import { elf, fakeSystem } from '../options/fake-system.js';

const manifest = (name: string, version: string) => ({ text: JSON.stringify({ name, version }) });

describe('without running anything', () => {
  test('the package next to a CLI has its version, also behind a link', () => {
    const system = fakeSystem({
      files: {
        '/p/cli.js': { text: 'x' },
        '/p/package.json': manifest('@anthropic-ai/claude-code', '2.0.73'),
        '/bin/claude': { link: '/p/cli.js' },
        '/q/claude': { text: elf() },
        '/q/package.json': manifest('@anthropic-ai/claude-code-linux-x64', '2.1.326'),
      },
    });
    expect(versionBeside('/p/cli.js', system)).toBe('2.0.73');
    expect(versionBeside('/bin/claude', system)).toBe('2.0.73');
    expect(versionBeside('/q/claude', system)).toBe('2.1.326');
  });

  test('the official SDK names the version of its bundled CLI', () => {
    const sdk = (more: object) => ({
      text: JSON.stringify({ name: '@anthropic-ai/claude-agent-sdk', ...more }),
    });
    const system = fakeSystem({
      files: {
        '/old/cli.js': { text: 'x' },
        '/old/package.json': sdk({ version: '0.1.72', claudeCodeVersion: '2.0.72' }),
        '/new/claude-agent-sdk/package.json': sdk({ version: '0.3.326', claudeCodeVersion: '2.1.326' }),
        '/new/claude-agent-sdk-linux-x64/claude': { text: elf() },
        '/new/claude-agent-sdk-linux-x64/package.json': manifest(
          '@anthropic-ai/claude-agent-sdk-linux-x64',
          '0.3.326',
        ),
      },
    });
    expect(versionBeside('/old/cli.js', system)).toBe('2.0.72');
    expect(versionBeside('/new/claude-agent-sdk-linux-x64/claude', system)).toBe('2.1.326');
  });

  test('a foreign or broken package says nothing', () => {
    const system = fakeSystem({
      files: {
        '/p/package.json': manifest('my-app', '1.0.0'),
        '/q/package.json': { text: '{' },
        '/r/package.json': { text: 'null' },
      },
    });
    for (const path of ['/p/cli.js', '/q/cli.js', '/r/cli.js', '/s/cli.js']) {
      expect(versionBeside(path, system)).toBeUndefined();
    }
  });

  test('the path of a native install has it', () => {
    const system = fakeSystem({
      files: { '/bin/claude': { link: '/home/me/.local/share/claude/versions/2.1.30' } },
    });
    expect(versionBeside('/bin/claude', system)).toBe('2.1.30');
  });
});

describe('asking the CLI', () => {
  const program = { file: '/bin/node', prefix: ['/p/cli.js'], cliPath: '/p/cli.js' };
  const surroundings = {
    env: { PATH: '/bin', HOME: '/h', ANTHROPIC_API_KEY: 'secret', NODE_OPTIONS: '--x' },
    mark: 'm-1',
  };
  const system = (text: string) => fakeSystem({ files: { '/p/cli.js': { text } } });

  function book(answers: string[]) {
    const runs: { args: readonly string[]; env: Readonly<Record<string, string>> }[] = [];
    const versions = new VersionCache(async (_file, args, { env }) => {
      runs.push({ args, env });
      return answers.shift() ?? '';
    });
    return { versions, runs };
  }

  test('runs it with --version, the mark, and nothing else', async () => {
    const { versions, runs } = book(['2.1.9 (Claude Code)\n']);
    expect(await versions.ask(program, surroundings, system('a'))).toBe('2.1.9');
    expect(runs[0]?.args).toEqual(['/p/cli.js', '--version']);
    expect(runs[0]?.env).toMatchObject({ PATH: '/bin', HOME: '/h', COXSWAIN_MARK: 'm-1' });
    expect(Object.keys(runs[0]?.env ?? {})).not.toContain('ANTHROPIC_API_KEY');
    expect(Object.keys(runs[0]?.env ?? {})).not.toContain('NODE_OPTIONS');
  });

  test('runs once for each state of the file, even with two concurrent callers', async () => {
    const { versions, runs } = book(['2.1.9', '2.2.0']);
    const both = [
      versions.ask(program, surroundings, system('a')),
      versions.ask(program, surroundings, system('a')),
    ];
    expect(await Promise.all(both)).toEqual(['2.1.9', '2.1.9']);
    expect(await versions.ask(program, surroundings, system('longer'))).toBe('2.2.0');
    expect(runs).toHaveLength(2);
  });

  test('a run without an answer is not cached', async () => {
    const { versions } = book(['', '2.1.9']);
    expect(await versions.ask(program, surroundings, system('a'))).toBeUndefined();
    expect(await versions.ask(program, surroundings, system('a'))).toBe('2.1.9');
  });

  test('the cache is bounded', async () => {
    const { versions, runs } = book(Array.from({ length: 200 }, () => '1.0.0'));
    for (let size = 1; size <= 100; size += 1)
      await versions.ask(program, surroundings, system('x'.repeat(size)));
    await versions.ask(program, surroundings, system('x'.repeat(100)));
    expect(runs).toHaveLength(100);
    await versions.ask(program, surroundings, system('x'));
    expect(runs).toHaveLength(101);
  });

  test('elsewhere its input stays open, because a relay there ends a program that has none', async () => {
    const script = `
      process.stdin.on('end', () => process.exit()).resume();
      setTimeout(() => process.stdout.write('9.8.7', () => process.exit()), 300);`;
    const spawner = {
      ...{ name: 'elsewhere', hasOwnPrograms: true, hasOwnFolders: true },
      prepare: async () => ({ file: process.execPath, args: ['-e', script], env: {} }),
    };
    const program = { file: 'claude', prefix: [], cliPath: 'claude' };
    const asked = new VersionCache().ask(program, { env: {}, mark: 'm', spawner }, fakeSystem({}));
    expect(await asked).toBe('9.8.7');
  });
});
