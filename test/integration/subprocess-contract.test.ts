import { describe, test } from 'vitest';
import { launchCli } from '../../src/host/cli/launch-cli.js';
import { transportContract } from '../../src/lab/testing/contracts/transport.js';
import { spawnLines } from '../../src/wire/transport/process/spawn-lines.js';
import { fixture, soon } from './process-helpers.js';

describe.each([
  ['spawnLines', () => spawnLines({ file: process.execPath, args: [fixture('speaks-lines')], ending: soon })],
  ['launchCli', () => launchCli({ cli: fixture('speaks-lines'), ending: soon })],
])('%s fulfils the contract of a transport', (_name, make) => {
  for (const { name, run } of transportContract(make)) test(name, run);
});
