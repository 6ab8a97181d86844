import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startCox } from '../support/cox.js';
import {
  type CoxProcessOptions,
  EMULATED_CLI,
  EMULATED_OLD_CLI,
  ranCox,
  startCoxProcess,
} from '../support/cox-process.js';
import { ManualClock } from '../support/manual-clock.js';
import { isRunning, stillRunning } from './process-helpers.js';

const run = (scenario: string, args: readonly string[] = [], options: CoxProcessOptions = {}) =>
  ranCox(['run', '--cli', EMULATED_CLI, ...args, 'do it'], { scenario, ...options });

describe.concurrent('the answer', () => {
  test('is the only output on stdout, block by block; stderr ends with a summary', async () => {
    const { exitCode, out, err } = await run('hello');
    expect(out).toBe('Hello, \nworld.\n');
    expect(err).toMatch(/^✓ [\d.]+ m?s · \d+ tokens in, \d+ out · \$0\.0001 · session [\w-]{36}\n$/);
    expect(exitCode).toBe(0);
  });

  test('is the same from an old CLI', async () => {
    const { exitCode, out } = await ranCox(['run', '--cli', EMULATED_OLD_CLI, 'do it'], {
      scenario: 'hello',
    });
    expect([exitCode, out]).toEqual([0, 'Hello, \nworld.\n']);
  });

  test('includes the follow-up when a background agent has finished', async () => {
    const { exitCode, out } = await run('background');
    expect(out).toBe('An agent works on it.\nThe agent has finished.\n');
    expect(exitCode).toBe(0);
  });

  test('does not wait for a server left running in the background', async () => {
    expect(await run('server')).toMatchObject({ exitCode: 0, out: 'The server runs.\n' });
  });

  test('is the only output with --quiet', async () => {
    expect(await run('hello', ['--quiet'])).toEqual({ exitCode: 0, out: 'Hello, \nworld.\n', err: '' });
  });

  test('comes with startup steps and tools with --verbose', async () => {
    const { err } = await run('permission', ['--verbose']);
    expect(err).toMatch(
      /claude-2-1-326\.js \(set by --cli\) [\d.]+ m?s\n.*started [\d.]+ m?s\n.*ready, version 2\.1\.326/,
    );
    expect(err).toContain('· Bash: ls\n');
  });
});

describe('the prompt', () => {
  test.each([
    ['when it is a dash', ['-']],
    ['when there is none', []],
  ])('is read from stdin %s', async (_, args) => {
    const options = { scenario: 'echo', input: 'from a\npipe' };
    const { out } = await ranCox(['run', '--cli', EMULATED_CLI, ...args], options);
    expect(out).toBe('You said: from a\npipe\n');
  });

  test('need not be quoted', async () => {
    const words = ['from', 'several', 'words'];
    const { out } = await ranCox(['run', '--cli', EMULATED_CLI, ...words], { scenario: 'echo' });
    expect(out).toBe('You said: from several words\n');
  });

  test('must not be empty', async () => {
    const { exitCode, out, err } = await ranCox(['run', '--cli', EMULATED_CLI]);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('The message on stdin is empty.');
  });
});

test('options reach the CLI', async () => {
  const { out } = await run('arguments', [
    ...['--model', 'opus', '--permission-mode', 'plan', '--allow', 'Read', '--allow', 'Bash(git:*)'],
    ...['--max-turns', '3', '--max-budget-usd', '0.5', '--setting-sources', 'user,local', '--cwd', '.'],
  ]);
  expect(JSON.parse(out)).toEqual(
    expect.arrayContaining([
      '--model=opus',
      '--permission-mode=plan',
      '--allowedTools=Read,Bash(git:*)',
      '--max-turns=3',
      '--max-budget-usd=0.5',
      '--setting-sources=user,local',
    ]),
  );
});

test('options that deny, set the effort and continue reach the CLI', async () => {
  const args = ['--deny', 'WebFetch', '--deny', 'Bash(rm:*)', '--effort', 'high', '--continue'];
  const { exitCode, out } = await run('arguments', args);
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual(
    expect.arrayContaining(['--disallowedTools=WebFetch,Bash(rm:*)', '--effort=high', '--continue']),
  );
});

