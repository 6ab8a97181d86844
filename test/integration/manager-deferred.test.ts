import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AnyPrompt } from '../../src/host/session/prompts/open-prompts.js';
import { askModel } from '../../src/lab/testing/emulator/steps/model-steps.js';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { Script } from '../../src/lab/testing/model/script.js';
import type { Conversation } from '../../src/server/manager/conversations/conversation.js';
import type { Manager } from '../../src/server/manager/manager.js';
import type { ManagerOptions } from '../../src/server/manager/manager-options.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { realPlace } from '../real/support/real-session.js';
import { programOf } from '../support/emulated-program.js';
import { storeFolder } from '../support/manager.js';

/** A manager that defers every call, on emulated CLIs that call a model and run tools. */
async function deferringManager(script: Script, options: Partial<ManagerOptions> = {}) {
  const version = '2.1.326';
  const place = await realPlace({ version, path: programOf(version) });
  onTestFinished(() => place[Symbol.asyncDispose]());
  const scenario = join(place.folders.home, 'scenario.json');
  writeFileSync(scenario, JSON.stringify([{ on: 'user', steps: [askModel()], times: 'any' }]));
  place.model.play(script);
  const env = { COXSWAIN_SCENARIO: scenario, COXSWAIN_SESSIONS: join(place.folders.home, 'sessions') };
  const store = storeFolder();
  const open = async (): Promise<Manager> => {
    const manager = await openManager({
      ...options,
      store,
      defaults: place.options({ env }),
      defer: () => true,
    });
    onTestFinished(() => manager.close());
    return manager;
  };
  const has = (name: string) => existsSync(join(place.folders.cwd, name));
  return { manager: await open(), open, has, requests: place.model.model.requests };
}

function touch(name: string) {
  return toolUse('Bash', { command: `touch ${name}` });
}

const makesOne = [
  { when: 'make it', reply: reply([touch('made')]) },
  { when: { toolResult: /.*/ }, reply: text('over') },
] as const satisfies Script;

async function deferredCall(talk: Conversation) {
  const turn = talk.send('make it');
  await expect.poll(() => talk.state).toBe('deferred');
  const [kept] = talk.prompts.open;
  if (kept?.kind !== 'permission') throw new Error('there is no kept prompt');
  return { turn, kept };
}

test('a call that was allowed later is made', async () => {
  const { manager, has } = await deferringManager(makesOne);
  const talk = manager.conversation('one');
  const told: string[] = [];
  manager.on('prompt', ({ prompt, state }) => told.push(`${prompt.id} ${state}`));
  const { turn, kept } = await deferredCall(talk);
  expect([talk.pid, has('made'), talk.prompts.open]).toEqual([undefined, false, [kept]]);
  expect(kept.allow()).toEqual({ promptId: kept.id, accepted: true });
  expect(await turn.text()).toBe('over');
  expect(told).toEqual([`${kept.id} open`, `${kept.id} answered`]);
  expect([has('made'), talk.prompts.open]).toEqual([true, []]);
});

test('a deferred call gives its slot back: another conversation runs while it waits', async () => {
  const [makes, over] = makesOne;
  const script = [makes, { when: 'hello', reply: text('hi') }, over];
  const { manager, has } = await deferringManager(script, { maxRunning: 1 });
  const { turn, kept } = await deferredCall(manager.conversation('one'));
  expect(await manager.conversation('two').send('hello').text()).toBe('hi');
  kept.allow();
  expect(await turn.text()).toBe('over');
  expect(has('made')).toBe(true);
});

test('a call that was denied later is not made, and the model is told why', async () => {
  const { manager, has, requests } = await deferringManager(makesOne);
  const { turn, kept } = await deferredCall(manager.conversation('one'));
  kept.deny('not this one');
  expect(await turn.text()).toBe('over');
  expect(has('made')).toBe(false);
  expect(JSON.stringify(requests.at(-1))).toContain('not this one');
});

test('a call that was changed later is made as changed', async () => {
  const { manager, has } = await deferringManager(makesOne);
  const { turn, kept } = await deferredCall(manager.conversation('one'));
  kept.answerAs({ behavior: 'allow', updatedInput: { command: 'touch changed' } });
  expect(await turn.text()).toBe('over');
  expect([has('made'), has('changed')]).toEqual([false, true]);
});

test('an answer with a rule applies as a whole', async () => {
  const { manager, has } = await deferringManager(makesOne);
  const talk = manager.conversation('one');
  const { turn, kept } = await deferredCall(talk);
  const updatedPermissions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  kept.answerAs({ behavior: 'allow', updatedInput: { command: 'touch changed' }, updatedPermissions });
  expect(await turn.text()).toBe('over');
  expect([has('made'), has('changed'), talk.prompts.open]).toEqual([false, true, []]);
});

test('an answer that also stops the turn stops it', async () => {
  const { manager, has } = await deferringManager(makesOne);
  const { turn, kept } = await deferredCall(manager.conversation('one'));
  kept.answerAs({ behavior: 'deny', message: 'no', interrupt: true });
  expect((await turn.outcome).kind).toBe('interrupted');
  expect(has('made')).toBe(false);
});

test('the answer may come after a restart of the manager', async () => {
  const { manager, open, has } = await deferringManager(makesOne);
  await deferredCall(manager.conversation('one'));
  await manager.close();
  const next = await open();
  const told = new Promise((resolve) => next.on('turn', ({ outcome }) => resolve(outcome)));
  const asked = await new Promise<AnyPrompt>((resolve) => next.on('prompt', ({ prompt }) => resolve(prompt)));
  expect(asked).toMatchObject({ kind: 'permission', tool: 'Bash', state: 'open' });
  expect(next.find('one').prompts.open).toEqual([asked]);
  asked.answerAs({ behavior: 'allow', updatedInput: { command: 'touch changed' } });
  expect(await told).toMatchObject({ kind: 'success', text: 'over' });
  expect([has('made'), has('changed')]).toEqual([false, true]);
});

test('of two calls at once none is deferred', async () => {
  const { manager, has } = await deferringManager([
    { when: 'make both', reply: reply([touch('first'), touch('second')]) },
    { when: { toolResult: /.*/ }, reply: text('over') },
  ]);
  const talk = manager.conversation('one');
  talk.on('prompt', ({ prompt, state }) => {
    if (state === 'open' && prompt.kind === 'permission') prompt.allow();
  });
  expect(await talk.send('make both').text()).toBe('over');
  expect([has('first'), has('second')]).toEqual([true, true]);
});

test('a message behind a cancelled one with a deferred call is sent, and the call is not made', async () => {
  const { manager, has } = await deferringManager([...makesOne, { when: 'next', reply: text('went on') }]);
  const talk = manager.conversation('one');
  const { turn } = await deferredCall(talk);
  const behind = talk.send('next');
  expect(await turn.cancel()).toBe(true);
  expect(await behind.text()).toBe('went on');
  expect([has('made'), talk.prompts.open]).toEqual([false, []]);
  expect((await turn.outcome).kind).toBe('cancelled');
});
