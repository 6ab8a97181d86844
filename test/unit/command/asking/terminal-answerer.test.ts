import { describe, expect, test } from 'vitest';
import { TerminalAnswerer } from '../../../../src/command/asking/terminal-answerer.js';
import { type Deferred, deferred } from '../../../../src/wire/util/deferred.js';
import { ALWAYS_LS, permissionPrompt, questionPrompt } from '../../../support/prompts.js';
import { recordedScreen } from '../../../support/recorded-screen.js';
import { settle } from '../../../support/settle.js';

/** A keyboard on which a test types. */
class TypedKeyboard {
  readonly #open: Deferred<string | undefined>[] = [];

  get waiting(): number {
    return this.#open.length;
  }

  readLine(signal: AbortSignal): Promise<string | undefined> {
    const line = deferred<string | undefined>();
    this.#open.push(line);
    signal.addEventListener('abort', () => this.#settle(line, undefined), { once: true });
    return line.promise;
  }

  /** Types a line once it is requested; undefined ends the input. */
  async type(line: string | undefined): Promise<void> {
    while (this.#open[0] === undefined) await settle();
    this.#settle(this.#open[0], line);
  }

  #settle(open: Deferred<string | undefined>, line: string | undefined): void {
    this.#open.splice(this.#open.indexOf(open), 1);
    open.resolve(line);
  }
}

function setUp() {
  const { screen, written } = recordedScreen();
  const keyboard = new TypedKeyboard();
  return { answerer: new TerminalAnswerer(screen, keyboard), keyboard, written };
}

const COLOURS = {
  question: 'Which colour?',
  header: 'Colour',
  options: [{ label: 'Red' }, { label: 'Blue' }],
};

describe('a permission', () => {
  test.each([
    ['a', { behavior: 'allow', updatedInput: { command: 'ls' } }, { allowed: 1 }],
    ['a1', { behavior: 'allow', updatedPermissions: [ALWAYS_LS] }, { allowed: 1 }],
    ['d', { behavior: 'deny', message: 'The user denied it in the terminal.' }, { denied: 1 }],
    ['d not here', { behavior: 'deny', message: 'not here' }, { denied: 1 }],
  ])('answered with "%s" is sent as intended', async (line, wire, counts) => {
    const { answerer, keyboard } = setUp();
    const { prompt } = permissionPrompt({ permission_suggestions: [ALWAYS_LS] });
    const answered = answerer.permission(prompt);
    expect(answerer.asking).toBe(true);
    await keyboard.type(line);
    await answered;
    expect(await prompt.answered).toMatchObject(wire);
    expect(answerer.tally).toMatchObject(counts);
    expect(answerer.asking).toBe(false);
  });

  test('is denied when the input ends', async () => {
    const { answerer, keyboard, written } = setUp();
    const { prompt } = permissionPrompt();
    const answered = answerer.permission(prompt);
    await keyboard.type(undefined);
    await answered;
    expect(await prompt.answered).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('input ended'),
    });
    expect(answerer.tally.unanswered).toBe(1);
    expect(written.err).toContain('Input closed: denied.');
  });

  test('that is withdrawn disappears, does not count, and lets the next one through', async () => {
    const { answerer, keyboard, written } = setUp();
    const first = permissionPrompt();
    const second = permissionPrompt();
    const both = [answerer.permission(first.prompt), answerer.permission(second.prompt)];
    await settle();
    first.withdraw();
    await keyboard.type('a');
    await Promise.all(both);
    expect(first.prompt.state).toBe('withdrawn');
    expect(second.prompt.state).toBe('answered');
    expect(written.err).toContain('(withdrawn: no answer needed)');
    expect(answerer.tally).toEqual({ allowed: 1, denied: 0, unanswered: 0 });
  });

  test('that is withdrawn while it waits is never shown', async () => {
    const { answerer, keyboard, written } = setUp();
    const first = permissionPrompt();
    const second = permissionPrompt({ tool_name: 'Second' });
    const both = [answerer.permission(first.prompt), answerer.permission(second.prompt)];
    second.withdraw();
    await keyboard.type('a');
    await Promise.all(both);
    expect(written.err).not.toContain('Permission: Second');
  });

  test('prompts one at a time', async () => {
    const { answerer, keyboard } = setUp();
    const prompts = [permissionPrompt(), permissionPrompt(), permissionPrompt()].map(({ prompt }) => prompt);
    const all = prompts.map((prompt) => answerer.permission(prompt));
    for (const prompt of prompts) {
      await keyboard.type('a');
      await prompt.answered;
      expect(keyboard.waiting).toBeLessThanOrEqual(1);
    }
    await Promise.all(all);
    expect(answerer.tally.allowed).toBe(3);
  });
});

describe('a form', () => {
  test('is answered question by question', async () => {
    const { answerer, keyboard } = setUp();
    const several = { ...COLOURS, question: 'Which ones?', multiSelect: true };
    const { prompt } = questionPrompt([COLOURS, several]);
    const answered = answerer.question(prompt);
    await keyboard.type('nine');
    await keyboard.type('1,2');
    await answered;
    expect(await prompt.answered).toMatchObject({
      behavior: 'allow',
      updatedInput: { answers: { 'Which colour?': 'nine', 'Which ones?': 'Red, Blue' } },
    });
  });

  test('is declined if the input ends in the middle', async () => {
    const { answerer, keyboard } = setUp();
    const { prompt } = questionPrompt([COLOURS, { ...COLOURS, question: 'Again?' }]);
    const answered = answerer.question(prompt);
    await keyboard.type('1');
    await keyboard.type(undefined);
    await answered;
    expect(await prompt.answered).toMatchObject({ behavior: 'deny' });
    expect(answerer.tally).toEqual({ allowed: 0, denied: 0, unanswered: 1 });
  });

  test('without a question is answered at once', async () => {
    const { answerer } = setUp();
    const { prompt } = questionPrompt([]);
    await answerer.question(prompt);
    expect(await prompt.answered).toMatchObject({ behavior: 'allow' });
  });
});
