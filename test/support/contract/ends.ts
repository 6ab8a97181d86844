import { expect } from 'vitest';
import { echo } from '../manager.js';
import { costly, dies, diesInAnswer, gated, limitedUntil } from './scripts.js';
import { outstanding, type Promised, shows, type WayIn } from './way-in.js';

/** What happens when CLIs die. */
export function crashes(promised: Promised): void {
  promised('a CLI that dies before it responds: the next one gets the message', async ({ start }) => {
    const { open, launches } = await start([dies, echo]);
    const talk = await open('one');
    expect(await talk.fate(await talk.send('x'))).toEqual({ kind: 'success', text: 'echo: x' });
    expect(launches).toHaveLength(2);
  });

  promised('a message that may not be sent again ends with its CLI', async ({ start }) => {
    const { open, launches } = await start([dies, echo]);
    const talk = await open('one');
    expect(await talk.fate(await talk.send('x', { resend: false }))).toMatchObject({ kind: 'cli-ended' });
    expect(launches).toHaveLength(1);
  });

  promised('a CLI that dies in its answer ends the turn', async ({ start }) => {
    const { open, launches } = await start([diesInAnswer, echo]);
    const talk = await open('one');
    expect(await talk.fate(await talk.send('x'))).toMatchObject({ kind: 'cli-ended' });
    await shows(talk, { unsettled: 0 });
    expect(launches).toHaveLength(1);
  });

  promised('after a crash the next message continues with another CLI', async ({ start }) => {
    const { open } = await start([diesInAnswer, echo]);
    const talk = await open('one');
    await talk.fate(await talk.send('x'));
    expect(await talk.fate(await talk.send('y'))).toEqual({ kind: 'success', text: 'echo: y' });
  });

  promised(
    'three crashes in a row fail the conversation until somebody retries, across a restart',
    async ({ start }) => {
      const before = await start([dies, dies, dies, echo]);
      const earlier = await before.open('one');
      const ids = [await earlier.send('x'), await earlier.send('y')];
      expect(await Promise.all(ids.map(earlier.fate))).toMatchObject([
        { kind: 'cli-ended' },
        { kind: 'cli-ended' },
      ]);
      await shows(earlier, { state: 'failed', failure: expect.any(String) });
      await expect(earlier.send('z')).rejects.toHaveProperty('code');
      const { open, launches } = await before.restart('closed');
      const talk = await open('one');
      await shows(talk, { state: 'failed' });
      expect(launches).toHaveLength(3);
      await talk.retry();
      expect(await talk.fate(await talk.send('z'))).toEqual({ kind: 'success', text: 'echo: z' });
    },
  );
}

/** What continues when the program that has the conversations starts again. */
export function restarts(promised: Promised): void {
  promised(
    'messages that wait when their owner is closed run after a restart, once each',
    async ({ start }) => {
      const [cli, next] = [gated(), gated()];
      next.open();
      const before = await start([cli.scenario, next.scenario]);
      const earlier = await before.open('one');
      const ids = [await earlier.send('a'), await earlier.send('b'), await earlier.send('c')];
      await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
      const { open } = await before.restart('closed');
      const talk = await open('one');
      const fates = await Promise.all(ids.slice(1).map(talk.fate));
      expect(fates).toMatchObject([{ kind: 'success' }, { kind: 'success' }]);
      expect(next.heard.filter((text) => text !== 'a')).toEqual(['b', 'c']);
    },
  );

  promised(
    'a message that waits for a slot when its owner is killed runs after a restart',
    async ({ start }) => {
      const cli = gated();
      const before = await start([cli.scenario], { maxRunning: 1 });
      const [busy, earlier] = [await before.open('busy'), await before.open('one')];
      await busy.send('a');
      await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
      const sent = outstanding(earlier.send('b'));
      expect(await shows(earlier, { state: 'queued' })).toMatchObject({ unsettled: 1 });
      const id = await sent;
      const { open } = await before.restart('killed');
      cli.open();
      const talk = await open('one');
      expect(await talk.fate(id)).toEqual({ kind: 'success', text: 'echo: b' });
    },
  );

  /** A conversation whose owner was killed while a turn ran, and the id of its message. */
  async function killedInTurn({ start }: WayIn) {
    const cli = gated();
    const before = await start([cli.scenario, echo]);
    const earlier = await before.open('one');
    const id = await earlier.send('a');
    await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
    const { open } = await before.restart('killed');
    return { talk: await open('one'), id };
  }

  promised('a turn that runs when its owner is killed has an outcome', async (way) => {
    const { talk, id } = await killedInTurn(way);
    expect((await talk.fate(id)).kind).toMatch(/^(?:cli-ended|unknown|success)$/);
    await shows(talk, { unsettled: 0 });
  });

  promised('after its owner was killed in a turn, a conversation takes the next message', async (way) => {
    const { talk, id } = await killedInTurn(way);
    await talk.fate(id);
    expect(await talk.fate(await talk.send('b'))).toEqual({ kind: 'success', text: 'echo: b' });
  });

  promised(
    'a parked conversation is parked after a restart, and continues where it was',
    async ({ start }) => {
      const before = await start([echo]);
      const earlier = await before.open('one');
      await earlier.fate(await earlier.send('a'));
      await earlier.park();
      await shows(earlier, { state: 'parked' });
      const { open, launches } = await before.restart('closed');
      const talk = await open('one');
      await shows(talk, { state: 'parked', unsettled: 0 });
      expect(launches).toHaveLength(1);
      expect(await talk.fate(await talk.send('b'))).toMatchObject({ kind: 'success' });
      expect(launches[1]?.resume).toBeDefined();
    },
  );
}

