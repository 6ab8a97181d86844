// A bot with many conversations: each continues where it left off, even after the bot restarts.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenOptions } from 'coxswain';
import { type Manager, openManager } from 'coxswain/manager';
import { emulateCli, onUser, say } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'coxswain-bot-'));
const answers = [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' as const })];
const defaults: OpenOptions = { transport: () => emulateCli(answers).transport };
const shown: string[] = [];
const show = (text: string) => shown.push(text);

// #region bot
function startBot(): Promise<Manager> {
  return openManager({ store: join(folder, 'conversations'), maxRunning: 2, idleMs: 600_000, defaults });
}

async function answer(manager: Manager, user: string, text: string): Promise<void> {
  const talk = manager.conversation(user);
  for await (const piece of talk.send(text).textDeltas()) show(piece.text);
}
// #endregion

let manager = await startBot();
await Promise.all(['ann', 'bob', 'eve'].map((user) => answer(manager, user, `I am ${user}`)));
// #region drain
await manager.drain();
// #endregion

manager = await startBot();
await answer(manager, 'bob', 'still here');
assert.deepEqual(
  manager.list().map(({ name }) => name),
  ['ann', 'bob', 'eve'],
);
assert.deepEqual(shown.toSorted(), [
  'You said: I am ann',
  'You said: I am bob',
  'You said: I am eve',
  'You said: still here',
]);
console.log(shown.join('\n'));
assert.deepEqual([manager.counters.starts, manager.counters.resumes], [0, 1]);
await manager.close();
await rm(folder, { recursive: true });
