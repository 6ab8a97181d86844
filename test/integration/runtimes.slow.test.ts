import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { programOf } from '../support/emulated-program.js';
import { carriersOf, fixture, stillRunning } from './process-helpers.js';

const run = promisify(execFile);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'runtimes-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SCENARIO = [
  {
    on: 'user',
    match: 'list files',
    steps: [
      { do: 'useTool', name: 'Bash', input: { command: 'ls' }, ask: true, result: 'a b' },
      { do: 'done', text: 'Two files.' },
    ],
  },
  {
    on: 'user',
    match: 'the time',
    steps: [
      { do: 'mcpTool', server: 'clock', tool: 'time', input: { city: 'Rome' } },
      { do: 'done', text: 'Noon.' },
    ],
  },
];

/** What each program sees on every runtime. */
const SEEN = {
  compat: [
    ...['hook Bash', 'asked Bash', 'Two files.', 'haiku set'],
    ...['hook mcp__clock__time', 'time Rome', 'Noon.'],
  ],
  session: [...['2.1.326', 'asked Bash', 'Two files.', 'time Rome', 'Noon.'], 'end eof facts header line'],
  emulator: ['asked Bash', 'Two.'],
};

const at = (name: string) => resolve('test/runtimes/node_modules', name);
const runtimes = [
  ['Node', process.execPath, []],
  ['Bun', at(`@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}/bin/bun`), []],
  ['Deno', at(`@deno/${process.platform}-${process.arch}-glibc/deno`), ['run', '-A']],
] as const;

describe.each(runtimes)('on %s', (name, runtime, flags) => {
  const obstacle = existsSync(runtime) ? undefined : `${name} is not installed in test/runtimes`;

  test.for(Object.entries(SEEN))(
    'the program "%s" sees what it should',
    async ([program, seen], { skip }) => {
      if (obstacle !== undefined) skip(obstacle);
      const cwd = mkdtempSync(join(root, `${name}-${program}-`));
      const scenario = join(cwd, 'scenario.json');
      writeFileSync(scenario, JSON.stringify(SCENARIO));
      const args = [...flags, resolve(`test/fixtures/runtimes/${program}.mjs`), programOf('2.1.326'), cwd];
      const { stdout } = await run(runtime, args, { env: environment(cwd, scenario), timeout: 25_000 });
      expect(JSON.parse(stdout)).toEqual(seen);
    },
  );

  test('a host that is killed in a tool call leaves nothing running', async ({ skip }) => {
    if (obstacle !== undefined) skip(obstacle);
    const owner = `runtime${name}x${process.pid}-1`;
    const options = JSON.stringify({ extraArgs: { stay: null } });
    const args = [...flags, fixture('hosts-a-cli'), fixture('runs-a-tool'), 'stay', options];
    const host = spawn(runtime, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, COXSWAIN_MARK: owner, DENO_NO_UPDATE_CHECK: '1' },
    });
    const exited = once(host, 'exit');
    const [line] = await once(createInterface({ input: host.stdout }), 'line');
    const pids: number[] = JSON.parse(String(line)).pids.map(Number);
    expect((await carriersOf(owner)).length).toBeGreaterThanOrEqual(pids.length);
    host.kill('SIGKILL');
    await exited;
    expect(await stillRunning(pids, 15_000)).toEqual([]);
  });
});

// The programs that compare us with the original, with the tests themselves run by Bun.
test('programs of the official SDK see and send the same on Bun as with the original', {
  timeout: 300_000,
}, async ({ skip }) => {
  const [, bun] = runtimes[1];
  if (!existsSync(bun)) skip('Bun is not installed in test/runtimes');
  // Without the slow ones: type checks do not depend on the runtime.
  const files = readdirSync('test/compat').filter((file) => /^[^.]+\.test\.ts$/.test(file));
  const paths = files.map((file) => join('test/compat', file));
  const args = ['--bun', 'node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...paths];
  // The original starts a script with the `bun` of PATH.
  const { COXSWAIN_TEST_REPORT: _, ...own } = process.env;
  const env = { ...own, PATH: `${dirname(bun)}${delimiter}${process.env.PATH}` };
  const { stdout } = await run(bun, args, { env, timeout: 290_000, maxBuffer: 2 ** 26 });
  expect(stdout).toMatch(/\d{3} passed, 0 failed/);
});

function environment(home: string, scenario: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, COXSWAIN_SCENARIO: scenario, DENO_NO_UPDATE_CHECK: '1' };
}
