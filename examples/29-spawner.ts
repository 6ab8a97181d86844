// A spawner of your own: each CLI runs with a low priority, and any command that starts a program elsewhere works the same.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from 'coxswain';
import type { Spawner } from 'coxswain/spawners';
import { installEmulator } from 'coxswain/testing';

const cwd = mkdtempSync(join(tmpdir(), 'spawner-'));
const cli = await installEmulator(join(cwd, 'claude'));

// #region spawner
const lowPriority: Spawner = {
  name: 'low priority',
  hasOwnPrograms: false, // the CLI is a file of this machine
  hasOwnFolders: false, // and so is its working folder
  prepare: async ({ file, args, env, cwd }) => ({
    file: 'nice',
    args: ['-n', '10', file, ...args],
    env,
    cwd,
  }),
};
await using session = await openSession({ cli, cwd, spawner: lowPriority });
// #endregion

const { kind } = await session.send('hello').outcome;
console.log(kind);
assert.equal(kind, 'success');
await session.close();
rmSync(cwd, { recursive: true });
