import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { onRequest, onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { act, die, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import { deferred } from '../../../src/wire/util/deferred.js';
import { echo } from '../manager.js';
import { gated, listening } from './scripts.js';
import { outstanding, type Promised, shows } from './way-in.js';

/** A turn that only an interrupt ends. */
const long = onUser('long', [say('…'), hang()]);

/** What a conversation says about its CLI. */
export function states(promised: Promised): void {
  promised('a new conversation has no CLI until its first message', async ({ start }) => {
    const { open, launches } = await start([echo]);
    const talk = await open('one');
    expect([(await talk.look()).state, launches.length]).toEqual(['parked', 0]);
  });

  promised('a conversation whose CLI starts is starting, then running', async ({ start }) => {
    const ready = deferred<void>();
    const { open } = await start([[onRequest('initialize', [act(() => ready.promise)]), ...echo]]);
    const talk = await open('one');
    const sent = outstanding(talk.send('x'));
    await shows(talk, { state: 'starting' });
    ready.resolve();
    expect(await talk.fate(await sent)).toEqual({ kind: 'success', text: 'echo: x' });
    await shows(talk, { state: 'running', unsettled: 0 });
  });

  promised('a parked conversation continues with another CLI, which resumes it', async ({ start }) => {
    const { open, launches } = await start([echo]);
    const talk = await open('one');
    await talk.fate(await talk.send('first'));
    await talk.park();
    await shows(talk, { state: 'parked' });
    expect(await talk.fate(await talk.send('second'))).toMatchObject({ text: 'echo: second' });
    expect(launches.map(({ resume }) => resume !== undefined)).toEqual([false, true]);
  });

  promised('without a slot a conversation is queued, and its message is accepted', async ({ start }) => {
    const cli = gated();
    const { open } = await start([cli.scenario], { maxRunning: 1 });
    const [one, two] = [await open('one'), await open('two')];
    await one.send('first');
    await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['first']);
    const sent = outstanding(two.send('second'));
    expect(await shows(two, { state: 'queued' })).toMatchObject({ unsettled: 1 });
    const id = await sent;
    expect(await two.cancel(id)).toBe(true);
    expect(await two.fate(id)).toMatchObject({ kind: 'cancelled' });
    await shows(two, { state: 'parked' });
    expect(cli.heard).toEqual(['first']);
  });
}

/** What becomes of messages. */
export function messages(promised: Promised): void {
  promised('messages are answered one after the other, each with its outcome', async ({ start }) => {
    const { open } = await start([echo]);
    const talk = await open('one');
    const ids = [];
    for (const text of ['a', 'b', 'c']) ids.push(await talk.send(text));
    expect(await Promise.all(ids.map(talk.fate))).toEqual(
      ['a', 'b', 'c'].map((text) => ({ kind: 'success', text: `echo: ${text}` })),
    );
    await shows(talk, { unsettled: 0 });
  });

  promised('a waiting message can be cancelled, and no CLI gets it', async ({ start }) => {
    const cli = gated();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    const ids = [await talk.send('a'), await talk.send('b'), await talk.send('c')] as const;
    await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
    expect(await talk.cancel(ids[1])).toBe(true);
    expect(await talk.fate(ids[1])).toMatchObject({ kind: 'cancelled' });
    cli.open();
    expect(await talk.fate(ids[2])).toMatchObject({ kind: 'success' });
    expect(cli.heard).toEqual(['a', 'c']);
  });

  promised('a message whose turn is over cannot be cancelled', async ({ start }) => {
    const { open } = await start([echo]);
    const talk = await open('one');
    const id = await talk.send('a');
    await talk.fate(id);
    expect(await talk.cancel(id)).toBe(false);
  });

  promised('an interrupt stops the running turn, and the next message runs', async ({ start }) => {
    const { open } = await start([[long, ...echo]]);
    const talk = await open('one');
    const [running, next] = [await talk.send('long'), await talk.send('next')];
    await shows(talk, { state: 'running', unsettled: 2 });
    await expect.poll(() => talk.interrupt(), { interval: 10 }).toBe(true);
    expect(await talk.fate(running)).toMatchObject({ kind: 'interrupted' });
    expect(await talk.fate(next)).toEqual({ kind: 'success', text: 'echo: next' });
  });

  promised('an id is accepted once while its message is unsettled', async ({ start }) => {
    const cli = gated();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    const id = randomUUID();
    const accepted = await talk.send('a', { id });
    // It is refused, or answered as the first time.
    await talk.send('a', { id }).then(
      (again) => expect(again).toBe(accepted),
      (error: unknown) => expect(error).toMatchObject({ code: 'MESSAGE_INVALID' }),
    );
    cli.open();
    await talk.fate(accepted);
    await talk.fate(await talk.send('b'));
    expect(cli.heard).toEqual(['a', 'b']);
  });

  promised('an id whose message is settled has no second effect', async ({ start }) => {
    const cli = listening();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    const id = randomUUID();
    await talk.fate(await talk.send('a', { id }));
    await talk.send('a', { id }).catch(() => {});
    await talk.fate(await talk.send('b'));
    expect(cli.heard).toEqual(['a', 'b']);
  });

  promised('a message without content is refused', async ({ start }) => {
    const { open } = await start([echo]);
    const talk = await open('one');
    await expect(talk.send('')).rejects.toHaveProperty('code');
    expect(await talk.fate(await talk.send('a'))).toMatchObject({ kind: 'success' });
  });
}

/** What a message does while a turn runs. */
export function busy(promised: Promised): void {
  promised('while a turn runs, a message may be rejected', async ({ start }) => {
    const cli = gated();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    const running = await talk.send('a');
    await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
    await expect(talk.send('b', { whileBusy: 'reject' })).rejects.toMatchObject({
      code: 'CONVERSATION_BUSY',
    });
    cli.open();
    expect(await talk.fate(running)).toMatchObject({ kind: 'success' });
  });

  promised(
    'a message may interrupt the running turn; those that wait keep their place',
    async ({ start }) => {
      const { open } = await start([[long, ...echo]]);
      const talk = await open('one');
      const [running, waiting] = [await talk.send('long'), await talk.send('waits')];
      await shows(talk, { state: 'running', unsettled: 2 });
      const now = await talk.send('now', { whileBusy: 'interrupt' });
      expect(await Promise.all([running, waiting, now].map(talk.fate))).toMatchObject([
        { kind: 'interrupted' },
        { kind: 'success' },
        { kind: 'success', text: 'echo: now' },
      ]);
    },
  );

  promised('a message may replace the running turn and those that wait', async ({ start }) => {
    const { open } = await start([[long, ...echo]]);
    const talk = await open('one');
    const [running, waiting] = [await talk.send('long'), await talk.send('waits')];
    await shows(talk, { state: 'running', unsettled: 2 });
    const now = await talk.send('now', { whileBusy: 'replace' });
    expect(await Promise.all([running, waiting, now].map(talk.fate))).toMatchObject([
      { kind: 'interrupted' },
      { kind: 'cancelled' },
      { kind: 'success', text: 'echo: now' },
    ]);
  });

  promised('a message may join the running turn, and has its own outcome', async ({ start }) => {
    const cli = gated();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    const running = await talk.send('a', { whileBusy: 'join' });
    await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
    const joined = await talk.send('b', { whileBusy: 'join' });
    cli.open();
    expect(await Promise.all([running, joined].map(talk.fate))).toEqual([
      { kind: 'success', text: 'echo: a' },
      { kind: 'success', text: 'echo: b' },
    ]);
    expect(cli.heard).toEqual(['a', 'b']);
  });

  promised('a joined message goes to the next CLI if its CLI dies before it begins', async ({ start }) => {
    const gate = deferred<void>();
    const heard: string[] = [];
    const first = onUser('long', (text) => {
      heard.push(text);
      return [say('…'), act(() => gate.promise), die({ code: 1 })];
    });
    const { open, launches } = await start([[first], echo]);
    const talk = await open('one');
    const running = await talk.send('long', { whileBusy: 'join' });
    await expect.poll(() => heard, { interval: 10 }).toEqual(['long']);
    const joined = await talk.send('joins', { whileBusy: 'join' });
    gate.resolve();
    expect(await talk.fate(running)).toMatchObject({ kind: 'cli-ended' });
    expect(await talk.fate(joined)).toEqual({ kind: 'success', text: 'echo: joins' });
    expect(launches).toHaveLength(2);
  });
}
