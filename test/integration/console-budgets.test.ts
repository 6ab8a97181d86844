import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import { asKilled, BareClient, eventIn, startEmulatedConsole } from '../support/console.js';
import { HttpClient } from '../support/http-client.js';

/** Each message costs a dollar; a CLI reports the sum of its turns. */
const costs = (): Scenario =>
  [1, 2, 3, 4].map((total) =>
    onUser(undefined, (text) => [say(`echo: ${text}`), done('done', { total_cost_usd: total })]),
  );

async function opened(options: ConsoleOptions = {}, open: { readonly maxBudgetUsd?: number } = {}) {
  const console = await startEmulatedConsole(costs, options);
  const client = await BareClient.connect(console.server);
  const { session } = await client.ask('open', { cwd: console.root, ...open });
  client.attach(session);
  return { ...console, client, session };
}

/** Sends a message that is answered. */
async function spend(client: BareClient, session: string, content: string): Promise<void> {
  await client.ask('send', { content }, { session });
  await heard(client, content);
}

async function heard(client: BareClient, content: string): Promise<void> {
  const isIt = (event: object) => JSON.stringify(event).includes(`echo: ${content}`);
  await expect.poll(() => client.events.map(eventIn).some(isIt), { timeout: 25_000 }).toBe(true);
}

/** The session's budget prompt, once there is one. */
async function budgetPrompt(client: BareClient, fits: (prompt: object) => boolean = () => true) {
  const isAsked = (summary: { prompts?: unknown }) =>
    (summary.prompts as { kind: string }[]).some((prompt) => prompt.kind === 'budget' && fits(prompt));
  const { prompts, ...summary } = await client.summary(isAsked);
  const [prompt] = prompts as [{ id: string } & Record<string, unknown>];
  return { ...(summary as Record<string, unknown>), prompt };
}

test('of a session: a message beyond it waits; you can raise it, exceed it once, or cancel the message', async () => {
  const { client, session, clis } = await opened({}, { maxBudgetUsd: 1 });
  await spend(client, session, 'one');
  const { uuid } = await client.ask('send', { content: 'two' }, { session });
  const asked = await budgetPrompt(client);
  expect(asked).toMatchObject({
    state: 'needs-you',
    prompt: { id: `budget-${uuid}`, kind: 'budget', scope: 'conversation', limitUsd: 1, spentUsd: 1 },
  });
  const answer = (given: object, prompt: string) =>
    client.command('answer', { prompt, answer: given as never }, { session });
  const { id } = asked.prompt;
  expect(await answer({ answer: 'allow' }, id)).toMatchObject({ error: { code: 'ANSWER_INVALID' } });
  expect(await answer({ answer: 'raise', usd: -1 }, id)).toMatchObject({ error: { code: 'ANSWER_INVALID' } });
  expect(await answer({ answer: 'raise', usd: 0.5 }, id)).toMatchObject({ value: { accepted: true } });
  await heard(client, 'two');
  expect(await answer({ answer: 'stop' }, id)).toMatchObject({ value: { accepted: false } });
  await client.summary(({ maxBudgetUsd, costUsd }) => maxBudgetUsd === 1.5 && costUsd === 2);

  await client.ask('send', { content: 'three' }, { session });
  const again = await budgetPrompt(client, (prompt) => (prompt as { limitUsd: number }).limitUsd === 1.5);
  await answer({ answer: 'once' }, again.prompt.id);
  await heard(client, 'three');
  const { uuid: last } = await client.ask('send', { content: 'four' }, { session });
  const third = await budgetPrompt(client, (prompt) => (prompt as { id: string }).id === `budget-${last}`);
  await answer({ answer: 'stop' }, third.prompt.id);
  await client.event('unqueued', (event) => event.uuid === last);
  await client.summary(({ state }) => state === 'idle');
  expect(clis.flatMap(({ received }) => received.filter(({ type }) => type === 'user'))).toHaveLength(3);
});

test('of a session can be changed while a message waits, and the message is sent', async () => {
  const { client, session } = await opened({ budgets: { conversation: 1 } });
  await spend(client, session, 'one');
  await client.ask('send', { content: 'two' }, { session });
  const { prompt } = await budgetPrompt(client);
  await client.ask('setBudget', { usd: null }, { session });
  await heard(client, 'two');
  await client.event('prompt-settled', (event) => event.prompt === prompt.id && event.how === 'withdrawn');
});

