import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assistantToolUse } from '../../src/lab/testing/builders/assistant.js';
import { toolResult } from '../../src/lab/testing/builders/user.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import { conversation, newSession, openConsole, tell } from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const TESTS = [
  ...Array.from({ length: 20 }, (_, index) => `test ${index} passed`),
  '\u001b[31m✗ accents\u001b[39m \u001b[1mexpected\u001b[22m cafe',
  '\u001b[2K\u001b]0;title\u0007progress 10 %\rprogress 100 %',
  '\u001b[38;5;208m1 failed\u001b[0m',
].join('\n');

describeUnless(noBrowser, 'tool calls in the console', () => {
  const browser = sharedBrowser();

  async function begin(scenario: Scenario) {
    const started = await startEmulatedConsole(scenario);
    const cwd = join(started.root, 'project');
    await mkdir(join(cwd, 'src'), { recursive: true });
    const { page, complaints } = await openConsole(browser, started.server);
    await newSession(page, cwd);
    return { ...started, cwd, page, complaints, said: conversation(page) };
  }

  test('a failed command is shown as failed, with the end of its output, in colour', async () => {
    const { page, said, complaints } = await begin([
      onUser([
        send(assistantToolUse('Bash', { command: 'npm test' }, { toolUseId: 't1' })),
        send(toolResult('t1', `Exit code 1\n${TESTS}`, { isError: true })),
        send(assistantToolUse('Bash', { command: 'echo fine' }, { toolUseId: 't2' })),
        send(toolResult('t2', 'fine')),
        say('That was it.'),
      ]),
    ]);
    await tell(page, 'Run the tests');
    await said.getByText('That was it.').waitFor();
    const failed = said.locator('.tool', { hasText: 'npm test' });
    await failed.getByText(/^exit 1/).waitFor();
    const good = said.locator('.tool', { hasText: 'echo fine' });
    await expect.poll(() => good.getAttribute('data-failed')).toBe('false');
    await good.getByText(/^done/).waitFor();
    const colour = (of: typeof failed) =>
      of.locator('.tool-mark').evaluate((mark) => getComputedStyle(mark).backgroundColor);
    expect(await colour(failed)).not.toBe(await colour(good));

    const preview = failed.locator('.tool-preview');
    await preview.getByText('… 17 more lines above').waitFor();
    await preview.locator('.ansi-red', { hasText: '✗ accents' }).waitFor();
    await preview.locator('.ansi-bold', { hasText: 'expected' }).waitFor();
    const orange = preview.getByText('1 failed');
    expect(await orange.evaluate((span) => getComputedStyle(span).color)).toBe('rgb(255, 135, 0)');
    const text = await preview.locator('pre').textContent();
    expect(text).toContain('progress 100 %');
    expect(text).not.toMatch(/progress 10 %|title|Exit code|\[31m/);

    await failed.getByRole('button', { name: /npm test/ }).click();
    await failed.getByText('test 0 passed').waitFor();
    expect(complaints).toEqual([]);
  });

  test('code is highlighted, in diffs too, tables are aligned, to-do lists are lists, and changed words are marked', async () => {
    const todos = [
      { content: 'Read the code', status: 'completed', activeForm: 'Reading' },
      { content: 'Fix it', status: 'in_progress', activeForm: 'Fixing' },
      { content: 'Test it', status: 'pending', activeForm: 'Testing' },
    ];
    const edit = {
      file_path: '/w/a.ts',
      old_string: 'const total = price * 2;\nkeep();',
      new_string: 'const total = price * 3;\nkeep();',
    };
    const { page, said, complaints } = await begin([
      onUser([
        useTool('TodoWrite', { todos }, { result: 'ok' }),
        useTool('Edit', edit, { result: 'ok' }),
        say(
          '| what | count |\n|:--|--:|\n| tests | 12 |\n\n```ts\nconst slug = "a"; // why\n```\n\n```nonsense\nx\n```',
        ),
      ]),
    ]);
    const before: string[] = [];
    page.on('request', (request) => before.push(request.url()));
    await tell(page, 'Go');
    const list = said.getByRole('list', { name: 'To do: 1 of 3 done' });
    await list.getByRole('img', { name: 'in work' }).waitFor();
    await expect
      .poll(() => list.getByRole('listitem').allTextContents())
      .toEqual(todos.map(({ content }) => content));

    const words = said.locator('.diff-line .word');
    // Elements are found first and read in a second step, and in between the line may get its colours.
    await expect.poll(() => words.allTextContents()).toEqual(['2', '3']);

    const keywords = said.locator('.hljs-keyword', { hasText: 'const' });
    await expect.poll(() => keywords.count()).toBe(3);
    await expect.poll(() => said.locator('.diff-line .hljs-keyword').count()).toBe(2);
    await expect
      .poll(() => said.locator('.diff-text').allTextContents())
      .toEqual(['const total = price * 2;', 'const total = price * 3;', 'keep();']);
    await expect.poll(() => words.allTextContents()).toEqual(['2', '3']);
    await said.locator('.hljs-comment', { hasText: '// why' }).waitFor();
    expect(before.filter((url) => url.includes('grammars')).length).toBe(1);
    const number = said.getByRole('cell', { name: '12' });
    expect(await number.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right');
    await said.getByText('x', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a to-do list written task by task is one list in each turn; a refused list shows why', async () => {
    const { page, said } = await begin([
      onUser([
        useTool(
          'TodoWrite',
          { todos: [{ content: 'Never', status: 'pending' }] },
          { result: 'No such tool', isError: true },
        ),
        useTool(
          'TaskCreate',
          { subject: 'Fix the slug', description: 'All of it' },
          { result: 'Task #1 created successfully: Fix the slug' },
        ),
        useTool('TaskCreate', { subject: 'Test it' }, { result: 'Task #2 created successfully: Test it' }),
        useTool('TaskUpdate', { taskId: '1', status: 'in_progress' }, { result: 'Updated task #1 status' }),
        say('I begin.'),
      ]),
      onUser([
        useTool('TaskUpdate', { taskId: '1', status: 'completed' }, { result: 'Updated task #1 status' }),
        say('The slug is fixed.'),
      ]),
    ]);
    await tell(page, 'Go');
    await said.getByText('I begin.').waitFor();
    await said.locator('.tool', { hasText: 'To-do list' }).getByText('No such tool').waitFor();
    await expect.poll(() => said.getByText('Never').count()).toBe(0);
    const first = said.getByRole('list', { name: 'To do: 0 of 2 done' });
    await expect
      .poll(() => first.getByRole('listitem').allTextContents())
      .toEqual(['Fix the slug', 'Test it']);
    await first.getByRole('img', { name: 'in work' }).waitFor();
    await expect.poll(() => said.locator('.todos').count()).toBe(1);
    await tell(page, 'Go on');
    await said.getByText('The slug is fixed.').waitFor();
    await said.getByRole('list', { name: 'To do: 1 of 2 done' }).waitFor();
    await expect.poll(() => said.locator('.todos').count()).toBe(2);
  });

  test('file names open the file at the named line', async () => {
    const { page, said, cwd, complaints } = await begin([
      onUser([
        useTool('Read', { file_path: 'src/long.ts' }, { result: '1\tline' }),
        say('Look at `src/long.ts:900`, and at `src/missing.ts`, but not at `npm test`.'),
      ]),
    ]);
    const lines = Array.from({ length: 2_000 }, (_, index) => `const line${index + 1} = ${index + 1};`);
    await writeFile(join(cwd, 'src', 'long.ts'), `${lines.join('\n')}\n`);
    await tell(page, 'Go');
    await said.getByRole('button', { name: 'src/long.ts:900' }).click();
    const dialog = page.getByRole('dialog', { name: 'src/long.ts' });
    await dialog.locator('[data-wanted=true]', { hasText: '900' }).waitFor();
    await expect
      .poll(() =>
        dialog.getByText('line900 ').evaluate((line) => {
          const { top } = line.getBoundingClientRect();
          return top > 0 && top < innerHeight;
        }),
      )
      .toBe(true);
    await dialog.locator('.hljs-keyword').first().waitFor();
    await expect.poll(() => dialog.getByText('line1990').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await said.getByRole('button', { name: 'View' }).click();
    await dialog.getByText('line1 ').first().waitFor();
    await page.keyboard.press('Escape');
    await said.getByRole('button', { name: 'src/missing.ts' }).click();
    await page.getByText('src/missing.ts is not a file in the folder of the session.').waitFor();
    await expect.poll(() => said.getByRole('button', { name: 'npm test', exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
