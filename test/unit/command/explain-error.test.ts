import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explainError, hintFor } from '../../../src/command/explain-error.js';
import { OpenError } from '../../../src/host/core/connection/open-error.js';
import { CoxswainError } from '../../../src/wire/util/errors.js';

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('explainError', () => {
  test.each([
    ['OPTION_INVALID', 2],
    ['ROOT_BYPASS', 2],
    ['REQUEST_TIMEOUT', 3],
    ['HANDSHAKE_TIMEOUT', 3],
    ['SESSION_MISSING', 4],
    ['CLI_NOT_FOUND', 7],
    ['ENDPOINT_UNSUPPORTED', 7],
    ['PROTOCOL_ERROR', 8],
    ['HANDSHAKE_REFUSED', 8],
    ['MODEL_SCRIPT_FAILED', 10],
    ['CLI_ENDED', 1],
  ] as const)('%s ends with exit code %d', (code, exitCode) => {
    expect(explainError(new CoxswainError(code, 'It broke.'))).toMatchObject({ exitCode });
  });

  test('does not blame itself for a problem with a named file', () => {
    const explained = explainError(errorOf(() => readFileSync('/no/such/place'))).text;
    expect(explained).toContain('ENOENT');
    expect(explained).toContain('what to do: check that the path exists');
  });

  test('does not repeat a cause', () => {
    const error = new CoxswainError('MODEL_NOT_STARTED', 'No port: taken.', { cause: new Error('taken') });
    expect(explainError(error).text).not.toContain('why:');
  });

  test('treats an error that is not ours as a bug, and says how to report it', () => {
    expect(explainError(new TypeError('x is not a function'))).toEqual({
      exitCode: 1,
      text: expect.stringMatching(/^coxswain: x is not a function\nwhat to do: .*--debug.*\n$/),
    });
  });

  test('keeps the details of a failed open on separate lines, below the code', () => {
    const failure = {
      phase: 'handshaking',
      commandLine: 'claude --verbose',
      stderrTail: 'bad flag\u001b[2J',
      noise: [],
      mcpServersPending: ['files'],
      debugLog: '/home/me/debug.txt',
    } as const;
    const error = new OpenError('HANDSHAKE_ENDED', 'It ended.', failure, { cause: new Error('exit code 1') });
    expect(explainError(error).text).toBe(
      [
        'coxswain: It ended. [HANDSHAKE_ENDED]',
        '  stderr: bad flag\\x1b[2J',
        '  command: claude --verbose',
        '  MCP servers not set up yet: files',
        '  debug log: /home/me/debug.txt',
        'what to do: run npx coxswain doctor, and read the stderr output of the CLI.',
        '',
      ].join('\n'),
    );
  });

  test('ends with the hint of a failed open, once', () => {
    const failure = {
      phase: 'handshaking',
      commandLine: undefined,
      stderrTail: '',
      debugLog: undefined,
    } as const;
    const more = { noise: ['Welcome!'], mcpServersPending: [] };
    const { text } = explainError(
      new OpenError('HANDSHAKE_TIMEOUT', 'It is silent.', { ...failure, ...more }),
    );
    expect(text).toMatch(
      /^coxswain: It is silent\. \[HANDSHAKE_TIMEOUT\]\n {2}stdout: Welcome!\nwhat to do: stdout contains/,
    );
    expect(text).not.toContain('hint:');
  });

  test('accepts anything that was thrown', () => {
    expect(explainError('a string').text).toContain('coxswain: a string');
  });
});

describe('hintFor', () => {
  test('knows what to do about a code, and has a default for others', () => {
    expect(hintFor('CWD_INVALID')).toBe('use a folder that exists.');
    expect(hintFor('LINE_INVALID')).toContain('--debug');
    expect(hintFor('NO_SUCH_CODE')).toContain('a bug in coxswain');
    expect(hintFor(undefined)).toContain('a bug in coxswain');
  });
});
