import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnyPrompt } from '../../src/host/session/prompts/open-prompts.js';
import { reply, stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { type KnownRealCli, knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { isRunning } from '../integration/process-helpers.js';
import { storeFolder } from '../support/manager.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

/** Whether a request to the model contains the earlier messages. */
function knows(request: ModelRequest | undefined, said: string): boolean {
  return JSON.stringify(request).includes(said);
}

/** The versions that accept `defer` from a hook. */
const DEFERS: ReadonlySet<string> = new Set(['2.1.112', '2.1.206', '2.1.326']);

function allow(prompt: AnyPrompt | undefined): void {
  if (prompt?.kind === 'permission') prompt.allow();
}

async function deferAndAnswer(cli: KnownRealCli): Promise<void> {
  await using place = await realPlace(cli);
  const store = storeFolder();
  place.model.play([
    { when: 'make it', reply: reply([toolUse('Bash', { command: 'touch made-later' })]) },
    { when: { toolResult: /.*/ }, reply: text('made') },
  ]);
  const options = { store, defaults: place.options({ prompts: 'manual' }), defer: () => true };
  await using manager = await openManager(options);
  const talk = manager.conversation('maker');
  const turn = talk.send('make it');
  await place.until(() => talk.prompts.open.length === 1);
  if (DEFERS.has(cli.version)) {
    await place.until(() => talk.state === 'deferred');
    expect(talk.pid).toBeUndefined();
    await manager.close();
    await using next = await openManager(options);
    const told = new Promise((resolve) => next.on('turn', ({ outcome }) => resolve(outcome)));
    allow(next.find('maker').prompts.open[0]);
    expect(await told).toMatchObject({ kind: 'success', text: 'made' });
    expect(next.find('maker').prompts.open).toEqual([]);
  } else {
    talk.prompts.open.find((prompt) => prompt.kind === 'permission')?.allow();
    expect(await turn.text()).toBe('made');
  }
  expect(existsSync(join(place.folders.cwd, 'made-later'))).toBe(true);
}

describeRealClis('a manager', (cli) => {
  test('parks and resumes with the context, even across a manager restart', async () => {
    await using place = await realPlace(cli);
    const store = storeFolder();
    place.model.play([
      { when: 'the word is heron', reply: text('noted') },
      { when: 'which word', reply: text('heron') },
      { when: 'once more', reply: text('heron again') },
    ]);
    await using manager = await openManager({ store, defaults: place.options() });
    const talk = manager.conversation('bird');
    expect(await talk.send('the word is heron').text()).toBe('noted');
    const pid = talk.pid ?? 0;
    await talk.park();
    expect([talk.state, isRunning(pid)]).toEqual(['parked', false]);
    expect(await talk.send('which word').text()).toBe('heron');
    expect(knows(place.model.lastRequest(), 'the word is heron')).toBe(true);
    await manager.drain();
    await using next = await openManager({ store, defaults: place.options() });
    expect(await next.find('bird').send('once more').text()).toBe('heron again');
    expect(knows(place.model.lastRequest(), 'the word is heron')).toBe(true);
    expect(next.counters).toMatchObject({ starts: 0, resumes: 1 });
  });

  test('continues after its CLI was killed', async () => {
    await using place = await realPlace(cli);
    place.model.play([
      { when: 'the word is heron', reply: text('noted') },
      { when: 'stay', reply: stall() },
      { when: 'which word', reply: text('heron') },
    ]);
    await using manager = await openManager({ store: storeFolder(), defaults: place.options() });
    const talk = manager.conversation('bird');
    await talk.send('the word is heron').outcome;
    const waiting = talk.send('stay', { resend: false });
    await place.model.waitForRequest(({ kind, userText }) => kind === 'main' && userText.includes('stay'));
    process.kill(talk.pid ?? 0, 'SIGKILL');
    expect((await waiting.outcome).kind).toBe('cli-ended');
    expect(await talk.send('which word').text()).toBe('heron');
    expect(knows(place.model.lastRequest(), 'the word is heron')).toBe(true);
  });

  test('a message that a CLI received before its host was killed is reported as lost, not sent again', async () => {
    await using place = await realPlace(cli);
    const [store, copy] = [storeFolder(), storeFolder()];
    const reached = deferred<void>();
    const go = deferred<void>();
    const slowly = async () => {
      reached.resolve();
      await go.promise;
      return text('done');
    };
    place.model.play([
      { when: 'do it once', reply: slowly },
      { when: 'and then', reply: text('next') },
    ]);
    await using manager = await openManager({ store, defaults: place.options() });
    const turn = manager.conversation('one').send('do it once');
    await reached.promise;
    // What a killed host leaves; its CLI runs on for a while.
    cpSync(join(store, 'conversations.jsonl'), join(copy, 'conversations.jsonl'));
    go.resolve();
    await turn.outcome;
    await manager.close();
    await using next = await openManager({ store: copy, defaults: place.options() });
    const told = new Promise((resolve) => {
      next.on('turn', ({ outcome }) => resolve(outcome.kind));
    });
    expect(await told).toBe('cli-ended');
    expect(await next.find('one').send('and then').text()).toBe('next');
    expect(knows(place.model.lastRequest(), 'do it once')).toBe(true);
  });

  test('a new conversation uses a CLI that was started in advance', async () => {
    await using place = await realPlace(cli);
    place.model.play([{ when: 'hello', reply: text('hi') }]);
    await using manager = await openManager({
      store: storeFolder(),
      warm: 1,
      maxRunning: 1,
      defaults: place.options(),
    });
    expect(await manager.conversation('new').send('hello').text()).toBe('hi');
    expect(manager.counters).toMatchObject({ starts: 1, resumes: 0 });
  });

  test('a prompt outlives its CLI, and its answer applies when the call is repeated', async () => {
    await using place = await realPlace(cli);
    const store = storeFolder();
    const call = reply([toolUse('Bash', { command: 'touch made-later' })]);
    place.model.play([
      { when: 'make it', reply: call },
      { when: /now allowed/, reply: call },
      { when: { toolResult: /.*/ }, reply: text('made') },
    ]);
    await using manager = await openManager({ store, defaults: place.options({ prompts: 'manual' }) });
    const talk = manager.conversation('maker');
    talk.send('make it', { resend: false });
    await place.until(() => talk.prompts.open.length === 1);
    await manager.close();
    await using next = await openManager({ store, defaults: place.options() });
    const same = next.find('maker');
    const settled = new Promise((resolve) => {
      next.on('turn', ({ outcome }) => {
        if (outcome.kind === 'success') resolve(outcome.text);
      });
    });
    allow(same.prompts.open[0]);
    expect(await settled).toBe('made');
    expect(same.prompts.open).toEqual([]);
  });

  test('works in its own git worktree, and resumes there', async () => {
    await using place = await realPlace(cli);
    const store = storeFolder();
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: place.folders.cwd, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
    git(...who, 'commit', '-q', '--allow-empty', '-m', 'first');
    const make = (name: string) => reply([toolUse('Bash', { command: `touch ${name} && git add ${name}` })]);
    place.model.play([
      { when: 'make one', reply: make('one') },
      { when: { toolResult: /.*/ }, reply: text('made') },
      { when: 'make two', reply: make('two') },
      { when: { toolResult: /.*/ }, reply: text('made') },
    ]);
    await using manager = await openManager({
      store,
      defaults: { ...place.options(), onPermission: (prompt) => prompt.allow() },
    });
    const talk = manager.conversation('task', { workspace: 'worktree' });
    expect(await talk.send('make one').text()).toBe('made');
    await talk.park();
    expect(await talk.send('make two').text()).toBe('made');
    await talk.park();
    const [worktree = ''] = readdirSync(join(store, 'worktrees'));
    expect(existsSync(join(store, 'worktrees', worktree, 'one'))).toBe(true);
    expect(existsSync(join(place.folders.cwd, 'one'))).toBe(false);
    expect(knows(place.model.lastRequest(), 'make one')).toBe(true);
    execFileSync('git', [...who, 'commit', '-q', '-m', 'work'], { cwd: join(store, 'worktrees', worktree) });
    await talk.endWorkspace('merge');
    expect([existsSync(join(place.folders.cwd, 'one')), existsSync(join(place.folders.cwd, 'two'))]).toEqual([
      true,
      true,
    ]);
  });
});

const QUESTIONS = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: ['red', 'blue'].map((label) => ({ label, description: label })),
    },
  ],
};
const CHANGED = { behavior: 'allow', updatedInput: { command: 'touch changed && echo was changed' } };

