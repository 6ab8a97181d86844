import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reply, stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { isRunning } from '../integration/process-helpers.js';
import { storeFolder } from '../support/manager.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

/** Whether a request to the model holds what was said before. */
function knows(request: ModelRequest | undefined, said: string): boolean {
  return JSON.stringify(request).includes(said);
}

describeRealClis('a manager', (cli) => {
  test('parks and resumes with the context, over a restart of the manager too', async () => {
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
    expect(knows(place.model.model.requests.at(-1), 'the word is heron')).toBe(true);
    await manager.drain();
    await using next = await openManager({ store, defaults: place.options() });
    expect(await next.find('bird').send('once more').text()).toBe('heron again');
    expect(knows(place.model.model.requests.at(-1), 'the word is heron')).toBe(true);
    expect(next.counters).toMatchObject({ starts: 0, resumes: 1 });
  });

  test('goes on after its CLI was killed', async () => {
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
    await place.model.model.waitForRequest(
      ({ kind, userText }) => kind === 'main' && userText.includes('stay'),
    );
    process.kill(talk.pid ?? 0, 'SIGKILL');
    expect((await waiting.outcome).kind).toBe('cli-ended');
    expect(await talk.send('which word').text()).toBe('heron');
    expect(knows(place.model.model.requests.at(-1), 'the word is heron')).toBe(true);
  });

  test('a message that a CLI took up before its host was killed is told as lost, not sent again', async () => {
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
    // What a host leaves behind that is killed now; its CLI goes on for a while.
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
    expect(knows(place.model.model.requests.at(-1), 'do it once')).toBe(true);
  });

  test('a new conversation claims a CLI that was started ahead', async () => {
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

  test('a prompt outlives its CLI, and its answer counts when the call comes again', async () => {
    await using place = await realPlace(cli);
    const store = storeFolder();
    const call = reply([toolUse('Bash', { command: 'touch made-later' })]);
    place.model.play([
      { when: 'make it', reply: call },
      { when: /now allowed/, reply: call },
      { when: { toolResult: /.*/ }, reply: text('made') },
    ]);
    await using manager = await openManager({ store, defaults: place.options() });
    const talk = manager.conversation('maker');
    talk.send('make it', { resend: false });
    await expect.poll(() => talk.prompts.length, { timeout: 20_000 }).toBe(1);
    await manager.close();
    await using next = await openManager({ store, defaults: place.options() });
    const same = next.find('maker');
    const settled = new Promise((resolve) => {
      next.on('turn', ({ outcome }) => {
        if (outcome.kind === 'success') resolve(outcome.text);
      });
    });
    same.keptPrompts[0]?.allow();
    expect(await settled).toBe('made');
    expect(same.keptPrompts).toEqual([]);
  });
});
