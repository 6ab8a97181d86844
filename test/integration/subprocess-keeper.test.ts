import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { KEEPER_SCRIPT } from '../../src/wire/transport/process/keeper-script.js';
import { bundledHost } from '../support/bundled-host.js';
import { eventually, eventuallyEmpty } from '../support/eventually.js';
import { carriersOf, commandOf, fixture, isRunning, stillRunning } from './process-helpers.js';

const started: ChildProcess[] = [];
const strays: number[] = [];
afterAll(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const pid of strays.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** The options of a CLI that ignores everything. */
const STAYING = JSON.stringify({ extraArgs: { stay: null } });

/** Starts a host program with a CLI that runs a tool, and waits until all of them run. */
async function hostWithTool(manner: string, options: object = {}) {
  const given = JSON.stringify({ extraArgs: { stay: null }, ...options });
  const host = spawn(process.execPath, [fixture('hosts-a-cli'), fixture('runs-a-tool'), manner, given], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  started.push(host);
  const [line] = await once(createInterface({ input: host.stdout }), 'line');
  const members = JSON.parse(String(line)).pids.map(Number) as number[];
  strays.push(...members);
  const keeper = keeperOf(host.pid ?? 0);
  return { host, members, keeper };
}

/** The keeper is the host's child in its own session, which has its id. */
function keeperOf(host: number): number {
  const children = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').trim().split(' ').map(Number);
  return children.find((pid) => commandOf(pid).includes('coxswain-keeper')) ?? 0;
}

describe.concurrent('a host that ends during a tool call', () => {
  test.each([
    ['is killed', 'stay', 'SIGKILL'],
    ['is terminated', 'stay', 'SIGTERM'],
    ['loses its terminal', 'stay', 'SIGHUP'],
    ['exits', 'exit', undefined],
    ['throws', 'throw', undefined],
  ] as const)('leaves nothing running when it %s', async (_what, manner, signal) => {
    const { host, members, keeper } = await hostWithTool(manner);
    expect(members.every(isRunning)).toBe(true);
    expect(isRunning(keeper)).toBe(true);
    if (signal === undefined) host.stdin?.write('now\n');
    else host.kill(signal);
    await once(host, 'exit');
    expect(await stillRunning([...members, keeper], 15_000)).toEqual([]);
  });

  test('its private files are removed', async () => {
    const { host, members, keeper } = await hostWithTool('stay', {
      settings: { env: { BIG: 'x'.repeat(20_000) } },
    });
    const cli = readFileSync(`/proc/${members[0]}/cmdline`, 'utf8').split('\0');
    const path = cli.find((each) => each.startsWith('--settings='))?.slice(11) ?? '';
    expect(existsSync(path)).toBe(true);
    host.kill('SIGKILL');
    expect(await stillRunning([keeper], 15_000)).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });
});

// By what it has started so far: only itself, a first process, the CLI with a shell, the shell's child too.
test.concurrent.each([1, 2, 3, 4])(
  'a host that is killed during startup, when it is %i processes, leaves nothing running',
  async (count) => {
    // Everything the host starts passes on the mark of the host's owner, which is this test.
    const owner = `owner${count}x${process.pid}`;
    const host = spawn(process.execPath, [fixture('hosts-a-cli'), fixture('runs-a-tool'), 'stay', STAYING], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, COXSWAIN_MARK: `${owner}-1` },
    });
    started.push(host);
    const carriers = () => carriersOf(`${owner}-1`);
    await eventually(async () => (await carriers()).length >= count);
    const exited = once(host, 'exit');
    host.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    await eventuallyEmpty(carriers);
  },
);

describe.concurrent('the keeper', () => {
  test('does not keep the host alive, and ends with the last transport', async () => {
    const { host, members, keeper } = await hostWithTool('close', { ending: { eofMs: 100, termMs: 300 } });
    host.stdin?.write('now\n');
    expect(await once(host, 'exit')).toEqual([0, null]);
    expect(await stillRunning([...members, keeper])).toEqual([]);
  });

  test('does not carry the mark, and its arguments do not contain it', async () => {
    const { host, keeper } = await hostWithTool('stay');
    const environ = readFileSync(`/proc/${keeper}/environ`, 'utf8');
    expect(environ).not.toContain('COXSWAIN_MARK');
    expect(readFileSync(`/proc/${keeper}/cmdline`, 'utf8')).not.toMatch(/[0-9a-f]{32}/);
    host.kill('SIGKILL');
    expect(await stillRunning([keeper], 15_000)).toEqual([]);
  });

  test('is replaced if it is killed, so that the host is still covered', async () => {
    const { host, members, keeper } = await hostWithTool('stay');
    process.kill(keeper, 'SIGKILL');
    expect(await stillRunning([keeper])).toEqual([]);
    await eventually(() => keeperOf(host.pid ?? 0) !== 0);
    const second = keeperOf(host.pid ?? 0);
    expect(second).not.toBe(keeper);
    host.kill('SIGKILL');
    expect(await stillRunning([...members, second], 15_000)).toEqual([]);
  });
});

