import { expect, test } from 'vitest';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { echo } from '../support/manager.js';

const DAILY = { cron: '0 9 * * *', timezone: 'Europe/Rome', text: 'What is new?' };

test('a schedule given to a session that an earlier server has parked continues its conversation', async () => {
  const first = await startEmulatedConsole(echo);
  const { root, stateFolder } = first;
  const client = await BareClient.connect(first.server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  const uuid = (await client.ask('send', { content: 'hello' }, { session })).uuid;
  await client.event('settled', (event) => event.uuid === uuid);
  await client.ask('park', {}, { session });
  const { conversation } = await client.summary(({ state }) => state === 'parked');
  await first.server.close();
  const second = await startEmulatedConsole(echo, { stateFolder, roots: [root] });
  const again = await BareClient.connect(second.server);
  await again.ask('schedule', DAILY, { session });
  const { state, schedule, conversation: next } = await again.summary((summary) => summary.schedule != null);
  expect({ state, schedule, conversation: next }).toMatchObject({
    state: 'idle',
    schedule: { text: DAILY.text },
    conversation,
  });
  expect(second.clis).toHaveLength(1);
});