/** Answers to a deferred call, the files that it makes, and what the model is told. */
const ANSWERS = [
  { how: 'denied', answer: { behavior: 'deny', message: 'not this one' }, made: [], told: 'not this one' },
  { how: 'changed', answer: CHANGED, made: ['changed'], told: 'was changed' },
  {
    // A hook cannot say this: the CLI has to ask.
    how: 'changed and remembered',
    answer: {
      ...CHANGED,
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
    made: ['changed'],
    told: 'was changed',
  },
  {
    how: 'a question that gets its answer',
    call: toolUse('AskUserQuestion', QUESTIONS),
    answer: {
      behavior: 'allow',
      updatedInput: { ...QUESTIONS, answers: { 'Which colour?': 'the blue one' } },
    },
    made: [],
    told: 'the blue one',
  },
];

/** How a version continues after a deferred call: its hook is called again, or it asks; older ones ask at once. */
describe('a deferred call waits without a CLI if the CLI supports it, and prompts otherwise', () => {
  for (const version of ['2.0.73', '2.1.17', '2.1.112', '2.1.206', '2.1.326']) {
    test(version, async ({ skip }) => {
      const cli = knownRealClis().find((each) => each.version === version);
      if (cli === undefined) return skip(`the real CLI ${version} is not installed in test/real-clis`);
      await deferAndAnswer(cli);
    });
  }

  for (const { how, call, answer, made, told } of ANSWERS) {
    test(`and is ${how}, as answered [2.1.326]`, async ({ skip }) => {
      const cli = knownRealClis().find(({ version }) => version === '2.1.326');
      if (cli === undefined) return skip('the real CLI 2.1.326 is not installed in test/real-clis');
      await using place = await realPlace(cli);
      place.model.play([
        { when: 'make it', reply: reply([call ?? toolUse('Bash', { command: 'touch made-later' })]) },
        { when: { toolResult: /.*/ }, reply: text('over') },
      ]);
      const options = { store: storeFolder(), defaults: place.options(), defer: () => true };
      await using manager = await openManager(options);
      const talk = manager.conversation('maker');
      const turn = talk.send('make it');
      await place.until(() => talk.state === 'deferred');
      talk.prompts.open[0]?.answerAs(answer);
      expect(await turn.text()).toBe('over');
      expect(readdirSync(place.folders.cwd)).toEqual(made);
      expect(knows(place.model.lastRequest(), told)).toBe(true);
      expect(talk.prompts.open).toEqual([]);
    });
  }

  test('several calls at once prompt, because all but one would be lost [2.1.326]', async ({ skip }) => {
    const cli = knownRealClis().find(({ version }) => version === '2.1.326');
    if (cli === undefined) return skip('the real CLI 2.1.326 is not installed in test/real-clis');
    await using place = await realPlace(cli);
    const calls = ['one', 'two'].map((name) => toolUse('Bash', { command: `touch ${name}` }));
    place.model.play([
      { when: 'make both', reply: reply(calls) },
      { when: { toolResult: /.*/ }, reply: text('made') },
    ]);
    await using manager = await openManager({
      store: storeFolder(),
      defaults: place.options(),
      defer: () => true,
    });
    const talk = manager.conversation('maker');
    talk.on('prompt', ({ prompt, state }) => {
      if (state === 'open' && prompt.kind === 'permission') prompt.allow();
    });
    expect(await talk.send('make both').text()).toBe('made');
    const made = ['one', 'two'].map((name) => existsSync(join(place.folders.cwd, name)));
    expect(made).toEqual([true, true]);
  });
});
