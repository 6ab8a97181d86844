import { describe, expect, test } from 'vitest';
import { DefaultAnswerer, RefusingAnswerer } from '../../../../src/command/asking/answerers.js';
import { permissionPrompt, questionPrompt } from '../../../support/prompts.js';
import { recordedScreen } from '../../../support/recorded-screen.js';

const COLOURS = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] };

describe('with nobody to ask', () => {
  test('a permission is denied, and stderr says why and what would help', async () => {
    const { screen, written } = recordedScreen();
    const answerer = new RefusingAnswerer(screen, 'there is no terminal');
    const { prompt } = permissionPrompt();
    await answerer.permission(prompt);
    expect(await prompt.answered).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('no terminal'),
    });
    expect(written.err).toBe(
      "Denied Bash: ls: there is no terminal; allow it with --allow 'Bash', or choose a --permission-mode.\n",
    );
    expect(answerer.tally.unanswered).toBe(1);
  });

  test('a question is declined', async () => {
    const { screen, written } = recordedScreen();
    const { prompt } = questionPrompt([COLOURS]);
    await new RefusingAnswerer(screen, 'there is no terminal').question(prompt);
    expect(await prompt.answered).toMatchObject({ behavior: 'deny' });
    expect(written.err).toContain('Question left unanswered: Which colour?');
  });
});

describe('with defaults', () => {
  test('a permission is granted, with a message', async () => {
    const { screen, written } = recordedScreen();
    const { prompt } = permissionPrompt();
    await new DefaultAnswerer(screen, 'there is no terminal').permission(prompt);
    expect(await prompt.answered).toMatchObject({ behavior: 'allow' });
    expect(written.err).toBe(
      'Permission: Bash: ls\n  Using the default, because there is no terminal: allow once\n',
    );
  });

  test('a question gets its first option, or a yes', async () => {
    const { screen, written } = recordedScreen();
    const open = { question: 'Shall I?', options: [] };
    const several = { ...COLOURS, question: 'Which ones?', multiSelect: true };
    const { prompt } = questionPrompt([COLOURS, several, open]);
    await new DefaultAnswerer(screen, 'there is no terminal').question(prompt);
    expect(await prompt.answered).toMatchObject({
      updatedInput: { answers: { 'Which colour?': 'Red', 'Which ones?': 'Red', 'Shall I?': 'yes' } },
    });
    expect(written.err).toContain('Using the default, because there is no terminal: Red');
  });
});
