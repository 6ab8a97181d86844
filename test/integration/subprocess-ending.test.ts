import { afterEach, describe, expect, test } from 'vitest';
import { type CliTransport, launchCli } from '../../src/host/cli/launch-cli.js';
import type { CliOptions } from '../../src/host/cli/options/cli-options.js';
import { VersionCache } from '../../src/host/cli/program/cli-version.js';
import { hostKeeper, Keeper } from '../../src/wire/transport/process/keeper.js';
import { processControl } from '../../src/wire/transport/process/platform.js';
import { spawnLines } from '../../src/wire/transport/process/spawn-lines.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { carriersOf, fixture, isRunning, Listener, patient, soon, stillRunning } from './process-helpers.js';

const open: CliTransport[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

async function launch(name: string, options: CliOptions = {}, parts = {}): Promise<CliTransport> {
  const transport = await launchCli({ cli: fixture(name), ending: soon, ...options }, parts);
  open.push(transport);
  return transport;
}

describe('close()', () => {
  test('gives the CLI time to save: its last lines arrive before the end', async () => {
    const transport = await launch('saves-late', { ending: patient });
    const listener = new Listener(transport);
    await listener.count(1);
    expect(await transport.close()).toEqual({ reason: 'closed' });
    expect(listener.lines).toEqual(['here', 'saved']);
    expect(await transport.exit).toEqual({ code: 0, signal: null, step: 'eof' });
  });

  test('escalates to SIGTERM and SIGKILL, in this order, if both are ignored', async () => {
    const clock = new ManualClock();
    const transport = await launch('ignores-the-polite', { ending: patient }, { clock });
    const listener = new Listener(transport);
    await listener.count(1);
    const closing = transport.close();
    await listener.count(2);
    clock.advance(patient.eofMs);
    await listener.count(3);
    clock.advance(patient.termMs);
    expect(await passing(clock, closing)).toEqual({ reason: 'closed' });
    expect(listener.lines).toEqual(['here', 'saw the end', 'saw SIGTERM']);
    expect(await transport.exit).toEqual({ code: null, signal: 'SIGKILL', step: 'kill' });
    expect(isRunning(transport.pid)).toBe(false);
  });

  test('ends a CLI that reads nothing, with lines still waiting', async () => {
    const transport = await launch('never-reads', { ending: { ...patient, eofMs: 10 } });
    await new Listener(transport).count(1);
    const sending = transport.send('x'.repeat(5_000_000)).catch(() => 'refused');
    expect(await transport.close()).toEqual({ reason: 'closed' });
    expect(await sending).toBe('refused');
    expect(await transport.exit).toMatchObject({ signal: 'SIGTERM', step: 'term' });
  });

  test('ends a CLI whose output nobody reads any more', async () => {
    const transport = await launch('floods-stdout', { ending: patient });
    const listener = new Listener(transport);
    await listener.count(100);
    transport.pause();
    await transport.close();
    expect(await transport.exit).toMatchObject({ code: 0, step: 'eof' });
  });

  test('is the same shutdown however often it is called, and after the CLI has exited', async () => {
    const transport = await launch('dies-at-once');
    transport.start(() => {});
    const end = await transport.ended;
    expect(end).toMatchObject({ reason: 'exited', code: 3 });
    const again = await Promise.all([transport.close(), transport.close()]);
    expect(again).toEqual([end, end]);
  });

  test('can be started without waiting for it', async () => {
    const transport = await launch('ignores-the-polite');
    await new Listener(transport).count(1);
    transport.leave();
    expect(isRunning(transport.pid)).toBe(true);
    expect(await transport.ended).toEqual({ reason: 'closed' });
    await expect(transport.send('late')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' });
    expect(isRunning(transport.pid)).toBe(false);
  });

  test('works with await using', async () => {
    let pid = 0;
    {
      await using transport = await launch('never-reads');
      pid = transport.pid;
      expect(isRunning(pid)).toBe(true);
    }
    expect(isRunning(pid)).toBe(false);
  });
});

describe('descendants', () => {
  async function family(extraArgs: CliOptions['extraArgs'] = {}) {
    const isStaying = 'stay' in extraArgs;
    const ending = isStaying ? soon : { ...soon, eofMs: patient.eofMs };
    const transport = await launch('runs-a-tool', { extraArgs, ending });
    const { pids } = await new Listener(transport).json();
    const members = (pids as number[]).map(Number);
    expect(members.every(isRunning)).toBe(true);
    return { transport, members };
  }

  test('in their own sessions, and without our mark, are ended at every step', async () => {
    const { transport, members } = await family({ stay: null });
    await transport.close();
    expect(members.filter(isRunning)).toEqual([]);
  });

  test('that carry the mark are ended after a CLI that exited at the end of stdin', async () => {
    const { transport, members } = await family();
    await transport.close();
    expect(await transport.exit).toMatchObject({ code: 0, step: 'eof' });
    const [cli, shell, stubborn, unmarked] = members;
    expect([cli, shell, stubborn].map(Number).filter(isRunning)).toEqual([]);
    // Nothing identifies this process any more: it has no mark, and its parent is gone.
    if (unmarked !== undefined && isRunning(unmarked)) process.kill(unmarked);
  });

  test('that carry the mark are ended after a CLI that was killed', async () => {
    const { transport, members } = await family({ stay: null });
    process.kill(transport.pid, 'SIGKILL');
    expect(await transport.ended).toMatchObject({ signal: 'SIGKILL' });
    const [, shell, stubborn, unmarked] = members;
    expect(await stillRunning([Number(shell), Number(stubborn)])).toEqual([]);
    if (unmarked !== undefined && isRunning(unmarked)) process.kill(unmarked);
  });

  test('of a sibling are left alone', async () => {
    const one = await family();
    const two = await family();
    await one.transport.close();
    expect(two.members.every(isRunning)).toBe(true);
    process.kill(Number(one.members[3]));
    process.kill(Number(two.members[3]));
  });
});

test('processes that nothing can end are reported, and the wait ends', async () => {
  const diagnostics: Diagnostic[] = [];
  const control = { ...processControl('linux'), find: async () => [1], signal: async () => {} };
  const transport = await launch(
    'never-reads',
    { ending: { eofMs: 10, termMs: 10, killMs: 10 }, onDiagnostic: (each) => diagnostics.push(each) },
    { control, keeper: new Keeper(), versions: new VersionCache(async () => '') },
  );
  expect(await transport.close()).toEqual({ reason: 'closed' });
  expect(diagnostics).toMatchObject([{ code: 'PROCESS_LEFT', pids: [1] }]);
  // The shutdown completed without it; the child itself still runs.
  process.kill(transport.pid, 'SIGKILL');
  expect(await transport.exit).toMatchObject({ signal: 'SIGKILL' });
});

/** Lets short times pass until something is settled. */
async function passing<Value>(clock: ManualClock, awaited: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  awaited.then(settled, settled);
  await eventually(() => {
    clock.advance(10);
    return isSettled;
  });
  return awaited;
}

/** For tests that start many processes, as in the projects of such tests. */
const MANY_PROCESSES_MS = 120_000;

test(
  'two hundred starts and closes leave no process, no listener and no open file',
  async () => {
    const cat = { file: '/bin/cat', ending: soon };
    await (await spawnLines(cat)).close();
    const { readdirSync } = await import('node:fs');
    const count = () => ({
      files: readdirSync('/proc/self/fd').length,
      exits: process.listenerCount('exit'),
    });
    const before = count();
    const marks = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const transports = await Promise.all(Array.from({ length: 20 }, () => spawnLines(cat)));
      const [mark] = await marksOf(transports.map(({ pid }) => pid));
      marks.add(String(mark));
      await Promise.all(transports.map((transport) => transport.close()));
    }
    for (const mark of marks) expect(await carriersOf(String(mark).split('-')[0] ?? '')).toEqual([]);
    // One keeper watched over all of them; it rests now.
    expect(marks.size).toBe(10);
    expect(new Set([...marks].map((mark) => mark.split('-')[0])).size).toBe(1);
    expect(hostKeeper().pid).toBeGreaterThan(0);
    await expect.poll(() => count().files).toBeLessThanOrEqual(before.files);
    expect(count().exits).toBe(before.exits);
  },
  MANY_PROCESSES_MS,
);

async function marksOf(pids: readonly number[]): Promise<string[]> {
  const { readProcFolder } = await import('../../src/wire/transport/process/process-table.js');
  const table = await readProcFolder();
  return pids.map((pid) => table.find((entry) => entry.pid === pid)?.mark ?? 'none');
}
