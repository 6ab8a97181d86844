import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { onUser, scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { testedVersions } from '../support/tested-versions.js';

const VENDOR = resolve('test/peers/node_modules/@anthropic-ai');
const PROGRAM = resolve('test/peers/official-sdk.mjs');
const COXSWAIN = resolve('dist/command.js');
const NO_NETWORK = pathToFileURL(resolve('test/fixtures/no-network.mjs')).href;

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peers-'));
  await writeFile(join(folder, 'scenario.json'), JSON.stringify(SCENARIO));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a program written with the official SDK', () => {
  test('finds none of the programs that the SDK bundles', async ({ skip }) => {
    skipUnlessInstalled(skip);
    expect((await readdir(VENDOR)).filter((name) => name.startsWith('claude-'))).toEqual([
      'claude-agent-sdk',
    ]);
  });

  test.for(testedVersions)('has a whole conversation with the emulated %s', async (version, { skip }) => {
    skipUnlessInstalled(skip);
    const report = join(folder, `${version}.json`);
    const cli = await run([COXSWAIN, 'emulate', '--path', '--cli-version', version]);
    const program = await run([PROGRAM, cli.stdout.trim()], {
      COXSWAIN_SCENARIO: join(folder, 'scenario.json'),
      COXSWAIN_REPORT: report,
    });
    expect(program.code, program.stderr).toBe(0);
    const seen = lists(program.stdout);
    expect(seen.filter(isCallback)).toEqual(CALLBACKS);
    expect(seen.filter((entry) => !isCallback(entry))).toEqual(conversation(version));
    expect(await reported(report)).toEqual({ finished: version === '2.1.326', failures: MISTAKES[version] });
  });
});

test('a program that opens a connection would fail', async () => {
  expect(await run(['--eval', "fetch('http://127.0.0.1:8099')"])).toMatchObject({ code: 86 });
});

const SCENARIO = scenario([
  onUser('look around', [
    say('Let me see.'),
    useTool(
      'Bash',
      { command: 'ls' },
      {
        ask: true,
        result: 'README.md',
        expect: { behavior: 'allow', updatedInput: { command: 'ls -a' } },
      },
    ),
    useTool(
      'Write',
      { file_path: 'a', content: 'b' },
      { ask: true, expect: { behavior: 'deny', message: 'Read only.' } },
    ),
    askQuestion(question('Which colour?', ['Red', 'Green']), {
      expect: { updatedInput: { answers: { 'Which colour?': 'Green' } } },
    }),
    mcpTool(
      'clock',
      'time',
      { city: 'Rome' },
      { expect: { content: [{ type: 'text', text: 'Noon in Rome.' }] } },
    ),
    say('That is all.'),
  ]),
  onUser('take your time', [say('This will take long.'), hang()]),
  onUser('goodbye', [done('Bye.')]),
]);

/** The functions that the SDK must have called, in this order; messages come in between. */
const CALLBACKS = [
  ['hook', 'PreToolUse', 'Bash'],
  ['permission', 'Bash'],
  ['permission', 'Write'],
  ['permission', 'AskUserQuestion'],
  ['tool', 'Rome'],
];

function isCallback([kind]: readonly unknown[]): boolean {
  return CALLBACKS.some(([called]) => called === kind);
}

/** What else the program must have seen. */
function conversation(version: string): unknown {
  const haiku = expect.stringContaining('haiku');
  return [
    ['init', version, expect.not.stringContaining('haiku')],
    ['text', 'Let me see.'],
    ['text', 'That is all.'],
    ['result', 'success', 'That is all.'],
    ['model set'],
    ['init', version, haiku],
    ['text', 'This will take long.'],
    ['interrupted'],
    ['result', 'error_during_execution', null],
    ['init', version, haiku],
    ['result', 'success', 'Bye.'],
    ['end'],
  ];
}

// This SDK is made for newer CLIs: it sends old ones something that they ignore.
const UNHEARD = [
  {
    step: 'the request initialize',
    expected: 'a request as in the catalog',
    got: 'systemPrompt: a list is ignored by this version',
  },
];
const MISTAKES = { '2.0.73': UNHEARD, '2.1.17': UNHEARD, '2.1.326': [] } as const;

function skipUnlessInstalled(skip: (reason: string) => void): void {
  if (existsSync(join(VENDOR, 'claude-agent-sdk'))) return;
  skip('the official SDK is not installed in test/peers (see the npm error above, or run npm test)');
}

interface Ran {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without this machine's environment and without network access. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const own = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    USERPROFILE: folder,
    COXSWAIN_SESSIONS: folder,
    NODE_OPTIONS: `--import=${NO_NETWORK}`,
  };
  const options = { cwd: folder, env: { ...own, ...env }, timeout: 25_000 };
  return new Promise((settle) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      settle({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr }),
    );
  });
}

/** The emulated CLI may exit, and report, a moment after the program that started it. */
function reported(path: string): Promise<unknown> {
  return vi.waitFor(async () => JSON.parse(await readFile(path, 'utf8')), { timeout: 5_000 });
}

function lists(stdout: string): readonly (readonly unknown[])[] {
  const values = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  return values.filter((value) => Array.isArray(value));
}