/** Usage limits. */
export function limits(promised: Promised): void {
  const HOUR = 3_600_000;

  promised('a message at a usage limit waits without a CLI, and can be cancelled', async ({ start }) => {
    const until = Math.ceil(Date.now() / 1000) * 1000 + HOUR;
    const { open, launches } = await start([limitedUntil(until), echo]);
    const talk = await open('one');
    const id = await talk.send('x');
    await shows(talk, { state: 'limited', limitUntil: new Date(until), unsettled: 1 });
    expect(await talk.cancel(id)).toBe(true);
    expect(await talk.fate(id)).toMatchObject({ kind: 'cancelled' });
    await shows(talk, { state: 'parked', limitUntil: undefined });
    expect(launches).toHaveLength(1);
    expect(await talk.fate(await talk.send('y'))).toEqual({ kind: 'success', text: 'echo: y' });
  });

  promised('messages at a usage limit are sent again when it ends, in order', async ({ start }) => {
    const next = gated();
    next.open();
    const { open } = await start([limitedUntil(Date.now()), next.scenario]);
    const talk = await open('one');
    const ids = [await talk.send('a'), await talk.send('b')];
    expect(await Promise.all(ids.map(talk.fate))).toMatchObject([{ kind: 'success' }, { kind: 'success' }]);
    expect(next.heard).toEqual(['a', 'b']);
  });

  promised('a message waits for its usage limit across a restart', async ({ start }) => {
    const until = Math.ceil(Date.now() / 1000) * 1000 + HOUR;
    const before = await start([limitedUntil(until), echo]);
    const earlier = await before.open('one');
    const id = await earlier.send('x');
    await shows(earlier, { state: 'limited' });
    const { open, launches } = await before.restart('closed');
    const talk = await open('one');
    await shows(talk, { state: 'limited', limitUntil: new Date(until), unsettled: 1 });
    expect(launches).toHaveLength(1);
    expect(await talk.cancel(id)).toBe(true);
    await shows(talk, { state: 'parked', unsettled: 0 });
  });

  promised('a message may fail at a usage limit, as all may be told to', async ({ start }) => {
    const limited = limitedUntil(Date.now() + HOUR);
    const one = await (await start([limited])).open('one');
    expect(await one.fate(await one.send('x', { onLimit: 'fail' }))).toMatchObject({ kind: 'rate-limited' });
    const two = await (await start([limited], { onLimit: 'fail' })).open('two');
    expect(await two.fate(await two.send('x'))).toMatchObject({ kind: 'rate-limited' });
  });
}

/** Budgets. */
export function budgets(promised: Promised): void {
  promised(
    'a message beyond the budget waits; raising it sends the message, stopping settles it',
    async ({ start }) => {
      const { open } = await start([costly]);
      const talk = await open('one', { budgetUsd: 1 });
      await talk.fate(await talk.send('a'));
      await shows(talk, { costUsd: 1, budgetUsd: 1 });
      const second = await talk.send('b');
      const { prompts } = await shows(talk, { state: 'paused', prompts: [{ kind: 'budget' }] as never });
      expect(await talk.answer(prompts[0]?.id ?? '', { answer: 'raise', usd: 0.5 })).toBe(true);
      expect(await talk.fate(second)).toMatchObject({ kind: 'success' });
      await shows(talk, { costUsd: 2, budgetUsd: 1.5, prompts: [] });
      const third = await talk.send('c');
      const again = await shows(talk, { state: 'paused' });
      expect(await talk.answer(again.prompts[0]?.id ?? '', { answer: 'stop' })).toBe(true);
      expect(await talk.fate(third)).toMatchObject({ kind: 'budget' });
    },
  );

  promised('a budget may be exceeded once', async ({ start }) => {
    const { open } = await start([costly]);
    const talk = await open('one', { budgetUsd: 1 });
    await talk.fate(await talk.send('a'));
    const [second, third] = [await talk.send('b'), await talk.send('c')];
    const { prompts } = await shows(talk, { state: 'paused' });
    expect(await talk.answer(prompts[0]?.id ?? '', { answer: 'once' })).toBe(true);
    expect(await talk.fate(second)).toMatchObject({ kind: 'success' });
    await shows(talk, { state: 'paused', costUsd: 2, unsettled: 1 });
    expect(await talk.cancel(third)).toBe(true);
    await shows(talk, { prompts: [], unsettled: 0 });
  });

  promised('a higher budget sends the message that waits for one', async ({ start }) => {
    const { open } = await start([costly]);
    const talk = await open('one', { budgetUsd: 1 });
    await talk.fate(await talk.send('a'));
    const second = await talk.send('b');
    await shows(talk, { state: 'paused' });
    await talk.setBudget(5);
    expect(await talk.fate(second)).toMatchObject({ kind: 'success' });
    await shows(talk, { costUsd: 2, budgetUsd: 5, prompts: [] });
  });

  for (const how of ['closed', 'killed'] as const)
    promised(
      `what was spent, and the message that waits, outlive an owner that is ${how}`,
      async ({ start }) => {
        const before = await start([costly]);
        const earlier = await before.open('one', { budgetUsd: 1 });
        await earlier.fate(await earlier.send('a'));
        const id = await earlier.send('b');
        const asked = await shows(earlier, { state: 'paused' });
        const { open } = await before.restart(how);
        const talk = await open('one');
        const { prompts } = await shows(talk, { state: 'paused', costUsd: 1, budgetUsd: 1, unsettled: 1 });
        expect(prompts).toMatchObject(asked.prompts.map((prompt) => ({ id: prompt.id })));
        expect(await talk.answer(prompts[0]?.id ?? '', { answer: 'once' })).toBe(true);
        expect(await talk.fate(id)).toMatchObject({ kind: 'success' });
      },
    );
}
