import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Sender } from '../../src/wire/trace/format.js';
import { loadTrace } from '../../src/wire/trace/read/read-trace.js';
import { programOf } from '../support/emulated-program.js';
import { stillRunning } from './process-helpers.js';

const MAIN = resolve('dist/command.js');
let folder = '';
let trace = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-tap-'));
  trace = join(folder, 'a.trace');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A small program under a tap. */
function tapped(
  code: string,
  flags: readonly string[] = ['--raw'],
  args: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, code);
  return spawn(process.execPath, [MAIN, 'tap', '-o', trace, ...flags, '--', program, ...args]);
}

async function outputOf(child: ChildProcessWithoutNullStreams): Promise<{ out: Buffer; err: string }> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  await once(child, 'close');
  return { out: Buffer.concat(out), err: Buffer.concat(err).toString('utf8') };
}

const ECHO = 'process.stdin.pipe(process.stdout);';

describe('a tap', () => {
  test('passes bytes unchanged in both directions, whatever they are, and records lines', async () => {
    const child = tapped(ECHO);
    const bytes = Buffer.concat([
      Buffer.from('{"type":"user"}\r\n\n\u2028 ü€😀\n'),
      Buffer.from([0, 255, 254, 10, 195]),
      Buffer.alloc(2_000_000, 'x'),
      Buffer.from('\n{"no":"end"}'),
    ]);
    child.stdin.end(bytes);
    const { out } = await outputOf(child);
    expect(out.equals(bytes)).toBe(true);
    const lines = (await loadTrace(trace)).flatMap(({ entry }) => (entry.kind === 'line' ? [entry] : []));
    for (const from of ['host', 'cli'] as const) {
      const own = lines.filter((line) => line.from === from).map(({ line }) => line);
      expect(own).toHaveLength(6);
      expect(own.at(0)).toBe('{"type":"user"}\r');
      expect(own.at(-1)).toBe('{"no":"end"}');
    }
  });

  test('passes a line on at once, before the next one arrives', async () => {
    const child = tapped(ECHO);
    for (const line of ['one\n', 'two\n', 'half a']) {
      child.stdin.write(line);
      const [chunk] = await once(child.stdout, 'data');
      expect(String(chunk)).toBe(line);
    }
    child.stdin.end();
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });

  test('passes on the end of input, stderr and the exit code', async () => {
    const child = tapped(
      "process.stdin.resume().on('end', () => { console.error('bye'); process.exitCode = 42; });",
    );
    child.stdin.end();
    const { err } = await outputOf(child);
    expect(err).toBe('bye\n');
    expect(child.exitCode).toBe(42);
    const entries = (await loadTrace(trace)).map(({ entry }) => entry);
    expect(entries.slice(1)).toMatchObject([
      { kind: 'eof', from: 'host' },
      { kind: 'end', end: { reason: 'exited', code: 42, signal: null, stderrTail: 'bye\n' } },
    ]);
  });

  test('passes on signals, and dies from the same signal as its program', async () => {
    const child = tapped(
      "process.on('SIGTERM', () => console.log('heard')); setInterval(() => {}, 1e6); console.log('up');",
    );
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [heard] = await once(child.stdout, 'data');
    expect(String(heard)).toBe('heard\n');
    child.kill('SIGHUP');
    await once(child, 'close');
    expect(child.signalCode).toBe('SIGHUP');
    const kinds = (await loadTrace(trace)).map(({ entry }) =>
      entry.kind === 'signal' ? entry.signal : entry.kind,
    );
    expect(kinds).toEqual(['header', 'line', 'SIGTERM', 'line', 'SIGHUP', 'end']);
  });

  test('does not outlive its program, and its program does not outlive the tap', async () => {
    const child = tapped('console.log(process.pid); setInterval(() => {}, 1e6);');
    const [pid] = await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await stillRunning([Number(pid)])).toEqual([]);
  });

  test.each([
    ['SIGUSR1', 138],
    ['SIGPIPE', 141],
  ])('exits as a shell would if Node does not die from %s', async (signal, code) => {
    const child = spawn(process.execPath, [
      MAIN,
      'tap',
      '-o',
      trace,
      '--',
      'sh',
      '-c',
      `kill -${signal.slice(3)} $$`,
    ]);
    const { err } = await outputOf(child);
    expect([child.exitCode, err]).toEqual([code, '']);
  });

  test('records into a pipe', async () => {
    execFileSync('mkfifo', [trace]);
    const child = tapped("console.log('{}')");
    child.stdin.end();
    const entries = await loadTrace(trace);
    expect(entries.map(({ entry }) => entry.kind).sort()).toEqual(['end', 'eof', 'header', 'line']);
  });

  test('does not wait for leftover processes that hold the pipes of its program', async () => {
    const child = tapped(`
      import { spawn } from 'node:child_process';
      const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)'], { stdio: 'inherit', detached: true });
      console.log(left.pid);
      process.exit(7);`);
    child.stdin.end();
    const [chunk] = await once(child.stdout, 'data');
    const [code] = await once(child, 'exit');
    process.kill(Number(String(chunk)), 'SIGKILL');
    expect(code).toBe(7);
  });

  test('keeps passing on input while nobody reads the output', async () => {
    const seen = join(folder, 'seen');
    const child = tapped(
      `import { writeFileSync } from 'node:fs';
       const flood = () => { while (process.stdout.write('x'.repeat(1000) + '\\n')); process.stdout.once('drain', flood); };
       flood();
       process.stdin.on('data', (chunk) => writeFileSync(${JSON.stringify(seen)}, chunk));
       process.stdin.on('end', () => process.exit(0));`,
    );
    child.stdin.write('hello');
    await expect
      .poll(() => (existsSync(seen) ? readFileSync(seen, 'utf8') : ''), { timeout: 20_000 })
      .toBe('hello');
    child.stdout.resume();
    child.stdin.end();
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });

  test('lets the program continue if the recording cannot be written, and reports it on stderr', async () => {
    trace = join(folder, 'program.mjs', 'a.trace');
    const child = tapped(ECHO, []);
    child.stdin.end('{"type":"user"}\n');
    const { out, err } = await outputOf(child);
    expect(out.toString()).toBe('{"type":"user"}\n');
    expect(child.exitCode).toBe(0);
    expect(err).toContain('coxswain tap: The recording');
  });

  test('records that a program could not be started', async () => {
    const args = [MAIN, 'tap', '-o', trace, '--', join(folder, 'nowhere')];
    const child = spawn(process.execPath, args, { stdio: 'pipe' });
    await outputOf(child);
    expect(child.exitCode).toBe(7);
    expect(readFileSync(trace, 'utf8')).toContain('"end":{"reason":"failed"');
  });

  test('removes secrets only from the copy', async () => {
    const child = tapped(ECHO, []);
    const line = '{"type":"user","text":"sk-ant-api03-abcdefgh"}\n';
    child.stdin.end(line);
    expect((await outputOf(child)).out.toString()).toBe(line);
    expect(readFileSync(trace, 'utf8')).not.toContain('abcdefgh');
  });

  test('records with any arguments, except for a version query', async () => {
    for (const args of [['--version'], ['-p', '-v'], ['--append-system-prompt', '--help']]) {
      const child = tapped(ECHO, ['--raw'], args);
      child.stdin.end(`"${args.at(-1)}"\n`);
      await once(child, 'close');
    }
    expect(readFileSync(trace, 'utf8')).toContain('"text":"\\"-v\\""');
    expect(readFileSync(join(folder, 'a-2.trace'), 'utf8')).toContain('--help');
    expect(existsSync(join(folder, 'a-3.trace'))).toBe(false);
  });

  test('never overwrites a recording', async () => {
    for (let count = 0; count < 2; count += 1) {
      const child = tapped(ECHO);
      child.stdin.end(`${count}\n`);
      await once(child, 'close');
    }
    expect(readFileSync(trace, 'utf8')).toContain('"text":"0"');
    expect(readFileSync(join(folder, 'a-2.trace'), 'utf8')).toContain('"text":"1"');
  });
});

