import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequestBody } from '../../../../src/protocol/frames.js';
import { DialogPrompt } from '../../../../src/session/prompts/dialog-prompt.js';
import { ElicitationPrompt } from '../../../../src/session/prompts/elicitation-prompt.js';
import { PermissionPrompt } from '../../../../src/session/prompts/permission-prompt.js';
import { PlanPrompt } from '../../../../src/session/prompts/plan-prompt.js';
import {
  PromptBook,
  type PromptBookOptions,
  type PromptCallbacks,
} from '../../../../src/session/prompts/prompt-book.js';
import { QuestionPrompt } from '../../../../src/session/prompts/question-prompt.js';
import { ManualClock } from '../../../support/manual-clock.js';

function makeBook(callbacks: PromptCallbacks = {}, options: Partial<PromptBookOptions> = {}) {
  const clock = new ManualClock();
  const changes: string[] = [];
  const book = new PromptBook({
    callbacks,
    manual: false,
    timeouts: {},
    clock,
    onChange: ({ prompt, state }) => changes.push(`${prompt.kind} ${state}`),
    ...options,
  });
  let count = 0;
  const ask = (body: RequestBody, id = `c${(count += 1)}`, controller = new AbortController()) => {
    const answer = book.handlers[body.subtype]?.(body, { id, signal: controller.signal });
    return { answer: Promise.resolve(answer), controller, id };
  };
  return { book, clock, changes, ask };
}

const bash = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
  agent_id: 'a1',
};
const plan = {
  subtype: 'can_use_tool',
  tool_name: 'ExitPlanMode',
  input: { plan: '1. do it' },
  tool_use_id: 'toolu_p',
};
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
    options: [{ label: 'S', description: '' }, { label: 'M' }],
  },
];
const form = {
  subtype: 'can_use_tool',
  tool_name: 'AskUserQuestion',
  input: { questions },
  tool_use_id: 'toolu_q',
};
const elicitation = {
  subtype: 'elicitation',
  mcp_server_name: 'files',
  message: 'May I?',
  mode: 'form',
  requested_schema: { type: 'object' },
};
const dialog = { subtype: 'request_user_dialog', dialog_kind: 'trust', payload: { x: 1 } };

