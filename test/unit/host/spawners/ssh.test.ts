import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SpawnRequest } from '../../../../src/host/cli/spawner.js';
import { ssh } from '../../../../src/host/spawners/ssh.js';

/** A program instead of ssh that runs commands on this machine, and the folder for what is copied there. */
function connection(run = 'exec sh -c "$*"') {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-ssh-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'ssh');
  const script = ['#!/bin/sh', 'while [ "$1" != -- ]; do shift; done', 'shift 2', run];
  writeFileSync(program, script.join('\n'), { mode: 0o700 });
  const there = join(folder, 'there');
  mkdirSync(there);
  const request: SpawnRequest = {
    file: '/bin/sh',
    cli: '/bin/sh',
    args: ['-c', 'cat; exit 7'],
    env: { TMPDIR: there, PATH: '/usr/bin:/bin', KEY: 's3cret', folder: '/nowhere' },
    cwd: '/',
    conversation: undefined,
    files: [],
    writable: [],
    readable: [],
    id: 'test-1',
  };
  const copied = () => readdirSync(there);
  return { there, copied, prepare: () => ssh({ host: 'there', program }).prepare(request) };
}

describe.skipIf(process.platform === 'win32')('what ssh copies to another machine', () => {
  test('is removed with the program, even if this host is gone by then', async () => {
    const { there, copied, prepare } = connection();
    const { file, args, env } = await prepare();
    expect(readFileSync(join(there, String(copied()[0]), 'start'), 'utf8')).toContain('s3cret');
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const [out, exit] = [text(child.stdout), once(child, 'exit')];
    child.stdin.end('hello');
    expect(await exit).toEqual([7, null]);
    expect(await out).toBe('hello');
    expect(copied()).toEqual([]);
  });

  test.each([
    ['between two commands', `sed '/^printf/,$d' | sh -c "$*"`],
    ['in the middle of a text', `sed '/relay/,$d' | sh -c "$*"`],
    ['at the end', 'exec sh -c "$*" >&-'],
  ])('is removed if the connection breaks %s', async (_when, run) => {
    const { copied, prepare } = connection(run);
    await expect(prepare()).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
    expect(copied()).toEqual([]);
  });
});
