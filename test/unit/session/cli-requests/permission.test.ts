import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OnPermission, permissionHandler } from '../../../../src/session/cli-requests/permission.js';
import { type OnQuestion, questionHandler } from '../../../../src/session/cli-requests/question.js';

const context = () => ({ id: 'c1', signal: new AbortController().signal });
const bash = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' };
const decide = (onPermission: OnPermission | undefined) =>
  permissionHandler(onPermission, undefined)(bash, context());

describe('permissions', () => {
  test('an allow always carries the input, changed or not, and the tool use', async () => {
    expect(await decide((request) => request.allow())).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      toolUseID: 'toolu_1',
    });
    expect(await decide((request) => request.allow({ input: { command: 'pwd' }, permissions: [1] }))).toEqual(
      {
        behavior: 'allow',
        updatedInput: { command: 'pwd' },
        updatedPermissions: [1],
        toolUseID: 'toolu_1',
      },
    );
  });

  test('a denial always carries a message', async () => {
    expect(await decide((request) => request.deny('no', { interrupt: true }))).toEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
      toolUseID: 'toolu_1',
    });
  });

  test('the callback sees the whole request', async () => {
    const body = { ...bash, agent_id: 'a', permission_suggestions: [{ type: 'addRules' }], future: 1 };
    let seen: unknown;
    await permissionHandler((request) => {
      seen = request;
      return request.allow();
    }, undefined)(body, context());
    expect(seen).toMatchObject({
      tool: 'Bash',
      toolUseId: 'toolu_1',
      agentId: 'a',
      suggestions: [{ type: 'addRules' }],
      raw: { future: 1 },
    });
  });

  test.each<[string, OnPermission | undefined, RegExp]>([
    ['no callback', undefined, /No permission callback/],
    [
      'a throw',
      () => {
        throw new Error('broke');
      },
      /failed: broke/,
    ],
    ['a rejection', () => Promise.reject(new Error('late')), /failed: late/],
    ['nothing', (() => undefined) as never, /no valid answer/],
    ['true', (() => true) as never, /no valid answer/],
    ['an allow without input', (() => ({ behavior: 'allow' })) as never, /no valid answer/],
    ['a BigInt', (() => ({ behavior: 'allow', updatedInput: { big: 1n } })) as never, /failed:.*BigInt/],
  ])('%s denies, and says why', async (_name, callback, why) => {
    expect(await decide(callback)).toMatchObject({ behavior: 'deny', message: why, toolUseID: 'toolu_1' });
  });

  test('whatever a callback returns, the answer is a well-formed allow or deny', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        const answer = (await decide((() => value) as never)) as {
          behavior: string;
          message?: unknown;
          updatedInput?: unknown;
        };
        if (answer.behavior === 'allow') expect(typeof answer.updatedInput).toBe('object');
        else expect(answer).toMatchObject({ behavior: 'deny', message: expect.any(String) });
      }),
    );
  });
});

describe('questions', () => {
  const questions = [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [{ label: 'Green', description: 'g' }],
    },
    {
      question: 'Which sizes?',
      header: 'Size',
      multiSelect: true,
      options: [{ label: 'S', description: '' }],
    },
  ];
  const body = {
    subtype: 'can_use_tool',
    tool_name: 'AskUserQuestion',
    input: { questions },
    tool_use_id: 'toolu_q',
  };
  const reply = (onQuestion: OnQuestion) =>
    permissionHandler((request) => request.allow(), questionHandler(onQuestion))(body, context());

  test('an answer keeps the questions beside it and joins several choices', async () => {
    expect(
      await reply((form) => form.answer({ 'Which colour?': 'Green', 'Which sizes?': ['S', 'M'] })),
    ).toEqual({
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which colour?': 'Green', 'Which sizes?': 'S, M' } },
      toolUseID: 'toolu_q',
    });
  });

  test('a form is typed, and can be declined', async () => {
    const answer = await reply((form) => form.decline(form.questions.map(({ header }) => header).join()));
    expect(answer).toMatchObject({ behavior: 'deny', message: 'Colour,Size' });
  });

  test('an unknown question or a list for a single choice is refused before anything is sent', async () => {
    expect(await reply((form) => form.answer({ 'Which color?': 'Green' }))).toMatchObject({
      behavior: 'deny',
      message: /no question "Which color\?"/,
    });
    expect(await reply((form) => form.answer({ 'Which colour?': ['Green'] }))).toMatchObject({
      message: /one answer/,
    });
  });

  test('is never shown to the permission callback: without a question callback it is denied', async () => {
    const answer = await permissionHandler((request) => request.allow(), undefined)(body, context());
    expect(answer).toMatchObject({ behavior: 'deny', message: /No question callback/ });
  });

  test('survives a payload of any shape', async () => {
    for (const input of [undefined, { questions: 'x' }, { questions: [null, { options: 3 }] }]) {
      const odd = { ...body, input };
      expect(
        await permissionHandler(
          undefined,
          questionHandler((form) => form.decline()),
        )(odd, context()),
      ).toMatchObject({
        behavior: 'deny',
      });
    }
  });
});
