// Conversations on a console, from a program: they continue without it, and people see and answer them in the page.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConsole } from 'coxswain/console';
import { openManager } from 'coxswain/manager';
import { emulateCli, onUser, say } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'console-manager-example-'));
const scenario = [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' })];
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
});

{
  // #region manager
  await using manager = await openManager({ console: server.url });

  const talk = manager.conversation('standup', { model: 'sonnet' });
  console.log(await talk.send('Who is here?').text());
  talk.schedule({ cron: '0 9 * * 1-5', timezone: 'Europe/Rome', text: 'What changed since yesterday?' });
  // #endregion
}

// Another program finds the same conversation, and the console sends what is scheduled.
const other = await openManager({ console: server.url });
const [facts] = other.list();
assert.deepEqual([facts?.name, facts?.schedule?.cron], ['standup', '0 9 * * 1-5']);
console.log(`${facts?.name} is ${facts?.state}`);
await other.delete('standup');
await other.close();
await server.close();
await rm(folder, { recursive: true });
