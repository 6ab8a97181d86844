import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as compat from '../../src/entry/compat/index.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done, fail } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { officialSdk } from './harness/official-sdk.js';
import type { Options, RunningQuery, Sdk } from './harness/program.js';
import { Stage } from './harness/stage.js';

const root = mkdtempSync(join(tmpdir(), 'matched-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Row {
  readonly when: string;
  /** What public programs search for in the error text, in their own notation. */
  readonly words: readonly RegExp[];
  /** The text comes from earlier versions of the original. */
  readonly isOlder?: boolean;
  readonly scenario?: Scenario;
  readonly options?: (folder: string) => Options;
  /** Does something to the query at its first text; its rejection is checked too. */
  readonly act?: (query: RunningQuery, abort: AbortController) => unknown;
  /** What they check besides the text. */
  readonly also?: (error: Error & Record<string, unknown>) => unknown;
}

// Collected from programs that depend on the official SDK: how they distinguish its errors.
const rows: readonly Row[] = [
  {
    when: 'the CLI does not exist',
    options: (folder) => ({ pathToClaudeCodeExecutable: join(folder, 'claude') }),
    words: [/native binary not found/i, /\bnot found\b/, /claude/, /pathToClaudeCodeExecutable/],
    also: (error) => error instanceof ReferenceError,
  },
  {
    when: 'the CLI is a script that does not exist',
    options: (folder) => ({ pathToClaudeCodeExecutable: join(folder, 'cli.js') }),
    isOlder: true,
    words: [/Claude Code executable not found/, /\bnot found\b/, /pathToClaudeCodeExecutable/],
    also: (error) => error instanceof ReferenceError && String(error).includes('Claude Code executable'),
  },
  {
    when: 'the CLI cannot be executed',
    options: (folder) => {
      const path = join(folder, 'claude');
      writeFileSync(path, 'not a program', { mode: 0o644 });
      return { pathToClaudeCodeExecutable: path };
    },
    words: [/Failed to spawn Claude Code process|failed to launch/],
  },
  {
    when: 'the CLI exits with a code',
    scenario: [onUser([say('One.'), die({ code: 7 })])],
    words: [/Claude Code process exited with code 7/, /exited with code/i, /code (\d+)/, /process exited/],
  },
  {
    when: 'a signal ends the CLI',
    scenario: [onUser([say('One.'), die({ signal: 'SIGKILL' })])],
    words: [/Claude Code process terminated by signal SIGKILL/, /SIG[A-Z]+/],
  },
  {
    when: 'the program aborts',
    scenario: [onUser([say('One.'), hang()])],
    act: (_query, abort) => abort.abort(),
    words: [/process aborted by user/, /aborted/i, /\babort/i],
  },
  {
    when: 'the result is an error and the CLI exits because of it',
    scenario: [
      onUser([
        fail('error_max_turns', { errors: ['Reached maximum number of turns (1)'] }),
        die({ code: 1 }),
      ]),
    ],
    words: [/^Claude Code returned an error result:\s*/, /maximum number of turns/i],
  },
  {
    when: 'the query is closed with a request in flight',
    scenario: [onUser([say('One.'), hang()])],
    act: (query) => {
      const asked = query.getContextUsage();
      query.close();
      return asked;
    },
    words: [/Query closed before response received/],
  },
  {
    when: 'a request is made after the end',
    scenario: [onUser([done('Hello.')])],
    act: async (query) => {
      for await (const _message of query);
      return query.setModel('haiku');
    },
    words: [/ProcessTransport is not ready for writing|Query closed before response received/],
  },
];

test.concurrent.for(
  rows.flatMap((row) => [
    ...(row.isOlder === true ? [] : [[row.when, 'the official SDK', row] as const]),
    [row.when, 'ours', row] as const,
  ]),
)('the words of the error when %s, on %s', async ([, side, row], { skip }) => {
  const sdk = side === 'ours' ? (compat as unknown as Sdk) : await officialSdk(skip);
  const error = await errorOf(row, sdk);
  for (const words of row.words) expect(error.message).toMatch(words);
  if (row.also !== undefined) expect(row.also(error)).toBe(true);
});

test('a missing CLI is reported with its code and with the system’s words', async () => {
  for (const row of rows.slice(0, 2)) {
    const error = await errorOf(row, compat as unknown as Sdk);
    expect(error).toMatchObject({ code: 'ENOENT', message: expect.stringContaining('ENOENT') });
  }
});

async function errorOf(row: Row, sdk: Sdk): Promise<Error & Record<string, unknown>> {
  const folder = mkdtempSync(join(root, 'run-'));
  const stage = new Stage(
    { name: row.when, run: async () => {}, scenarios: [row.scenario ?? []] },
    sdk,
    folder,
  );
  const abortController = new AbortController();
  const launch =
    row.options === undefined ? {} : { ...row.options(folder), spawnClaudeCodeProcess: undefined };
  try {
    const query = sdk.query({ prompt: 'Hi', options: stage.options({ abortController, ...launch }) });
    for await (const message of query) {
      if (message.type === 'assistant' || message.type === 'result') await row.act?.(query, abortController);
    }
  } catch (error) {
    if (error instanceof Error) return error as Error & Record<string, unknown>;
  }
  throw new Error('nothing failed');
}
