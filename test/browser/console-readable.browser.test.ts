import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assistantToolUse } from '../../src/lab/testing/builders/assistant.js';
import { toolResult } from '../../src/lab/testing/builders/user.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  DESKTOP,
  newSession,
  openConsole,
  PHONE,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const COLOURS = [31, 32, 33, 34, 35, 36, 37, 90].map((code) => `\u001b[${code}mcolour ${code}\u001b[0m`);

const LINES = '// why\nconst a: string = "b" + 1;\nexport class C {}';
const CODE = `\`\`\`ts\n${LINES}\n\`\`\``;
/** Lines that are new, that are gone, and that differ in a word. */
const EDIT = {
  file_path: 'a.ts',
  old_string: `${LINES}\nrun(/x/, 1);`,
  new_string: `run(/y/, 1);\n\n${LINES}`,
};

describeUnless(noBrowser, 'how the console shows work', () => {
  const browser = sharedBrowser();

  test.each([
    ['light', DESKTOP],
    ['dark', DESKTOP],
    ['dark', PHONE],
  ] as const)('can be read and reached by everybody: %s, %o', async (colorScheme, viewport) => {
    const todos = [
      { content: 'Read', status: 'completed' },
      { content: 'Write', status: 'in_progress' },
    ];
    const { server, root } = await startEmulatedConsole([
      onUser([
        send(assistantToolUse('Bash', { command: 'npm test' }, { toolUseId: 't1' })),
        send(toolResult('t1', `Exit code 1\n${COLOURS.slice(2).join('\n')}`, { isError: true })),
        useTool('TodoWrite', { todos }, { result: 'ok' }),
        useTool('Edit', EDIT, { result: 'ok' }),
        say(`| a | b |\n|--|--:|\n| 1 | 2 |\n\n${CODE}\n\nSee \`src/a.ts:1\`.`),
      ]),
    ]);
    const cwd = join(root, 'project');
    await mkdir(join(cwd, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd });
    await writeFile(join(cwd, 'src', 'a.ts'), '// why\nconst a = "b";\n');
    const { page } = await openConsole(browser, server, { colorScheme, viewport, bypassCSP: true });
    await newSession(page, cwd);
    await tell(page, 'Go');
    const said = conversation(page);
    await said.locator('.diff .hljs-keyword').first().waitFor();
    await said.locator('pre .hljs-keyword').first().waitFor();
    await said.locator('.ansi-magenta').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await composer(page).pressSequentially('@');
    await page.getByRole('listbox', { name: 'Files' }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await composer(page).fill('');

    await said.getByRole('button', { name: 'src/a.ts:1' }).click();
    await page.getByRole('dialog').locator('.hljs-comment').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('tab', { name: 'Changes' }).click();
    // It is also among the files to commit.
    const changed = page.getByRole('list', { name: 'Changed files' });
    await changed.getByRole('button', { name: /new src\/a\.ts/ }).click();
    await page.locator('.changed-file .diff .hljs-keyword').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await wide()).toBeLessThanOrEqual(0);
  });
});