test('servers of --mcp-config, from JSON and from a file, reach the CLI', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-mcp-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, '.mcp.json');
  writeFileSync(
    file,
    JSON.stringify({ mcpServers: { filed: { type: 'http', url: 'http://127.0.0.1:1/' } } }),
  );
  const spelled = JSON.stringify({ mcpServers: { spelled: { type: 'http', url: 'http://127.0.0.1:2/' } } });
  const { out } = await run('servers', ['--mcp-config', file, '--mcp-config', spelled]);
  expect(Object.keys(JSON.parse(out).mcpServers)).toEqual(['filed', 'spelled']);
});

test('--json-schema reaches the CLI, and the value is `output` on the last line', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const { out } = await run('output', ['--json', '--json-schema', JSON.stringify(schema)]);
  const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ outcome: 'success', exitCode: 0, output: { n: 4 } });
});

test('a retried model call is reported on stderr', async () => {
  const { exitCode, out, err } = await run('retries');
  expect([exitCode, out]).toEqual([0, 'At last.\n']);
  expect(err).toMatch(/overloaded[\s\S]*529|529[\s\S]*overloaded/);
  expect(err).toMatch(/1 of 10/);
});

test('messages for people name flags, not SDK options', async () => {
  const both = await run('hello', ['--continue', '--resume', '0b0b0b0b-0000-4000-8000-000000000000']);
  expect(both.exitCode).toBe(2);
  expect(both.err).toContain('--continue: it cannot be combined with --resume');
  const servers = JSON.stringify({ mcpServers: { x: { comand: 'node' } } });
  const misspelt = await run('hello', ['--mcp-config', servers]);
  expect(misspelt.err).toContain('--mcp-config: mcpServers.x.comand: no such key; did you mean command?');
  for (const { err } of [both, misspelt]) expect(err).not.toMatch(/Option "|"resume"/);
});

test('the system prompt reaches the CLI', async () => {
  const args = ['--system-prompt', 'Be brief.', '--append-system-prompt', 'Be kind.'];
  expect(await run('system-prompt', args)).toMatchObject({ exitCode: 0, out: 'Yes.\n' });
});

describe.concurrent('without a terminal', () => {
  test('a permission is denied, with the reason and a fix on stderr', async () => {
    const { exitCode, out, err } = await run('permission');
    expect(out).toBe('May I?\nThat was it.\n');
    expect(err).toContain("Denied Bash: ls: there is no terminal; allow it with --allow 'Bash'");
    expect(exitCode).toBe(5);
  });

  test('a question is left unanswered, with a message', async () => {
    const { exitCode, err } = await run('question');
    expect(err).toContain('Question left unanswered: Which colour?: there is no terminal');
    expect(exitCode).toBe(5);
  });

  test('a permission mode can avoid the prompt', async () => {
    const { exitCode, err } = await run('permission', ['--permission-mode', 'bypassPermissions'], {
      env: { IS_SANDBOX: '1' },
    });
    expect(err).toContain('All permissions are bypassed');
    expect(exitCode).toBe(0);
  });
});

describe('--json without a conversation', () => {
  test.each([
    ['no CLI', ['--cli', 'no/such/claude'], 'CLI_NOT_FOUND', 7],
    ['a missing file', ['--cli', EMULATED_CLI, '--mcp-config', 'no-such.json'], 'OPTION_INVALID', 2],
    ['an invalid schema', ['--cli', EMULATED_CLI, '--json-schema', '{"a":1}'], 'OPTION_INVALID', 2],
    ['a misspelt flag', ['--cli', EMULATED_CLI, '--modle', 'opus'], 'OPTION_INVALID', 2],
    ['an invalid choice', ['--cli', EMULATED_CLI, '--effort', 'huge'], 'OPTION_INVALID', 2],
    ['a missing folder', ['--cli', EMULATED_CLI, '--cwd', 'no/such/folder'], 'CWD_INVALID', 2],
  ])('%s also gets a last line', async (_, args, code, exitCode) => {
    const ran = await ranCox(['run', '--json', ...args, 'do it'], { scenario: 'hello' });
    const line = { type: 'coxswain_outcome', outcome: 'not-opened', exitCode, error: { code } };
    expect(JSON.parse(ran.out)).toMatchObject(line);
    expect(ran.exitCode).toBe(exitCode);
  });
});

describe('--json', () => {
  const jsonLines = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('prints every message unchanged, and a last line with the outcome', async () => {
    const { exitCode, out } = await run('permission', ['--json']);
    const lines = jsonLines(out);
    expect(lines.slice(0, -1)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'system', subtype: 'init' }),
        expect.objectContaining({ type: 'assistant' }),
        expect.objectContaining({ type: 'result', subtype: 'success' }),
      ]),
    );
    expect(lines).not.toContainEqual(expect.objectContaining({ type: 'stream_event' }));
    expect(lines.at(-1)).toEqual({
      schema: 1,
      type: 'coxswain_outcome',
      outcome: 'success',
      exitCode: 5,
      text: 'That was it.',
      sessionId: expect.stringMatching(/^[\w-]{36}$/),
      cliVersion: '2.1.326',
      durationMs: expect.any(Number),
      usage: expect.objectContaining({ costUsd: expect.any(Number), outputTokens: expect.any(Number) }),
      prompts: { allowed: 0, denied: 0, unanswered: 1 },
    });
    expect(exitCode).toBe(5);
  });

  test('adds the partial messages with --partial', async () => {
    const { out } = await run('hello', ['--json', '--partial']);
    expect(jsonLines(out)).toContainEqual(expect.objectContaining({ type: 'stream_event' }));
  });

  test('ends with the outcome even if no session could be opened', async () => {
    const { exitCode, out, err } = await run('mute', ['--json', '--resume', MISSING_ID]);
    expect(jsonLines(out).at(-1)).toMatchObject({
      outcome: 'not-opened',
      exitCode: 4,
      error: { code: 'SESSION_MISSING', message: expect.stringContaining('does not exist') },
    });
    expect(err).toContain('[SESSION_MISSING]');
    expect(exitCode).toBe(4);
  });
});

