import { describe, expect, test } from 'vitest';
import { DialogPrompt } from '../../../../../src/host/session/prompts/dialog-prompt.js';
import { ElicitationPrompt } from '../../../../../src/host/session/prompts/elicitation-prompt.js';
import type { PromptCallbacks } from '../../../../../src/host/session/prompts/open-prompts.js';
import { PlanPrompt } from '../../../../../src/host/session/prompts/plan-prompt.js';
import { QuestionPrompt } from '../../../../../src/host/session/prompts/question-prompt.js';
import { requestContext } from '../../../../support/request-context.js';
import { dialog, elicitation, form, makeBook, plan, questions } from './support.js';

describe('questions', () => {
  const reply = (onQuestion: PromptCallbacks['onQuestion']) =>
    makeBook({ onQuestion, onPermission: (prompt) => prompt.allow() }).ask(form).answer;

  test('an answer includes the questions and joins several choices', async () => {
    expect(
      await reply((prompt) =>
        prompt.answer({ 'Which colour?': 'Green', 'Which sizes?': ['S', { other: 'XXL' }] }),
      ),
    ).toEqual({
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which colour?': 'Green', 'Which sizes?': 'S, XXL' } },
      toolUseID: 'toolu_q',
    });
  });

  test('free text is marked as such', async () => {
    expect(await reply((prompt) => prompt.answer({ 'Which colour?': { other: 'mauve' } }))).toMatchObject({
      updatedInput: { answers: { 'Which colour?': 'mauve' } },
    });
  });

  test.each<[string, Parameters<QuestionPrompt['answer']>[0], RegExp]>([
    ['an unknown question', { 'Which color?': 'Green' }, /no question "Which color\?"/],
    ['an unknown option', { 'Which colour?': 'Mauve' }, /"Mauve" is not an option .* \{ other: "Mauve" \}/],
    ['a list for a single choice', { 'Which colour?': ['Green'] }, /one answer/],
    ['no answer at all', {}, /decline/],
    ['an empty list', { 'Which sizes?': [] }, /empty list/],
  ])('%s is refused before anything is sent', async (_name, answers, why) => {
    let thrown: unknown;
    const answer = await reply((prompt) => {
      try {
        return prompt.answer(answers);
      } catch (error) {
        thrown = error;
        return prompt.decline('fell back');
      }
    });
    expect(thrown).toMatchObject({ code: 'ANSWER_INVALID', message: why });
    expect(answer).toMatchObject({ behavior: 'deny', message: 'fell back' });
  });

  test('unanswered is a separate state', async () => {
    const seen: boolean[] = [];
    for (const reply of [
      (prompt: QuestionPrompt) => prompt.answer({ 'Which colour?': 'Green' }),
      (prompt: QuestionPrompt) => prompt.decline(),
    ]) {
      const { ask } = makeBook(
        { onQuestion: reply },
        { onChange: ({ prompt }) => prompt.kind === 'question' && seen.push(prompt.unanswered) },
      );
      await ask(form).answer;
    }
    expect(seen).toEqual([false, false, false, true]);
  });

  test('are never passed to the permission callback', async () => {
    expect(await makeBook({ onPermission: (prompt) => prompt.allow() }).ask(form).answer).toMatchObject({
      behavior: 'deny',
      message: /No question callback/,
    });
  });

  test('accept a payload of any shape', async () => {
    for (const input of [undefined, { questions: 'x' }, { questions: [null, { options: 3 }] }]) {
      const { ask } = makeBook({ onQuestion: (prompt) => prompt.decline() });
      expect(await ask({ ...form, input }).answer).toMatchObject({ behavior: 'deny' });
    }
  });
});

describe('plans, elicitations and dialogs', () => {
  test('a plan is approved, with a mode, or sent back', async () => {
    const approved = makeBook({ onPlan: (prompt) => prompt.approve({ mode: 'acceptEdits' }) }).ask(plan);
    expect(await approved.answer).toEqual({
      behavior: 'allow',
      updatedInput: { plan: '1. do it' },
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      toolUseID: 'toolu_p',
    });
    const rejected = makeBook({ onPlan: (prompt) => prompt.reject(`not ${prompt.plan}`) }).ask(plan);
    expect(await rejected.answer).toMatchObject({ behavior: 'deny', message: 'not 1. do it' });
  });

  test('a plan without its own callback goes to the permission callback', async () => {
    const { ask, changes } = makeBook({ onPermission: (prompt) => prompt.deny(prompt.tool) });
    expect(await ask(plan).answer).toMatchObject({ message: 'ExitPlanMode' });
    expect(changes[0]).toBe('permission open');
    expect(await makeBook().ask(plan).answer).toMatchObject({
      behavior: 'deny',
      message: /No plan callback/,
    });
  });

  test('an elicitation is accepted, declined or cancelled, and declined if nobody answers', async () => {
    const accept = makeBook({ onElicitation: (prompt) => prompt.accept({ name: prompt.server }) }).ask(
      elicitation,
    );
    expect(await accept.answer).toEqual({ action: 'accept', content: { name: 'files' } });
    expect(await makeBook({ onElicitation: (prompt) => prompt.cancel() }).ask(elicitation).answer).toEqual({
      action: 'cancel',
    });
    expect(await makeBook({ onElicitation: (prompt) => prompt.decline() }).ask(elicitation).answer).toEqual({
      action: 'decline',
    });
    expect(await makeBook().ask(elicitation).answer).toEqual({ action: 'decline' });
    const prompt = new ElicitationPrompt(
      { ...elicitation, mode: 'url', url: 'https://x', property_order: ['b', 'a'] },
      requestContext('e'),
    );
    expect(prompt).toMatchObject({
      mode: 'url',
      url: 'https://x',
      propertyOrder: ['b', 'a'],
      message: 'May I?',
    });
  });

  test('invalid content or options are refused, and so is the prompt', async () => {
    const odd = makeBook({ onElicitation: (prompt) => prompt.accept('text' as never) });
    expect(await odd.ask(elicitation).answer).toEqual({ action: 'decline' });
    const misspelt = makeBook({ onPlan: (prompt) => prompt.approve({ mod: 'acceptEdits' } as never) });
    expect(await misspelt.ask(plan).answer).toMatchObject({ behavior: 'deny', message: /no "mod"/ });
  });

  test('a dialog is completed or cancelled', async () => {
    expect(
      await makeBook({ onDialog: (prompt) => prompt.complete(prompt.payload) }).ask(dialog).answer,
    ).toEqual({ behavior: 'completed', result: { x: 1 } });
    expect(await makeBook({ onDialog: (prompt) => prompt.cancel() }).ask(dialog).answer).toEqual({
      behavior: 'cancelled',
    });
    expect(await makeBook().ask(dialog).answer).toEqual({ behavior: 'cancelled' });
  });

  test('each kind has its own class', () => {
    const context = requestContext('x');
    expect([
      new PlanPrompt(plan, context).kind,
      new QuestionPrompt(form, context).kind,
      new DialogPrompt(dialog, context).kind,
    ]).toEqual(['plan', 'question', 'dialog']);
  });
});
