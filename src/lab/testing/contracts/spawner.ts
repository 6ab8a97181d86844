import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SpawnCommand, Spawner, SpawnRequest } from '../../../host/cli/spawner.js';
import type { ContractCase } from './transport.js';

/** What {@link spawnerContract} tests. */
export interface SpawnerUnderTest {
  /** A new one, or the same for each case. */
  readonly spawner: Spawner;
  /** A working folder that exists: on this machine, or where the spawner has its own. */
  readonly folder: string;
}

/**
 * The promises of the {@link Spawner} interface as test cases. They start `/bin/sh`.
 * @example for (const { name, run } of spawnerContract(make)) test(name, run);
 */
export function spawnerContract(
  make: () => SpawnerUnderTest | Promise<SpawnerUnderTest>,
): readonly ContractCase[] {
  return Object.entries(promises).map(([name, body]) => ({
    name,
    run: async () => body(await make()),
  }));
}

const SECRET = 'made-up-secret-of-the-contract';

const promises: Readonly<Record<string, (tested: SpawnerUnderTest) => Promise<void>>> = {
  'the standard streams and the exit code are those of the program': async (tested) => {
    const started = await start(tested, 'cat; echo problem >&2; exit 7');
    started.child.stdin.end('one\ntwo\n');
    assert.deepEqual(await started.outcome(), { out: 'one\ntwo\n', code: 7 });
    assert.match(await started.err, /problem/);
  },
  'output arrives while the input stays open': async (tested) => {
    const started = await start(tested, 'echo ready; cat');
    const [first] = await once(started.child.stdout, 'data');
    assert.equal(String(first), 'ready\n');
    started.child.stdin.end();
    await started.outcome();
  },
  'the program runs in the working folder': async (tested) => {
    const started = await start(tested, 'pwd -P; ls -d .');
    started.child.stdin.end();
    const { out } = await started.outcome();
    assert.match(out, new RegExp(`${tested.folder.replaceAll(/[^\w/-]/g, '.')}\n`));
  },
  'the program gets its variables, and no command line has their values': async (tested) => {
    const started = await start(tested, 'printf %s "$KEY" | wc -c', {
      env: { KEY: SECRET },
    });
    started.child.stdin.end();
    assert.equal((await started.outcome()).out.trim(), String(SECRET.length));
    assert.ok(!JSON.stringify(started.command.args).includes(SECRET));
  },
  'the program gets no other variable of this host': async (tested) => {
    process.env.SPAWNER_CONTRACT = SECRET;
    try {
      const started = await start(tested, 'env');
      started.child.stdin.end();
      const { out } = await started.outcome();
      assert.match(out, /^PATH=/m);
      assert.ok(!out.includes(SECRET));
    } finally {
      delete process.env.SPAWNER_CONTRACT;
    }
  },
  'the program reads a private file that an argument names': async (tested) => {
    const folder = await mkdtemp(join(tmpdir(), 'spawner-contract-'));
    const path = join(folder, 'private.json');
    await writeFile(path, SECRET, { mode: 0o600 });
    try {
      const more = { files: [path], words: [`--file=${path}`] };
      const started = await start(tested, 'cat "$(echo "$1" | cut -d= -f2)"', more);
      started.child.stdin.end();
      assert.equal((await started.outcome()).out, SECRET);
      assert.ok(!JSON.stringify(started.command.args).includes(SECRET));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  'a program that ignores the end of its input is gone after its process was killed and `end` was called':
    async (tested) => {
      const name = `left-${Date.now()}`;
      const started = await start(
        tested,
        `echo up > ${name}; echo ready; while :; do echo up > ${name}; sleep 0.1; done`,
      );
      await once(started.child.stdout, 'data');
      // As a session does it: the whole process group.
      process.kill(-Number(started.child.pid), 'SIGKILL');
      await started.outcome();
      // The program writes its file again as long as it runs.
      const looks = await start(
        tested,
        `rm -f ${name}; sleep 1; test -e ${name} && echo running || echo gone`,
      );
      looks.child.stdin.end();
      assert.equal((await looks.outcome()).out.trim(), 'gone');
    },
};

interface More {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly words?: readonly string[];
}

/** Starts a shell script as a session starts a CLI. */
async function start({ spawner, folder }: SpawnerUnderTest, script: string, more: More = {}) {
  const { env = {}, files = [], words = [] } = more;
  count += 1;
  const request: SpawnRequest = {
    file: '/bin/sh',
    cli: '/bin/sh',
    args: ['-c', script, 'sh', ...words],
    env: { PATH: '/usr/bin:/bin', ...env },
    cwd: folder,
    conversation: undefined,
    files,
    writable: [],
    readable: [],
    id: `contract-${process.pid}-${count}`,
  };
  const command: SpawnCommand = await spawner.prepare(request);
  const child = spawn(command.file, command.args, {
    env: command.env,
    cwd: command.cwd,
    stdio: 'pipe',
    detached: true,
  });
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const exit = once(child, 'exit');
  const outcome = async () => {
    const [code] = await exit;
    await command.end?.();
    return { out: await out, code: Number(code) };
  };
  return { command, child, err, outcome };
}

let count = 0;
