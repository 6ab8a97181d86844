import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadTrace } from '../../src/wire/trace/read/read-trace.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-crash-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DOOR = pathToFileURL(resolve('dist/trace.js')).href;

/** Runs a host with a recording; a host that does not end is killed. */
async function run(host: string): Promise<{ readonly path: string; readonly signal: string | null }> {
  const path = join(folder, 'a.trace');
  const code = `
    import { existsSync, readFileSync } from 'node:fs';
    import { startRecording } from ${JSON.stringify(DOOR)};
    const path = ${JSON.stringify(path)};
    const recording = startRecording(path);
    recording.lines('cli', ['{"n":1}']);
    ${host}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: 'ignore',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  const [, signal] = await once(child, 'close');
  return { path, signal };
}

/** A host that records a few lines, lets the disk accept some of them, and then ends in this way. */
async function crash(how: string): Promise<string> {
  const { path } = await run(`
    const look = setInterval(() => {
      if (!existsSync(path) || !readFileSync(path, 'utf8').includes('"n":1')) return;
      clearInterval(look);
      for (let n = 2; n <= 2000; n += 1) recording.lines('cli', ['{"n":' + n + '}']);
      ${how}
    }, 5);`);
  return path;
}

test.each([
  ['has nothing left to do', ''],
  ['waits for what never comes', 'await new Promise(() => {});'],
  ['exits at once', 'process.exit();'],
])('a host that %s ends, with a complete recording', async (_, how) => {
  const { path, signal } = await run(how);
  expect(signal).toBeNull();
  expect((await loadTrace(path)).at(-1)?.entry).toMatchObject({ kind: 'line', frame: { n: 1 } });
});

test.each([
  ['leaves', 'process.exit(3);'],
  ['throws', "throw new Error('crash');"],
])('a host that %s at once leaves a complete recording', async (_, how) => {
  const entries = await loadTrace(await crash(how));
  expect(entries).toHaveLength(2_001);
  expect(entries.at(-1)?.entry).toMatchObject({ kind: 'line', frame: { n: 2_000 } });
});

test('a host that is killed leaves a readable recording', async () => {
  const path = await crash("setImmediate(() => setImmediate(() => process.kill(process.pid, 'SIGKILL')));");
  const entries = await loadTrace(path);
  expect(entries[1]?.entry).toMatchObject({ kind: 'line', frame: { n: 1 } });
  const numbers = entries.flatMap(({ entry }) => (entry.kind === 'line' ? [Number(entry.frame?.n)] : []));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('a host that records to an impossible folder can still exit', async () => {
  const { signal } = await run(`
    await recording.close();
    await startRecording({ to: '/proc/nowhere/a.trace', closeWaitMs: 100 }).close();`);
  expect(signal).toBeNull();
});
