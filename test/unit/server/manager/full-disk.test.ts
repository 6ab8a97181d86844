import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledHost } from '../../../support/bundled-host.js';
import { echo, emulatedManager, storeFolder } from '../../../support/manager.js';

/** What happened to a host whose files may not grow beyond this many blocks of 512 bytes, as on a full disk. */
async function hostOnFullDisk(
  folder: string,
): Promise<{ readonly lines: readonly string[]; readonly stderr: string }> {
  const program = await bundledHost(join(import.meta.dirname, 'full-disk-host.ts'));
  const limited = `ulimit -f 16; trap '' XFSZ; exec "$0" "$1" "$2"`;
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', limited, process.execPath, program, folder], {
    encoding: 'utf8',
  });
  return { lines: stdout.trim().split('\n'), stderr };
}

test.skipIf(process.platform === 'win32')(
  'a full disk refuses messages with a code, loses no accepted ones, and stops no schedule',
  async () => {
    const store = storeFolder();
    const { lines, stderr } = await hostOnFullDisk(store);
    expect(stderr).toBe('');
    const taken = lines.filter((line) => line.startsWith('taken ')).map((line) => line.slice(6));
    expect(taken.length).toBeGreaterThan(3);
    // Its schedule goes on: each time is told.
    expect(lines.slice(taken.length)).toEqual([
      'refused STORE_FAILED',
      'told SCHEDULE_SKIPPED',
      'told SCHEDULE_SKIPPED',
    ]);
    // The file is intact, and the next manager, with room on the disk, sends its messages.
    expect(readFileSync(join(store, 'conversations.jsonl'), 'utf8').endsWith('\n')).toBe(true);
    const { manager } = await emulatedManager({ scenarios: [echo] }, { store });
    const told: string[] = [];
    manager.on('turn', ({ messageId, outcome }) => told.push(`${messageId} ${outcome.kind}`));
    await expect.poll(() => told.length).toBe(taken.length);
    expect(told.toSorted()).toEqual(taken.map((id) => `${id} success`).toSorted());
  },
);
