import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LogEvent, PromptView, SessionSummary } from '../../src/entry/remote/contract.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { newSummary } from '../../src/server/console/sessions/new-summary.js';
import { apply } from '../../src/server/conversation/view.js';
import { asKilled, BareClient, eventIn, isCliMessage, startEmulatedConsole } from '../support/console.js';
import { ManualClock } from '../support/manual-clock.js';

const chat = [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' })];
const asks = [onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'ok' }), say('Done.')])];

/** The latest summary that a client got. */
function shownTo(client: BareClient): SessionSummary {
  return client.messages.findLast(({ type }) => type === 'session')?.session as unknown as SessionSummary;
}

/** What the events until a summary say about its session. */
function folded(client: BareClient, { id, startedAt, owner, last }: SessionSummary): SessionSummary {
  const begin = { now: startedAt, sessionBudgetUsd: undefined, repository: undefined };
  return client.events
    .map(({ n, at, event }) => ({ n: Number(n), at: Number(at), event: event as unknown as LogEvent }))
    .filter(({ n }) => n <= last)
    .reduce(apply, newSummary(id, { cwd: '' }, { ...owner, client: '' }, begin));
}

/** Viewers, memory and the time of the last line are only known to the server that runs. */
function lasting({ viewers: _viewers, memory: _memory, changedAt: _at, ...summary }: SessionSummary): object {
  return JSON.parse(JSON.stringify(summary));
}

test('everything that a list shows of a session follows from its events', async () => {
  const scenarios = [asks, chat];
  const { server, root } = await startEmulatedConsole(() => scenarios.shift() ?? []);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  const shows = async (wanted: Partial<SessionSummary>) => {
    await expect.poll(() => shownTo(client)).toMatchObject(wanted);
    await expect.poll(() => client.numbers.at(-1)).toBeGreaterThanOrEqual(shownTo(client).last);
    const summary = shownTo(client);
    expect(lasting(folded(client, summary))).toEqual(lasting(summary));
  };
  await shows({ state: 'idle', title: '' });
  await client.ask('send', { content: 'ask' }, { session });
  const { prompt } = eventIn(await client.event('prompt')) as unknown as { readonly prompt: PromptView };
  await shows({ state: 'needs-you', title: 'ask', prompts: [prompt] });
  await client.ask('answer', { prompt: prompt.id, answer: { answer: 'allow' } }, { session });
  await client.event('settled');
  await shows({ state: 'idle', prompts: [] });
  await client.ask('setThinking', { tokens: 100 }, { session });
  await client.ask('setModel', { model: 'opus' }, { session });
  await client.ask('setBudget', { usd: 5 }, { session });
  await client.ask('rename', { title: 'Named' }, { session });
  await shows({ title: 'Named', maxThinkingTokens: 100, model: 'opus', maxBudgetUsd: 5 });
  await client.ask('setThinking', { tokens: null }, { session });
  await client.ask('close', {}, { session });
  await shows({ state: 'ended' });
  await client.ask('reopen', {}, { session });
  await client.ask('send', { content: 'again' }, { session });
  await client.event('settled');
  await shows({ state: 'idle', queued: [] });
});

test('a killed server loses nothing that its log has, although it saved no later summary', async () => {
  // The clock stands still: the session is saved once.
  const { server, root, stateFolder } = await startEmulatedConsole(chat, { clock: new ManualClock() });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'hello' }, { session });
  await client.event('line', isCliMessage('result'));
  await client.event('settled');
  await client.ask('setBudget', { usd: 5 }, { session });
  const [before] = listedFor(await BareClient.connect(server));
  expect(before).toMatchObject({ state: 'idle', title: 'hello', costUsd: expect.any(Number) });
  const folder = join(stateFolder, 'sessions', session);
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.trace'));
  await expect.poll(() => readFile(join(folder, file), 'utf8')).toContain('"kind":"budget"');
  const next = await startEmulatedConsole(chat, { stateFolder: await asKilled(stateFolder), roots: [root] });
  const [after] = listedFor(await BareClient.connect(next.server));
  const { costUsd, tokens, context, model, cliVersion, conversation, title } = before as SessionSummary;
  const kept = { costUsd, tokens, context, model, cliVersion, conversation, title, maxBudgetUsd: 5 };
  expect(after).toMatchObject({ state: 'ended', ...kept });
  expect(costUsd).toBeGreaterThan(0);
});

/** The sessions that a client got when it connected. */
function listedFor(client: BareClient): readonly SessionSummary[] {
  const { sessions } = client.messages.find(({ type }) => type === 'sessions') ?? {};
  return sessions as unknown as readonly SessionSummary[];
}