describe('permissions', () => {
  test('an allow always carries the input, changed or not, and the tool use', async () => {
    const kept = makeBook({ onPermission: (prompt) => prompt.allow() }).ask(bash);
    expect(await kept.answer).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      toolUseID: 'toolu_1',
    });
    const changed = makeBook({ onPermission: (prompt) => prompt.allow({ input: { command: 'pwd' } }) }).ask(
      bash,
    );
    expect(await changed.answer).toMatchObject({ updatedInput: { command: 'pwd' } });
  });

  test('always allow takes the suggestions in one call', async () => {
    const suggestions = [
      { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
    ];
    const { ask } = makeBook({ onPermission: (prompt) => prompt.allowAlways() });
    expect(await ask({ ...bash, permission_suggestions: suggestions }).answer).toMatchObject({
      updatedPermissions: suggestions,
    });
  });

  test('a denial carries its reason, and an interrupt when asked for', async () => {
    const { ask } = makeBook({ onPermission: (prompt) => prompt.deny('no', { interrupt: true }) });
    expect(await ask(bash).answer).toEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
      toolUseID: 'toolu_1',
    });
  });

  test('the prompt carries everything that came, and where it came from', async () => {
    let seen: PermissionPrompt | undefined;
    const { ask } = makeBook({
      onPermission: (prompt) => {
        seen = prompt;
        return prompt.allow();
      },
    });
    const body = {
      ...bash,
      title: 't',
      description: 'd',
      blocked_path: '/x',
      decision_reason: 'why',
      mcp_server: { name: 'm' },
      future: 1,
    };
    await ask(body).answer;
    expect(seen).toMatchObject({
      tool: 'Bash',
      title: 't',
      description: 'd',
      blockedPath: '/x',
      decisionReason: 'why',
      mcpServer: { name: 'm' },
      origin: { toolUseId: 'toolu_1', agentId: 'a1' },
      raw: { future: 1 },
      state: 'answered',
    });
  });

  test.each<[string, PromptCallbacks, RegExp]>([
    ['no callback', {}, /No permission callback/],
    [
      'a throw',
      {
        onPermission: () => {
          throw new Error('broke');
        },
      },
      /failed: broke/,
    ],
    ['a rejection', { onPermission: () => Promise.reject(new Error('late')) }, /failed: late/],
    ['no answer', { onPermission: (() => undefined) as never }, /without an answer/],
    [
      'a plain object',
      { onPermission: (() => ({ behavior: 'allow', updatedInput: {} })) as never },
      /without an answer/,
    ],
    ['a BigInt', { onPermission: (prompt) => prompt.allow({ input: { big: 1n } }) }, /failed:.*BigInt/],
    [
      'a circle',
      {
        onPermission: (prompt) => {
          const circle: Record<string, unknown> = {};
          circle.self = circle;
          return prompt.allow({ input: circle });
        },
      },
      /failed:.*circular/i,
    ],
  ])('%s denies, and says why', async (_name, callbacks, why) => {
    const { ask, changes } = makeBook(callbacks);
    expect(await ask(bash).answer).toMatchObject({ behavior: 'deny', message: why, toolUseID: 'toolu_1' });
    expect(changes).toEqual(['permission open', 'permission answered']);
  });

  test('whatever a callback does, there is one well-formed answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.boolean(), async (value, throws) => {
        const onPermission = (() => {
          if (throws) throw value;
          return value;
        }) as never;
        expect(await makeBook({ onPermission }).ask(bash).answer).toMatchObject({
          behavior: 'deny',
          message: expect.any(String),
        });
      }),
    );
  });
});

describe('a prompt', () => {
  test('stays open in manual mode and is answered by its id from elsewhere', async () => {
    const { book, ask, changes } = makeBook({}, { manual: true });
    const { answer, id } = ask(bash);
    expect(book.open.map((prompt) => prompt.id)).toEqual([id]);
    const prompt = book.find(id);
    if (!(prompt instanceof PermissionPrompt)) throw new Error('no permission prompt');
    prompt.allow();
    expect(await answer).toMatchObject({ behavior: 'allow' });
    expect(book.open).toEqual([]);
    expect(changes).toEqual(['permission open', 'permission answered']);
    expect(() => prompt.deny('too late')).toThrow(expect.objectContaining({ code: 'PROMPT_CLOSED' }));
  });

  test('can be deferred by its callback to another answerer', async () => {
    const { book, ask } = makeBook({ onPermission: (prompt) => prompt.defer() });
    const { answer, id } = ask(bash);
    await new Promise((resolve) => setImmediate(resolve));
    expect(book.find(id)?.state).toBe('open');
    book.find(id)?.refuse('by another');
    expect(await answer).toMatchObject({ behavior: 'deny', message: 'by another' });
  });

  test('that the CLI withdraws aborts the callback, and a late answer is refused', async () => {
    let late: unknown;
    const { ask, changes } = makeBook({
      onPermission: (prompt) =>
        new Promise((_resolve, reject) => {
          prompt.signal.addEventListener('abort', () => {
            try {
              prompt.allow();
            } catch (error) {
              late = error;
              reject(error);
            }
          });
        }),
    });
    const { answer, controller } = ask(bash);
    controller.abort();
    await answer;
    expect(late).toMatchObject({ code: 'PROMPT_CLOSED' });
    expect(changes).toEqual(['permission open', 'permission withdrawn']);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  });

  test('expires when its kind has a time limit, and never otherwise', async () => {
    const never = { onPermission: () => new Promise<never>(() => {}) };
    const { ask, clock, changes } = makeBook(never, { timeouts: { permission: 100 } });
    const { answer } = ask(bash);
    clock.advance(100);
    expect(await answer).toMatchObject({ behavior: 'deny', message: /in time/ });
    expect(changes).toEqual(['permission open', 'permission expired']);
    expect(clock.size).toBe(0);
    const unlimited = makeBook(never);
    unlimited.ask(bash);
    expect(unlimited.clock.size).toBe(0);
  });

  test('that is delivered again after it was answered gets the same answer and is not shown again', async () => {
    let shown = 0;
    const { ask } = makeBook({
      onPermission: (prompt) => {
        shown += 1;
        return prompt.deny('once');
      },
    });
    const first = await ask(bash, 'same').answer;
    expect(await ask(bash, 'same').answer).toEqual(first);
    expect(shown).toBe(1);
  });

  test('a listener that throws harms nothing', async () => {
    const { ask } = makeBook(
      { onPermission: (prompt) => prompt.allow() },
      {
        onChange: () => {
          throw new Error('listener');
        },
      },
    );
    expect(await ask(bash).answer).toMatchObject({ behavior: 'allow' });
  });

  test('ten thousand at once are all answered and none is kept', async () => {
    const { book, ask } = makeBook({ onPermission: async (prompt) => prompt.allow() });
    const answers = await Promise.all(Array.from({ length: 10_000 }, () => ask(bash).answer));
    expect(answers.every((answer) => (answer as { behavior: string }).behavior === 'allow')).toBe(true);
    expect(book.open).toEqual([]);
  });
});

