import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { carriers } from './leftovers.js';
import { casesBy, type FaultCase } from './rows.js';

const CLI = resolve('test/fixtures/cli/has-faults.sh');
const HOST = resolve('test/fixtures/cli/hosts-a-session.mjs');
const tmp = mkdtempSync(join(tmpdir(), 'host-faults-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(tmp, { recursive: true });
});

const rows = casesBy('host');

/** A host with a session in this phase, in an environment that identifies everything it starts. */
async function startHost(row: FaultCase, id: string) {
  const folder = join(tmp, id);
  mkdirSync(folder);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    FAULT_ROW: id,
    NODE_OPTIONS: '--max-old-space-size=64',
    ...(row.phase === 'tool' ? {} : { FAULT_AT: 'none' }),
  };
  const host = spawn(
    '/bin/sh',
    ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath, HOST, CLI, row.phase, row.variant],
    {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  started.push(host);
  const ready = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line'),
    once(host, 'exit').then(() => ['it ended']),
  ]);
  expect(ready).toEqual(['ready']);
  return { host, folder };
}

// Each host mostly waits, so they run in parallel.
describe.concurrent('a host that', () => {
  test.each(rows.map((row, index) => [row.name, row, `host-row-${process.pid}-${index}-`] as const))(
    '%s',
    async (_name, row, id) => {
      const { host, folder } = await startHost(row, id);
      // The host, its CLI, and during a tool call a shell; the keeper has its own environment.
      expect(carriers(id).length).toBeGreaterThanOrEqual(row.phase === 'tool' ? 3 : 2);
      expect(readdirSync(folder)).toHaveLength(1);
      const exited = once(host, 'exit');
      if (row.run === 'signal') host.kill(row.variant as NodeJS.Signals);
      else host.stdin.write('now\n');
      const [code, signal] = await exited;
      await eventually(() => carriers(id).length === 0 && readdirSync(folder).length === 0);
      const seen = { host: signal ?? `exit code ${code}` };
      expect({ ...seen, processes: carriers(id), files: readdirSync(folder) }).toEqual({
        ...row.see,
        processes: [],
        files: [],
      });
    },
  );
});
