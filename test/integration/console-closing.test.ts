import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { BareClient, isCliMessage, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { ManualClock } from '../support/manual-clock.js';
import { settle } from '../support/settle.js';

const chat = [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];

/** A console in a folder that can be removed once it has closed. */
async function consoleIn() {
  const clock = new ManualClock();
  const stateFolder = join(await temporaryFolder(), 'state');
  // Its connections need the real time.
  const mixed = { now: systemClock.now, after: clock.after.bind(clock) };
  const { server, root } = await startEmulatedConsole(chat, { stateFolder, clock: mixed });
  const client = await BareClient.connect(server);
  /** Whether something is written after it was closed. */
  const writesLater = async () => {
    await rm(stateFolder, { recursive: true, force: true });
    await clock.pass(60_000);
    // Writes that are under way end before these reads.
    for (let read = 0; read < 100; read += 1) await readdir(root);
    await settle(200);
    return existsSync(stateFolder);
  };
  return { server, root, client, writesLater };
}

test('a console that has closed writes nothing more, although its viewers leave after its sessions', async () => {
  const { server, root, client, writesLater } = await consoleIn();
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'hello' }, { session });
  await client.event('line', isCliMessage('result'));
  await server.close();
  expect(await writesLater()).toBe(false);
});