describe('questions', () => {
  const reply = (onQuestion: PromptCallbacks['onQuestion']) =>
    makeBook({ onQuestion, onPermission: (prompt) => prompt.allow() }).ask(form).answer;

  test('an answer keeps the questions beside it and joins several choices', async () => {
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

  test('free text is said to be that', async () => {
    expect(await reply((prompt) => prompt.answer({ 'Which colour?': { other: 'mauve' } }))).toMatchObject({
      updatedInput: { answers: { 'Which colour?': 'mauve' } },
    });
  });

  test.each<[string, Parameters<QuestionPrompt['answer']>[0], RegExp]>([
    ['an unknown question', { 'Which color?': 'Green' }, /no question "Which color\?"/],
    ['an unknown option', { 'Which colour?': 'Mauve' }, /"Mauve" is not an option .* \{ other: "Mauve" \}/],
    ['a list for a single choice', { 'Which colour?': ['Green'] }, /one answer/],
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

  test('are never shown to the permission callback', async () => {
    expect(await makeBook({ onPermission: (prompt) => prompt.allow() }).ask(form).answer).toMatchObject({
      behavior: 'deny',
      message: /No question callback/,
    });
  });

  test('survive a payload of any shape', async () => {
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

  test('a plan without a callback of its own goes to the permission callback', async () => {
    const { ask, changes } = makeBook({ onPermission: (prompt) => prompt.deny(prompt.tool) });
    expect(await ask(plan).answer).toMatchObject({ message: 'ExitPlanMode' });
    expect(changes[0]).toBe('permission open');
    expect(await makeBook().ask(plan).answer).toMatchObject({
      behavior: 'deny',
      message: /No plan callback/,
    });
  });

  test('an elicitation is accepted, declined or cancelled, and declined when nobody answers', async () => {
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
      { id: 'e', signal: new AbortController().signal },
    );
    expect(prompt).toMatchObject({
      mode: 'url',
      url: 'https://x',
      propertyOrder: ['b', 'a'],
      message: 'May I?',
    });
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

  test('each kind is a class of its own', () => {
    const context = { id: 'x', signal: new AbortController().signal };
    expect([
      new PlanPrompt(plan, context).kind,
      new QuestionPrompt(form, context).kind,
      new DialogPrompt(dialog, context).kind,
    ]).toEqual(['plan', 'question', 'dialog']);
  });
});