const MISSING_ID = '00000000-0000-4000-8000-000000000000';

describe.concurrent('errors', () => {
  test.each([
    ['an API that fails', 'broken', 1, 'The turn failed.'],
    ['a CLI that dies', 'dies', 1, 'The CLI ended in the middle of the turn.'],
    ['a limit of turns', 'max-turns', 6, 'The turn limit was reached.'],
    ['a budget that is spent', 'budget', 6, 'The budget is spent.'],
    ['a key that is refused', 'auth', 9, 'The API did not accept the credentials.'],
    ['a rate that is limited', 'rate-limit', 9, 'The API rate limit was reached.'],
  ])('%s has its own exit code, and the message says what, why and what to do', async (...row) => {
    const [, scenario, code, what] = row;
    const { exitCode, err } = await run(scenario);
    expect(err).toMatch(new RegExp(`^coxswain: ${what}\nwhy: .+\n`, 'm'));
    expect(exitCode).toBe(code);
  });

  test('the CLI’s message about a failed API call is not the answer', async () => {
    expect(await run('auth')).toMatchObject({ out: '', err: expect.stringContaining('why: API Error: 401') });
  });

  test('a CLI that dies is reported with the end of its stderr', async () => {
    const { err } = await run('dies');
    expect(err).toContain('exit code 9; stderr: out of memory');
  });

  test('a CLI that does not exist has exit code 7', async () => {
    const { exitCode, err } = await ranCox(['run', '--cli', 'no/such/cli', 'do it']);
    expect(err).toMatch(
      /^coxswain: No CLI found at the path set by .*no\/such\/cli.* \[CLI_NOT_FOUND\]\nwhat to do: /,
    );
    expect(exitCode).toBe(7);
  });

  test('a session that does not exist has exit code 4 and one sentence', async () => {
    const { exitCode, err } = await run('hello', ['--resume', MISSING_ID]);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^coxswain: The session to resume does not exist.* \[SESSION_MISSING\]$/),
      expect.stringMatching(/^what to do: /),
    ]);
    expect(err).not.toContain('onMissing');
    expect(exitCode).toBe(4);
  });

  test.each([
    ['an unknown mode', ['--permission-mode', 'yolo']],
    ['an invalid time', ['--timeout', 'soon']],
    ['a limit of none', ['--max-turns', '0']],
    ['an unknown source', ['--setting-sources', 'user,global']],
    ['a folder that does not exist', ['--cwd', 'no/such/folder']],
  ])('%s is a usage error', async (_, args) => {
    expect(await run('hello', args)).toMatchObject({ exitCode: 2, out: '' });
  });
});

