import { describe, expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { echo } from './manager.js';

import type { OpenForContract } from './manager-contract-types.js';

const always = { times: 'any' } as const;

/** What waits for somebody's answer. */
export function prompts(open: OpenForContract): void {
  describe('a prompt', () => {
    const asks = [useTool('Bash', { command: 'ls' }, { ask: true, result: 'files' }), say('Done.'), done()];

    test('can be answered by its object', async () => {
      const { manager } = await open({ scenarios: [[onUser(undefined, asks, always)]] });
      const talk = manager.conversation('one');
      const turn = talk.send('x');
      await expect.poll(() => talk.prompts.open.length).toBe(1);
      const [prompt] = talk.prompts.open;
      expect(prompt).toMatchObject({ kind: 'permission', tool: 'Bash', input: { command: 'ls' } });
      if (prompt?.kind === 'permission') prompt.allow();
      expect(await turn.text()).toBe('Done.');
      await expect.poll(() => talk.prompts.open).toEqual([]);
    });

    test('is reported to listeners, and questions have answers', async () => {
      const colours = question('Which colour?', ['Red', 'Green'], { header: 'Colour' });
      const expected = { updatedInput: { answers: { 'Which colour?': 'Green' } } };
      const scenario = [
        onUser(undefined, [askQuestion(colours, { expect: expected }), say('Green.'), done()]),
      ];
      const { manager } = await open({ scenarios: [scenario] });
      const told: string[] = [];
      manager.on('prompt', ({ conversation, prompt, state }) => {
        told.push(`${conversation} ${prompt.kind} ${state}`);
        if (state === 'open' && prompt.kind === 'question') prompt.answer({ 'Which colour?': 'Green' });
      });
      expect(await manager.conversation('one').send('x').text()).toBe('Green.');
      expect(told).toEqual(['one question open', 'one question answered']);
    });
  });
}

/** What a manager itself does. */
export function useOfManager(open: OpenForContract): void {
  describe('the manager', () => {
    test('lists, exports and deletes conversations', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one', { owner: 'team', model: 'm' });
      await talk.send('x').outcome;
      await manager.conversation('two').send('y').outcome;
      await expect
        .poll(() => manager.list().map(({ name, owner, messages }) => [name, owner, messages]))
        .toEqual([
          ['one', 'team', 0],
          ['two', 'default', 0],
        ]);
      expect(manager.find('one')).toBe(talk);
      const told = await manager.export('one');
      expect(told).toMatchObject({
        facts: { name: 'one' },
        options: { model: 'm' },
        waiting: [],
        prompts: [],
      });
      await manager.delete('one');
      expect(talk.state).toBe('deleted');
      expect(manager.list().map(({ name }) => name)).toEqual(['two']);
      expect(() => manager.find('one')).toThrow(expect.objectContaining({ code: 'CONVERSATION_UNKNOWN' }));
    });

    test('refuses invalid use, with a code', async () => {
      const { manager } = await open({ scenarios: [echo] });
      expect(() => manager.find('nobody')).toThrow(expect.objectContaining({ code: 'CONVERSATION_UNKNOWN' }));
      expect(() => manager.conversation('')).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
      const talk = manager.conversation('one', { model: 'a' });
      await talk.send('x').outcome;
      expect(() => manager.conversation('one', { model: 'b' })).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining('model') }),
      );
      expect(() => manager.conversation('one', { owner: 'somebody' })).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' }),
      );
    });

    test('drains when the running turns are over; waiting messages settle as closed', async () => {
      const gate = deferred<void>();
      const reached = deferred<void>();
      const slow = [
        onUser(
          undefined,
          [act(() => reached.resolve()), act(() => gate.promise), say('done'), done()],
          always,
        ),
      ];
      const { manager } = await open({ scenarios: [slow] });
      const talk = manager.conversation('one');
      const [running, waiting] = [talk.send('a'), talk.send('b')];
      await Promise.all([reached.promise, running.began]);
      const drained = manager.drain();
      expect(() => talk.send('c')).toThrow(expect.objectContaining({ code: 'MANAGER_CLOSED' }));
      gate.resolve();
      expect(await running.text()).toBe('done');
      expect((await waiting.outcome).kind).toBe('closed');
      await drained;
      expect(() => manager.conversation('one')).toThrow(expect.objectContaining({ code: 'MANAGER_CLOSED' }));
    });
  });
}