test('over HTTP: prompts are listed and answered; an operator may exceed it once, but not raise it', async () => {
  const { server, root, stateFolder } = await startEmulatedConsole(costs, { budgets: { total: 1 } });
  const operator = new KeyFile(stateFolder).add('hands', 'operator');
  const http = new HttpClient(server);
  const { json } = await http.ask('POST /conversations', { body: { cwd: root } });
  const at = `/conversations/${json.id}`;
  const asked = async () => {
    const items = async () => (await http.ask('GET /prompts')).json.items as { prompt: { id: string } }[];
    await expect.poll(items).toHaveLength(1);
    return (await items())[0]?.prompt;
  };
  await http.ask(`POST ${at}/messages`, { body: { content: 'one' } });
  await expect.poll(async () => (await http.ask(`GET ${at}`)).json.costUsd).toBe(1);
  await http.ask(`POST ${at}/messages`, { body: { content: 'two' } });
  const prompt = await asked();
  expect(prompt).toMatchObject({
    kind: 'budget',
    scope: 'total',
    headline: expect.stringContaining('1 USD'),
  });
  const answer = (body: object, token?: string) =>
    http.ask(`POST ${at}/prompts/${prompt?.id}/answer`, { body, ...(token === undefined ? {} : { token }) });
  expect((await answer({ answer: 'raise' })).status).toBe(400);
  expect((await answer({ answer: 'raise', usd: 1 }, operator)).status).toBe(403);
  expect((await answer({ answer: 'once' }, operator)).json).toMatchObject({ accepted: true });
  await expect.poll(async () => (await http.ask(`GET ${at}`)).json.costUsd).toBe(2);
});

test.each(['stopped', 'killed'] as const)(
  'spending, and the waiting message, survive a server that was %s',
  async (how) => {
    const before = await opened({ budgets: { day: 1 } });
    const { client, session, root } = before;
    await spend(client, session, 'one');
    await client.ask('send', { content: 'two' }, { session });
    const { prompt } = await budgetPrompt(client);
    const stateFolder = how === 'killed' ? await asKilled(before.stateFolder) : before.stateFolder;
    if (how === 'stopped') await before.server.close();
    const after = await startEmulatedConsole(costs, { stateFolder, roots: [root], budgets: { day: 1 } });
    const back = await BareClient.connect(after.server);
    back.attach(session);
    const asked = await budgetPrompt(back);
    expect(asked).toMatchObject({ state: 'needs-you', costUsd: 1, prompt: { id: prompt.id, spentUsd: 1 } });
    const { session: other } = await back.ask('open', { cwd: root });
    await back.ask('send', { content: 'three' }, { session: other });
    await back.summary(({ id, state }) => id === other && state === 'needs-you');
    await back.ask('answer', { prompt: prompt.id, answer: { answer: 'raise', usd: 5 } }, { session });
    await heard(back, 'two');
  },
);

test('of a session includes its cost before it was closed and reopened', async () => {
  const { client, session } = await opened({}, { maxBudgetUsd: 1 });
  await spend(client, session, 'one');
  await client.ask('close', {}, { session });
  await client.summary(({ state, costUsd }) => state === 'ended' && costUsd === 1);
  await client.ask('reopen', {}, { session });
  await client.ask('send', { content: 'two' }, { session });
  expect(await budgetPrompt(client)).toMatchObject({ costUsd: 1, maxBudgetUsd: 1 });
});

test('of a key counts only its own sessions', async () => {
  const { server, root, stateFolder } = await startEmulatedConsole(costs, { budgets: { owner: 1 } });
  const token = new KeyFile(stateFolder).add('hands', 'operator');
  const [one, other] = [await BareClient.connect(server), await BareClient.connect(server, { token })];
  const first = await one.ask('open', { cwd: root });
  const second = await other.ask('open', { cwd: root });
  one.attach(first.session);
  other.attach(second.session);
  await spend(one, first.session, 'one');
  await spend(other, second.session, 'mine');
  await one.ask('send', { content: 'two' }, { session: first.session });
  expect(await budgetPrompt(one)).toMatchObject({ id: first.session, prompt: { scope: 'owner' } });
});

test("of a program's session: its turn waits, its CLI stays, and a person decides", async () => {
  const { server, root, clis } = await startEmulatedConsole(costs, { budgets: { conversation: 1 } });
  await using remote = await openSession({ remote: server.url, cwd: root });
  expect(await remote.send('one').text()).toBe('done');
  // Before the prompt: `summary` waits for changes.
  const client = await BareClient.connect(server);
  const turn = remote.send('two');
  const { prompt, ...summary } = await budgetPrompt(client);
  const session = String((summary as { id?: unknown }).id);
  await client.ask('answer', { prompt: prompt.id, answer: { answer: 'once' } }, { session });
  expect(await turn.text()).toBe('done');
  expect(clis).toHaveLength(1);
});