describe('stopping', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coxswain-run-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (scenario: string, args: readonly string[] = []) => {
    const env = { EMULATED_PID_FILE: join(folder, 'pid') };
    return startCoxProcess(['run', '--cli', EMULATED_CLI, ...args, 'do it'], { scenario, env });
  };
  const cliPid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));

  test('Ctrl-C interrupts the turn', async () => {
    const cox = start('hang');
    await cox.until('Let me think.');
    cox.kill('SIGINT');
    expect(await cox.exited).toBe(130);
    expect(cox.err).toContain('Ctrl-C: interrupting the turn.');
    expect(cox.err).toContain('coxswain: The turn was stopped (SIGINT).');
    expect(isRunning(cliPid())).toBe(false);
  });

  test('a second Ctrl-C closes the session if the CLI ignores the interrupt', async () => {
    const cox = start('deaf');
    await cox.until('Let me think.');
    cox.kill('SIGINT');
    await cox.until('interrupting the turn', 'err');
    cox.kill('SIGINT');
    await cox.until('closing the session', 'err');
    expect(await cox.exited).toBe(130);
    expect(isRunning(cliPid())).toBe(false);
  });

  test('a third Ctrl-C ends everything at once, even a CLI that ignores everything', async () => {
    const cox = start('stubborn');
    await cox.until('Let me think.');
    const pid = cliPid();
    cox.kill('SIGINT');
    await cox.until('interrupting the turn', 'err');
    cox.kill('SIGINT');
    await cox.until('closing the session', 'err');
    cox.kill('SIGINT');
    expect(await cox.exited).toBe(130);
    expect(await stillRunning([pid])).toEqual([]);
  });

  test('SIGTERM interrupts, closes, and reports it', async () => {
    const cox = start('hang');
    await cox.until('Let me think.');
    cox.kill('SIGTERM');
    expect(await cox.exited).toBe(143);
    expect(cox.err).toContain('SIGTERM: interrupting the turn.');
    expect(isRunning(cliPid())).toBe(false);
  });

  test('a signal before the session is open closes it', async () => {
    const cox = start('mute', ['--verbose']);
    await cox.until('started', 'err');
    cox.kill('SIGINT');
    expect(await cox.exited).toBe(130);
    expect(cox.err).toContain('Stopped before the session was open (SIGINT).');
    expect(isRunning(cliPid())).toBe(false);
  });

  test('Ctrl-C ends the wait for a background agent, and the answer is incomplete', async () => {
    const cox = start('endless-agent', ['--json']);
    await cox.until('"type":"result"');
    cox.kill('SIGINT');
    expect(await cox.exited).toBe(130);
    expect(cox.out).toContain('"outcome":"closed"');
    expect(isRunning(cliPid())).toBe(false);
  });

  test('--timeout interrupts the turn', async () => {
    vi.stubEnv('COXSWAIN_SCENARIO', resolve('test/fixtures/scenarios/cox.mjs'));
    vi.stubEnv('EMULATED_SCENARIO', 'hang');
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = new ManualClock();
    const cox = startCox(['run', '--cli', EMULATED_CLI, '--timeout', '2s', 'do it'], { clock });
    await cox.until(({ out }) => out.includes('Let me think.'));
    clock.advance(2_000);
    expect(await cox.exitCode).toBe(3);
    expect(cox.output.out).toBe('Let me think.\n');
    expect(cox.output.err).toContain('Time limit reached: interrupting the turn.');
  });

  test.each([
    ['during the start', 'mute', 'started', 'not-opened'],
    ['as the session opens', 'hang', 'ready', 'closed'],
  ])('--timeout %s ends with the time limit as the only reason', async (_when, scenario, step, outcome) => {
    vi.stubEnv('COXSWAIN_SCENARIO', resolve('test/fixtures/scenarios/cox.mjs'));
    vi.stubEnv('EMULATED_SCENARIO', scenario);
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = new ManualClock();
    const writeErr = (text: string) => {
      if (text.includes(step)) clock.advance(2_000);
    };
    const args = ['run', '--cli', EMULATED_CLI, '--json', '--verbose', '--timeout', '2s', 'do it'];
    const cox = startCox(args, { clock, writeErr });
    expect(await cox.exitCode).toBe(3);
    const last = JSON.parse(cox.output.out.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ outcome, exitCode: 3, stoppedBy: 'timeout' });
    expect(last).not.toHaveProperty('error');
  });

  test('a reader of stdout that leaves ends the conversation', async () => {
    const cox = start('chatty');
    await cox.until('xxx');
    cox.child.stdout.destroy();
    expect(await cox.exited).toBe(141);
    expect(cox.err).toContain('stdout was closed');
    expect(isRunning(cliPid())).toBe(false);
  });
});
