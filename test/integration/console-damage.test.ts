import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../src/server/manager/store/journal.js';
import { BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { spokenConversation } from '../support/spoken-conversation.js';

const ID = '00000000-0000-4000-8000-000000000001';

test('A console starts with damaged records of every kind, names each, and keeps them', async () => {
  const state = await temporaryFolder();
  const session = join(state, 'sessions', ID);
  const [store, foreign] = [join(state, 'running', '1-damaged'), join(state, 'running', '1-foreign')];
  const pending = join(state, 'webhooks', 'pending');
  for (const folder of [session, store, foreign, pending]) await mkdir(folder, { recursive: true });
  await writeFile(join(session, 'session.json'), '{"summary":null}');
  await writeFile(join(foreign, 'conversations.jsonl'), 'a shopping list\n');
  await writeFile(join(pending, 'msg_1.json'), '{"id":"../../msg_1"}');
  await writeFile(join(state, 'last-uses.json'), '[{"hash":7}]');
  const journal = new Journal(join(store, 'conversations.jsonl'));
  journal.set('conversation/x', { name: 'x', prompts: [null] });
  journal.set('message/y', 7);
  journal.close();

  const { server, root } = await startEmulatedConsole(spokenConversation, { stateFolder: state });
  const named = [ID, 'conversation/x', 'message/y', '1-foreign', 'msg_1.json', 'last-uses.json'];
  for (const name of named)
    expect(server.problems.filter((problem) => problem.includes(name))).toHaveLength(1);
  expect(server.problems).toHaveLength(named.length);

  // A new session under the id of a damaged one replaces nothing.
  const client = await BareClient.connect(server);
  await client.ask('open', { cwd: root, id: ID });
  await client.ask('send', { content: 'Are you back?' }, { session: ID });
  await server.close();
  const sessions = await readdir(join(state, 'sessions'));
  const aside = sessions.find((name) => name.startsWith(`${ID}.damaged-`)) ?? '';
  expect(await readFile(join(state, 'sessions', aside, 'session.json'), 'utf8')).toBe('{"summary":null}');
  expect(await readFile(join(store, 'conversations.jsonl'), 'utf8')).toContain('damaged/conversation/x');
  expect(await readFile(join(foreign, 'conversations.jsonl'), 'utf8')).toBe('a shopping list\n');
  expect(await readFile(join(pending, 'msg_1.json'), 'utf8')).toBe('{"id":"../../msg_1"}');
});
