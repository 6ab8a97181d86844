import { expect } from 'vitest';
import { onRequest, onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../../src/lab/testing/emulator/steps/tool-steps.js';
import { asks } from './scripts.js';
import { type Promised, shows, type TestedConversation } from './way-in.js';

/** The only open prompt. */
export async function asked(talk: TestedConversation): Promise<string> {
  await expect.poll(async () => (await talk.look()).prompts.length, { interval: 10 }).toBe(1);
  return (await talk.look()).prompts[0]?.id ?? '';
}

/** What waits for somebody's answer. */
export function prompts(promised: Promised): void {
  promised(
    'a prompt is open until it is answered, and of two answers the first counts',
    async ({ start }) => {
      const { open } = await start([asks]);
      const talk = await open('one');
      const id = await talk.send('x');
      const prompt = await asked(talk);
      await shows(talk, { state: 'running', unsettled: 1, prompts: [{ id: prompt, kind: 'permission' }] });
      expect(await talk.answer(prompt, { answer: 'allow' })).toBe(true);
      expect(await talk.answer(prompt, { answer: 'deny', reason: 'too late' })).toBe(false);
      expect(await talk.fate(id)).toEqual({ kind: 'success', text: 'listed' });
      await shows(talk, { prompts: [], unsettled: 0 });
    },
  );

  promised('a denied prompt tells the CLI the reason', async ({ start }) => {
    const expected = { behavior: 'deny', message: 'not here' };
    const tool = useTool('Bash', { command: 'ls' }, { ask: true, expect: expected });
    const { open } = await start([[onUser(undefined, [tool, say('denied'), done()])]]);
    const talk = await open('one');
    const id = await talk.send('x');
    expect(await talk.answer(await asked(talk), { answer: 'deny', reason: 'not here' })).toBe(true);
    expect(await talk.fate(id)).toEqual({ kind: 'success', text: 'denied' });
  });

  promised('a question takes choices', async ({ start }) => {
    const colours = question('Which colour?', ['Red', 'Green'], { header: 'Colour' });
    const expected = { updatedInput: { answers: { 'Which colour?': 'Green' } } };
    const { open } = await start([
      [onUser(undefined, [askQuestion(colours, { expect: expected }), say('Green.'), done()])],
    ]);
    const talk = await open('one');
    const id = await talk.send('x');
    const choices = { 'Which colour?': 'Green' };
    expect(await talk.answer(await asked(talk), { answer: 'choices', choices })).toBe(true);
    expect(await talk.fate(id)).toEqual({ kind: 'success', text: 'Green.' });
  });

  promised('an interrupt withdraws the prompt of its turn', async ({ start }) => {
    const { open } = await start([asks]);
    const talk = await open('one');
    const id = await talk.send('x');
    const prompt = await asked(talk);
    expect(await talk.interrupt()).toBe(true);
    expect(await talk.fate(id)).toMatchObject({ kind: 'interrupted' });
    await shows(talk, { prompts: [] });
    expect(await talk.answer(prompt, { answer: 'allow' })).toBe(false);
  });

  promised('a prompt whose CLI has died stays, and its answer is for the next CLI', async ({ start }) => {
    const { open, launches } = await start([[...asks, onRequest('side_question', [die({ code: 1 })])], asks]);
    const talk = await open('one');
    const id = await talk.send('x');
    const prompt = await asked(talk);
    await talk.control('side_question').catch(() => {});
    await shows(talk, { state: 'parked', prompts: [{ id: prompt, kind: 'permission' }] });
    expect(await talk.answer(prompt, { answer: 'allow' })).toBe(true);
    await shows(talk, { state: 'running', unsettled: 0, prompts: [] });
    expect((await talk.fate(id)).kind).toBe('cli-ended');
    expect(launches).toHaveLength(2);
  });

  for (const how of ['closed', 'killed'] as const)
    promised(
      `a prompt stays open when its owner is ${how}, and its answer is for the next CLI`,
      async ({ start }) => {
        const before = await start([asks]);
        const earlier = await before.open('one');
        await earlier.send('x');
        const prompt = await asked(earlier);
        const { open, launches } = await before.restart(how);
        const talk = await open('one');
        expect(await asked(talk)).toBe(prompt);
        expect(await talk.answer(prompt, { answer: 'allow' })).toBe(true);
        await shows(talk, { state: 'running', unsettled: 0, prompts: [] });
        expect(launches).toHaveLength(2);
      },
    );
}
