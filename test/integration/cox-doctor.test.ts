import { describe, expect, test } from 'vitest';
import { EMULATED_CLI, EMULATED_OLD_CLI, ranCox } from '../support/cox-process.js';

const doctor = (args: readonly string[], env: Record<string, string> = {}) =>
  ranCox(['doctor', ...args], { env });

describe.concurrent('the doctor', () => {
  test('says which CLI is found and why, that it starts, and what it supports', async () => {
    const { exitCode, out, err } = await doctor(['--cli', EMULATED_CLI]);
    expect(out).toMatch(/CLI .*claude-2-1-326\.js\n {2}set by --cli, version 2\.1\.326\n/);
    expect(out).toMatch(/It starts and answers initialize in [\d.]+ m?s \(no model was called\)/);
    expect(out).toMatch(/requests to the CLI: \d+ of \d+\n/);
    expect(out).toContain('No problems found.');
    expect([exitCode, err]).toEqual([0, '']);
  });

  test('uses CLAUDE_CODE_PATH, and says so', async () => {
    const { exitCode, out } = await doctor([], { CLAUDE_CODE_PATH: EMULATED_OLD_CLI });
    expect(out).toContain('set by CLAUDE_CODE_PATH, version 2.0.73');
    expect(exitCode).toBe(0);
  });

  test('prints everything as JSON', async () => {
    const { exitCode, out } = await doctor(['--cli', EMULATED_OLD_CLI, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      schema: 1,
      exitCode: 0,
      node: process.versions.node,
      cli: { version: '2.0.73' },
      start: { ok: true, mcpServers: [] },
      looked: [{ how: 'option', taken: true }],
      problems: [],
    });
    expect(exitCode).toBe(0);
  });

  test('does not start it with --no-start, but still knows its version', async () => {
    const { exitCode, out } = await doctor(['--cli', EMULATED_CLI, '--no-start'], {
      EMULATED_SCENARIO: 'mute',
    });
    expect(out).toContain('version 2.1.326');
    expect(out).not.toContain('answers initialize');
    expect(exitCode).toBe(0);
  });

  test('shows all details of a failed start', async () => {
    const { exitCode, out } = await doctor(['--cli', 'test/fixtures/cli/dies-at-once.mjs']);
    expect(out).toContain('The CLI ended before it answered initialize (exit code 3');
    expect(out).toContain('[HANDSHAKE_ENDED]');
    expect(out).toContain('phase: handshaking');
    expect(out).toMatch(/command line: .*dies-at-once\.mjs .*--input-format=stream-json/);
    expect(out).toContain('the end of its stderr:\n    bad flag: ü\n');
    // No missing file is named, and the doctor does not recommend itself.
    expect(out).not.toContain('debug log');
    expect(out).toContain('what to do: ');
    expect(out).not.toContain('coxswain doctor');
    expect(exitCode).toBe(10);
  });

  test('gives up on a CLI that never answers', async () => {
    const env = { EMULATED_SCENARIO: 'mute' };
    const { exitCode, out } = await doctor(['--cli', EMULATED_CLI, '--timeout', '8s', '--json'], env);
    expect(JSON.parse(out)).toMatchObject({
      start: { ok: false, code: 'HANDSHAKE_TIMEOUT', phase: 'handshaking' },
    });
    expect(exitCode).toBe(10);
  });

  test('says what to do when there is no CLI', async () => {
    const { exitCode, out } = await doctor(['--cli', 'no/such/claude']);
    expect(out).toContain('No usable CLI was found.');
    expect(out).toContain('--cli: 1 place, nothing there');
    expect(out).toContain('what to do: run npm install @anthropic-ai/claude-code');
    expect(exitCode).toBe(7);
  });

  test('cannot call a model: the API is unreachable, and no proxy leads to it', async () => {
    const env = {
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: 'example.org',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:2',
    };
    const { out } = await doctor(['--cli', 'test/fixtures/cli/says-its-variables.mjs', '--json'], env);
    const { start }: { start: { stderrTail: string } } = JSON.parse(out);
    expect(JSON.parse(start.stderrTail)).toMatchObject({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      NO_PROXY: 'example.org,127.0.0.1',
    });
  });
});