test('without a keeper, the CLI still ends with an orderly exit of its host', async () => {
  const host = spawn(
    process.execPath,
    [await bundledHost(fixture('hosts-without-shell')), fixture('never-reads')],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  started.push(host);
  const [line] = await once(createInterface({ input: host.stdout }), 'line');
  const cli = Number(line);
  strays.push(cli);
  expect(isRunning(cli)).toBe(true);
  expect(keeperOf(host.pid ?? 0)).toBe(0);
  // The CLI, and the run for its version, which this program never ends by itself.
  const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  expect(children).toHaveLength(2);
  host.stdin.write('now\n');
  expect(await once(host, 'exit')).toEqual([0, null]);
  expect(await stillRunning([cli])).toEqual([]);
  expect(await stillRunning(children)).toEqual([]);
});

test('a stopped host loses its CLI when its deadline passes, and finds out when it continues', async () => {
  const host = spawn(
    process.execPath,
    [await bundledHost(fixture('hosts-with-deadline')), fixture('runs-a-tool')],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  started.push(host);
  const lines = createInterface({ input: host.stdout });
  const [first] = await once(lines, 'line');
  const members = JSON.parse(String(first)).pids.map(Number) as number[];
  strays.push(...members);
  // An extended deadline ends nothing: its host has outlived it by now.
  const [outlived] = await once(lines, 'line');
  expect(outlived).toBe('outlived');
  expect(members.every(isRunning)).toBe(true);
  host.kill('SIGSTOP');
  expect(await stillRunning(members, 30_000)).toEqual([]);
  const heard = once(lines, 'line');
  host.kill('SIGCONT');
  expect(await heard).toEqual([expect.stringContaining('SIGKILL')]);
  host.stdin.end();
  expect(await once(host, 'exit')).toEqual([0, null]);
}, 90_000);

/** The script looks at all processes of the machine again and again, which takes long where many run. */
const MANY_LOOKS_MS = 120_000;

describe.concurrent.each(['proc', 'ps'])(
  'the script, reading processes from %s',
  {
    timeout: MANY_LOOKS_MS,
  },
  (table) => {
    test('ends everything with the mark and every descendant of a child, and nothing else', async () => {
      const mark = `${'ab'.repeat(15)}${table === 'ps' ? '01' : '02'}`;
      const sleeper = (env: NodeJS.ProcessEnv) => {
        const child = spawn('/bin/sh', ['-c', 'sleep 300 & echo $!; wait'], {
          detached: true,
          env: { PATH: process.env.PATH, ...env },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        started.push(child);
        return child;
      };
      const family = [
        sleeper({ COXSWAIN_MARK: `${mark}-1` }),
        sleeper({ COXSWAIN_MARK: `outer-1/${mark}-2` }),
        sleeper({}),
        sleeper({ COXSWAIN_MARK: `${mark.slice(0, -1)}f-1` }),
      ];
      const pids = await Promise.all(
        family.map(async (child) => {
          const [data] = await once(child.stdout, 'data');
          return [child.pid ?? 0, Number(data)];
        }),
      );
      strays.push(...pids.flat());
      const keeper = runScript({ KEEPER_MARK: mark, KEEPER_TABLE: table });
      const registered = family[2]?.pid;
      keeper.stdin?.end(`add 999999999\nadd ${registered}\ndel 999999999\n`);
      await once(keeper, 'exit');
      expect(pids.slice(0, 3).flat().filter(isRunning)).toEqual([]);
      expect(pids[3]?.every(isRunning)).toBe(true);
    });

    test('ends processes that the first scan could not see', async () => {
      const mark = `${'cd'.repeat(15)}${table === 'ps' ? '01' : '02'}`;
      const folder = mkdtempSync(join(tmpdir(), 'keeper-'));
      const late = join(folder, 'late');
      // The keeper sleeps between its scans; this sleep starts a process that shows its mark only then.
      writeFileSync(
        join(folder, 'sleep'),
        `#!/bin/sh
[ -e ${late} ] || { COXSWAIN_MARK=${mark}-1 setsid /bin/sleep 300 & echo $! > ${late}; }
exec /bin/sleep "$@"
`,
        { mode: 0o755 },
      );
      const keeper = runScript({
        KEEPER_MARK: mark,
        KEEPER_TABLE: table,
        PATH: `${folder}:${process.env.PATH}`,
      });
      keeper.stdin?.end();
      await once(keeper, 'exit');
      const pid = Number(readFileSync(late, 'utf8'));
      strays.push(pid);
      rmSync(folder, { recursive: true });
      expect(pid).toBeGreaterThan(0);
      expect(await stillRunning([pid])).toEqual([]);
    });

    test('waits at most a second before it kills processes that ignore everything', async () => {
      const mark = `${'ac'.repeat(15)}${table === 'ps' ? '01' : '02'}`;
      const folder = mkdtempSync(join(tmpdir(), 'keeper-'));
      const deaf = spawn('/bin/sh', ['-c', 'trap "" TERM HUP; echo ready; while :; do sleep 1; done'], {
        env: { PATH: process.env.PATH, COXSWAIN_MARK: `${mark}-1` },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      started.push(deaf);
      await once(deaf.stdout, 'data');
      // Records the keeper's pauses. It ends what it has asked twice for nothing, so the fifth pause waits for that: only
      // SIGKILL ends this process.
      writeFileSync(
        join(folder, 'sleep'),
        `#!/bin/sh
echo "$1" >> ${folder}/pauses
if [ "$(wc -l < ${folder}/pauses)" -gt 4 ]; then
  while read -r _ _ state _ < /proc/${deaf.pid}/stat && [ "$state" != Z ]; do /bin/sleep 0.05; done
fi
exec /bin/sleep "$@"
`,
        { mode: 0o755 },
      );
      const keeper = runScript({
        KEEPER_MARK: mark,
        KEEPER_TABLE: table,
        PATH: `${folder}:${process.env.PATH}`,
      });
      keeper.stdin?.end();
      await once(keeper, 'exit');
      const pauses = readFileSync(join(folder, 'pauses'), 'utf8').trim().split('\n').map(Number);
      rmSync(folder, { recursive: true });
      expect(isRunning(deaf.pid ?? 0)).toBe(false);
      expect(pauses.slice(0, 4).reduce((sum, each) => sum + each)).toBeLessThanOrEqual(1);
    });

    test('kills without grace when a deadline passes, and keeps running', async () => {
      const mark = `${'bd'.repeat(15)}${table === 'ps' ? '01' : '02'}`;
      const deaf = spawn('/bin/sh', ['-c', 'trap "" TERM HUP; echo ready; while :; do sleep 1; done'], {
        env: { PATH: process.env.PATH, COXSWAIN_MARK: `${mark}-1` },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      started.push(deaf);
      await once(deaf.stdout, 'data');
      const keeper = runScript({ KEEPER_MARK: mark, KEEPER_TABLE: table });
      const exited = once(deaf, 'exit');
      keeper.stdin?.write('until 0.1\n');
      expect(await exited).toEqual([null, 'SIGKILL']);
      expect(isRunning(keeper.pid ?? 0)).toBe(true);
      keeper.stdin?.write('quit\n');
      expect(await once(keeper, 'exit')).toEqual([0, null]);
    });

    test('forgets a deadline that was moved or cancelled, with everything that waits for it', async () => {
      const mark = `${'ce'.repeat(15)}${table === 'ps' ? '01' : '02'}`;
      const carrier = spawn('sleep', ['300'], { env: { COXSWAIN_MARK: `${mark}-1` }, stdio: 'ignore' });
      started.push(carrier);
      const keeper = runScript({ KEEPER_MARK: mark, KEEPER_TABLE: table });
      keeper.stdin?.write('until 100\nuntil 200\nuntil 300\n');
      keeper.stdin?.write('until never\nrest\n');
      keeper.stdin?.end();
      expect(await once(keeper, 'exit')).toEqual([0, null]);
      await eventuallyEmpty(() => environsWith(`KEEPER_MARK=${mark}`));
      expect(isRunning(carrier.pid ?? 0)).toBe(true);
    });

    test('exits at once when told to, and if it never got a mark', async () => {
      const quitting = runScript({ KEEPER_MARK: 'x', KEEPER_TABLE: table });
      quitting.stdin?.write('quit\n');
      expect(await once(quitting, 'exit')).toEqual([0, null]);
      const unknowing = runScript({ KEEPER_TABLE: table });
      unknowing.stdin?.end();
      expect(await once(unknowing, 'exit')).toEqual([0, null]);
    });

    test('scans nothing if its host exits while it rests, but does so once it was woken', async () => {
      const mark = `${'ef'.repeat(15)}${table === 'ps' ? '01' : '02'}`;
      const carrier = spawn('sleep', ['300'], { env: { COXSWAIN_MARK: `${mark}-1` }, stdio: 'ignore' });
      started.push(carrier);
      const resting = runScript({ KEEPER_MARK: mark, KEEPER_TABLE: table });
      resting.stdin?.end('add 999999999\ndel 999999999\nrest\n');
      expect(await once(resting, 'exit')).toEqual([0, null]);
      expect(isRunning(carrier.pid ?? 0)).toBe(true);
      const woken = runScript({ KEEPER_MARK: mark, KEEPER_TABLE: table });
      woken.stdin?.end('rest\nwake\n');
      await once(woken, 'exit');
      expect(isRunning(carrier.pid ?? 0)).toBe(false);
    });
  },
);

function runScript(env: NodeJS.ProcessEnv): ChildProcess {
  const script = spawn('/bin/sh', ['-c', KEEPER_SCRIPT, 'coxswain-keeper'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  started.push(script);
  return script;
}

/** The processes whose environment holds a text. */
function environsWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}
