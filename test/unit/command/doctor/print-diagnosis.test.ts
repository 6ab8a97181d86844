import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../../src/command/doctor/diagnosis.js';
import { diagnosisText } from '../../../../src/command/doctor/print-diagnosis.js';
import { PLAIN_LOOK } from '../../../support/recorded-screen.js';

const HEALTHY: Diagnosis = {
  coxswain: '1.2.3',
  node: '20.19.0',
  platform: 'linux x64, glibc',
  looked: [
    { how: 'package', path: '/a/cli.js', taken: false, why: 'does not exist' },
    { how: 'package', path: '/b/cli.js', taken: false, why: 'does not exist' },
    { how: 'path', path: '/usr/bin/claude', taken: false, why: 'is empty' },
    { how: 'path', path: '/bin/claude', taken: true, why: 'taken' },
  ],
  cli: { path: '/bin/claude', how: 'found in PATH', version: '2.1.326' },
  start: { ok: true, durationMs: 412, account: { apiKeySource: 'ANTHROPIC_API_KEY' }, mcpServers: [] },
  supports: [{ what: 'hook events', known: 1, total: 3, missing: ['A', 'B'] }],
  problems: [],
  notes: [],
};

const text = (fields: Partial<Diagnosis> = {}, verbose = false) =>
  diagnosisText({ ...HEALTHY, ...fields }, PLAIN_LOOK, verbose);

test('everything is on one page, with empty places only counted', () => {
  expect(text()).toBe(
    [
      'coxswain 1.2.3, Node 20.19.0, linux x64, glibc',
      '',
      '✓ CLI /bin/claude',
      '  found in PATH, version 2.1.326',
      '  Searched:',
      '    node_modules: 2 places, nothing there',
      '    PATH: /usr/bin/claude is empty',
      '    PATH: /bin/claude taken',
      '    (--verbose lists every place)',
      '✓ It starts and answers initialize in 412 ms (no model was called).',
      '  credentials: apiKeySource ANTHROPIC_API_KEY',
      '',
      'What it supports:',
      '  hook events: 1 of 3',
      '',
      '✓ No problems found.',
      '',
    ].join('\n'),
  );
});

test('--verbose lists every place, and what is not supported', () => {
  const verbose = text({}, true);
  expect(verbose).toContain('node_modules: /b/cli.js does not exist\n');
  expect(verbose).toContain('    not: A, B\n');
  expect(verbose).not.toContain('--verbose');
});

test('notes, servers and problems have separate lines', () => {
  const told = text({
    start: {
      ok: true,
      durationMs: 1,
      account: {},
      mcpServers: [{ name: 'mail\u001b[2J', status: 'failed' }],
    },
    notes: ['You are root.'],
    problems: [{ what: 'It is broken.', remedy: 'mend it.' }],
  });
  expect(told).toContain('  MCP server mail\\x1b[2J: failed\n');
  expect(told).toContain('Worth knowing:\n  You are root.\n');
  expect(told).toContain('✗ It is broken.\n  what to do: mend it.\n');
  expect(told).not.toContain('Nothing is wrong');
});

test('a failed start shows phase, command line, stderr, servers and the log', () => {
  const told = text({
    start: {
      ok: false,
      code: 'HANDSHAKE_TIMEOUT',
      message: 'It never answered.',
      phase: 'handshaking',
      commandLine: 'claude --verbose',
      stderrTail: 'one\ntwo\n',
      noise: ['Welcome!'],
      mcpServersPending: ['files', 'mail'],
      debugLog: '/home/me/.claude/debug/x.txt',
    },
  });
  expect(told).toContain(
    [
      '✗ It cannot be used: It never answered. [HANDSHAKE_TIMEOUT]',
      '  phase: handshaking',
      '  command line: claude --verbose',
      '  the end of its stderr:',
      '    one',
      '    two',
      '  stdout lines that are not protocol messages:',
      '    Welcome!',
      '  MCP servers not set up: files, mail',
      '  debug log, if the CLI writes one: /home/me/.claude/debug/x.txt',
    ].join('\n'),
  );
});
