import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { apiFailure } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { AuditLog } from '../../../../src/server/console/keys/audit-log.js';
import { ownSessions } from '../../../../src/server/console/sessions/own-sessions.js';
import { Webhooks } from '../../../../src/server/console/webhooks/webhooks.js';
import { systemClock as clock } from '../../../../src/wire/util/clock.js';
import { asKilled, temporaryFolder } from '../../../support/console.js';
import { emulatedStarts } from '../../../support/emulated-starts.js';

const page = { client: 'c', name: 'a page', kind: 'page' as const };
const [first, second] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];

/** Each message meets a limit that lasts longer than the test. */
const limited = () => {
  const text = `limit reached|${Math.ceil(Date.now() / 1000) + 3600}`;
  return [
    onUser(undefined, [apiFailure({ error: 'rate_limit', status: 429, text })], { times: 'any' as const }),
  ];
};

/** The sessions of a state folder, without a server. */
async function sessionsIn(folder: string, root: string) {
  const { transport } = emulatedStarts(limited, { partialMessages: true });
  const source = await ownSessions({
    webhooks: new Webhooks({ folder, clock, now: Date.now, answerUrl: () => '' }),
    audit: new AuditLog(join(folder, 'audit.jsonl'), Date.now),
    folder,
    onChange: () => {},
    onRemoved: () => {},
    options: { roots: [root], configDir: root, session: { transport } },
  });
  await source.open();
  return source.sessions;
}

/** A state folder as a server leaves it that is killed while two messages wait. */
async function killedFolder(root: string) {
  const folder = await temporaryFolder();
  const registry = await sessionsIn(folder, root);
  const { session: id } = await registry.open({ cwd: root }, page);
  const session = await registry.find(id);
  session.send('first', { uuid: first }, page);
  session.send('second', { uuid: second }, page);
  await expect.poll(() => session.state).toBe('limited');
  const log = join('sessions', id, '000000000000001.trace');
  await expect.poll(() => readFile(join(folder, log), 'utf8')).toContain('"limited"');
  const killed = await asKilled(folder);
  await registry.close();
  return { killed, id, log };
}

test('what a console has accepted outlives a kill, wherever that cut the log of its session', async () => {
  const root = await temporaryFolder();
  const { killed, id, log } = await killedFolder(root);
  const bytes = await readFile(join(killed, log));
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a);
  // Nothing, whole lines, and half ones.
  const cuts = [0, ...ends.flatMap((end, n) => [end + 1, Math.floor((end + (ends[n - 1] ?? 0)) / 2)])];
  for (const cut of cuts) {
    const folder = await temporaryFolder();
    await cp(killed, folder, { recursive: true });
    await writeFile(join(folder, log), bytes.subarray(0, cut));
    const registry = await sessionsIn(folder, root);
    const session = await registry.find(id);
    expect(
      session.accepted.map(({ uuid }) => uuid),
      `cut at ${cut}`,
    ).toEqual([first, second]);
    await expect.poll(() => session.state).toBe('limited');
    // One that a CLI had is shown after those that none had.
    expect(session.summary.queued.toSorted(), `cut at ${cut}`).toEqual([first, second]);
    const told = { queued: 0, settled: 0 };
    for await (const { rest } of session.log.all())
      if (rest.includes(first)) {
        if (rest.startsWith('"kind":"queued"')) told.queued += 1;
        if (rest.startsWith('"kind":"settled"')) told.settled += 1;
      }
    expect(told.queued, `cut at ${cut}`).toBeGreaterThan(0);
    expect(told.settled, `cut at ${cut}`).toBe(0);
    expect(await session.takeBack(first)).toBe(true);
    await registry.close();
  }
});
