// A program whose conversations run on a fleet: it can exit or crash, and another program picks them up. Set NATS_URL to run it.
import assert from 'node:assert/strict';
import { startWorker } from 'coxswain/fleet';
import { openManager } from 'coxswain/manager';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const nats = process.env.NATS_URL;
if (nats === undefined) {
  console.log('Set NATS_URL to the address of a NATS server to run this.');
  process.exit(0);
}

// A worker of the fleet, usually on another machine: coxswain worker --nats <url>.
const steps = [useTool('Bash', { command: 'ls' }, { ask: true, result: 'a.txt' }), say('There is one file.')];
const cli = () => emulateCli([onUser(undefined, () => steps, { times: 'any' })]).transport;
const worker = await startWorker({ nats, namespace: 'example28', session: { transport: cli } });

const shown: string[] = [];
const show = (text: string) => shown.push(text);

{
  // #region program
  await using manager = await openManager({ fleet: { nats, namespace: 'example28' } });

  manager.on('prompt', ({ prompt, state }) => {
    if (state === 'open' && prompt.kind === 'permission') prompt.allow();
  });

  const talk = manager.conversation('user-42', { owner: 'team-a' });
  for await (const { text } of talk.send('Which files are there?').textDeltas()) show(text);
  // #endregion
}

// Another program finds the same conversation.
const other = await openManager({ fleet: { nats, namespace: 'example28' } });
assert.deepEqual(
  other.list().map(({ name, owner }) => [name, owner]),
  [['user-42', 'team-a']],
);
await other.delete('user-42');
assert.deepEqual(shown.join(''), 'There is one file.');
console.log(shown.join(''));
await other.close();
await worker.close();
