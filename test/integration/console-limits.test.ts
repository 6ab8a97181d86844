import { expect, test } from 'vitest';
import { rateLimitEvent } from '../../src/lab/testing/builders/system.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';

const resetsAt = Math.ceil(Date.now() / 1000) + 3_600;

/** Answers, and reports that the 5-hour window is used to 95 %. */
function reporting() {
  const unifiedWindows = { five_hour: { utilization: 0.95, resetsAt } };
  const report = rateLimitEvent({ status: 'allowed_warning', resetsAt, unifiedWindows });
  return [onUser(undefined, [send(report), say('ok'), done()], { times: 'any' })];
}

async function reported(options: object = {}) {
  const { server, root } = await startEmulatedConsole(reporting, options);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'hello' }, { session });
  const { limits } = await client.summary((summary) => summary.limits !== undefined);
  return { server, root, client, session, limits };
}

const known = {
  login: 'default',
  status: 'allowed_warning',
  windows: [{ name: 'five_hour', utilization: 0.95, resetsAt: resetsAt * 1000 }],
};

test('a list and the API tell the usage limits of each login', async () => {
  const { server, limits } = await reported();
  expect(limits).toMatchObject(known);
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.origin}/api/v1/limits`, { headers });
  expect(await answer.json()).toMatchObject({ items: [known] });
});

test('with holdAbove, the message of another session waits, and the list says until when', async () => {
  const { root, client } = await reported({ holdAbove: 0.9 });
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'later' }, { session });
  const held = await client.summary(({ id, state }) => id === session && state === 'limited');
  expect(held.limitUntil).toBe(new Date(resetsAt * 1000).toISOString());
});