test('a session works the same through a tap wrapper, and the tap records it', async () => {
  const wrapper = join(folder, "claude's tap");
  const write = spawn(process.execPath, [
    MAIN,
    'tap',
    '-o',
    trace,
    '--wrapper',
    wrapper,
    '--',
    programOf('2.1.326'),
  ]);
  expect((await outputOf(write)).out.toString()).toBe(`${wrapper}\n`);
  const own = join(folder, 'own.trace');
  const session = await openSession({ cli: wrapper, cwd: folder, record: own });
  const outcome = await session.send('hello').outcome;
  await session.close();
  expect(outcome.kind).toBe('success');
  const linesFrom = async (path: string, from: Sender) =>
    (await loadTrace(path)).flatMap(({ entry }) =>
      entry.kind === 'line' && entry.from === from ? [entry.line] : [],
    );
  expect((await linesFrom(own, 'cli')).length).toBeGreaterThan(5);
  for (const from of ['host', 'cli'] as const) {
    expect(await linesFrom(trace, from)).toEqual(await linesFrom(own, from));
  }
});

describe('a program written with the official SDK', () => {
  const PROGRAM = resolve('test/peers/official-sdk.mjs');
  const NO_NETWORK = pathToFileURL(resolve('test/fixtures/no-network.mjs')).href;

  test('sees the same through a tap as without, and its session is recorded', async ({ skip }) => {
    if (!existsSync('test/peers/node_modules/@anthropic-ai/claude-agent-sdk')) {
      skip('the official SDK is not installed in test/peers (see the npm error above, or run npm test)');
    }
    const scenario = join(folder, 'scenario.json');
    const tool = { do: 'useTool', name: 'Bash', input: { command: 'ls' }, ask: true, result: 'a b' };
    const turn = {
      on: 'user',
      steps: [{ do: 'say', content: 'Sure.' }, tool, { do: 'done', text: 'Done.' }],
    };
    writeFileSync(scenario, JSON.stringify([turn, turn, turn]));
    const wrapper = join(folder, 'claude-tap');
    await outputOf(
      spawn(process.execPath, [MAIN, 'tap', '-o', trace, '--wrapper', wrapper, '--', programOf('2.1.326')]),
    );
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      COXSWAIN_SESSIONS: folder,
      COXSWAIN_SCENARIO: scenario,
      NODE_OPTIONS: `--import=${NO_NETWORK}`,
    };
    const run = (cli: string) => outputOf(spawn(process.execPath, [PROGRAM, cli], { cwd: folder, env }));
    const [plain, tapped] = [await run(programOf('2.1.326')), await run(wrapper)];
    expect(tapped.err).toBe('');
    expect(tapped.out.toString()).toContain('["result","success","Done."]');
    expect(tapped.out.toString()).toBe(plain.out.toString());
    const entries = (await loadTrace(trace)).map(({ entry }) => entry);
    expect(entries.at(-1)).toMatchObject({ kind: 'end', end: { reason: 'exited' } });
    expect(JSON.stringify(entries)).toContain('"initialize"');
  });
});
