import { expect, test } from 'vitest';
import { assistantText, assistantToolUse } from '../../src/lab/testing/builders/assistant.js';
import { systemMessage } from '../../src/lab/testing/builders/system.js';
import { toolResult } from '../../src/lab/testing/builders/user.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { startTask } from '../../src/lab/testing/emulator/steps/task-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  newSession,
  openConsole,
  PHONE,
  scrollToStart,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const SESSION = '00000000-0000-4000-8000-000000000001';

const EDIT = { file_path: '/w/a.ts', old_string: 'const a = 1;', new_string: 'const a = 2;' };

describeUnless(noBrowser, 'conversations in the console', () => {
  const browser = sharedBrowser();

  test('a whole conversation: text, thinking, tools, edits, subagents, pictures, cost', async () => {
    const inside = { parent_tool_use_id: 'toolu_agent' };
    const scenario: Scenario = [
      onUser([
        say({ type: 'thinking', thinking: 'Let me see.' }),
        say('# Found it\n\nIt is **one** line in `a.ts`:\n\n- first\n- second', { chunk: 5 }),
        useTool('Bash', { command: 'ls' }, { result: 'README.md' }),
        useTool('Edit', EDIT, { result: 'edited' }),
        send(assistantToolUse('Task', { description: 'Look around' }, { toolUseId: 'toolu_agent' })),
        send(assistantText('I looked around.', {}, inside)),
        send(toolResult('toolu_agent', 'Nothing there.')),
        useTool(
          'Screenshot',
          {},
          { result: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }] },
        ),
        say('All done.'),
      ]),
      onUser([say('Until next time.')]),
    ];
    const { server, clis, root } = await startEmulatedConsole(scenario);
    const { page, complaints } = await openConsole(browser, server);
    expect(page.url()).not.toContain(server.token);
    await newSession(page, root);
    await tell(page, 'Please fix it');

    const said = conversation(page);
    await said.getByText('All done.').waitFor();
    // Screen readers get the last message once it is complete.
    await page.getByRole('status').getByText('All done.').waitFor({ state: 'attached' });
    await expect.poll(() => said.getByRole('heading', { name: 'Found it' }).count()).toBe(1);
    await expect.poll(() => said.getByRole('listitem').allTextContents()).toEqual(['first', 'second']);
    await expect.poll(() => said.locator('strong', { hasText: 'one' }).count()).toBe(1);
    await expect.poll(() => said.getByText('Let me see.').count()).toBe(0);
    await said.getByRole('button', { name: 'Thought' }).click();
    await said.getByText('Let me see.').waitFor();
    await said.getByRole('button', { name: /Bash: ls/ }).click();
    await said.getByText('README.md').waitFor();
    const diff = said.getByRole('region', { name: 'Change of /w/a.ts' });
    await expect.poll(() => diff.locator('[data-mark=removed]').textContent()).toContain('const a = 1;');
    await expect.poll(() => diff.locator('[data-mark=added]').textContent()).toContain('const a = 2;');
    // It is expanded if the subagent was still working when it was first shown.
    const steps = said.getByRole('button', { name: /step of the subagent/ });
    if ((await steps.getAttribute('aria-expanded')) === 'false') await steps.click();
    await said.getByText('I looked around.').waitFor();
    await said.getByRole('button', { name: /Screenshot/ }).click();
    await expect
      .poll(() =>
        said
          .getByRole('img')
          .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(1);

    await tell(page, 'Thank you');
    await said.getByText('Until next time.').waitFor();
    await expect.poll(() => page.title()).toBe('Please fix it');
    await expect
      .poll(() => page.getByRole('button', { name: /tokens/ }).textContent())
      .toMatch(/^~\$0\.0\d+/);
    await expect.poll(() => page.getByRole('navigation').getByText('idle').count()).toBe(1);
    clis[0]?.assertFinished();
    expect(complaints).toEqual([]);
  });

  test('output of the model never runs code and fetches nothing', async () => {
    const evil = [
      '<script>window.hacked = true</script>',
      '<img src="/api/hacked" onerror="window.hacked = true">',
      '[click](javascript:window.hacked=true) ![pixel](https://tracker.example/pixel.png)',
      '<iframe srcdoc="<script>parent.hacked=true</script>"></iframe>',
      '[good](https://good.example/)',
    ].join('\n\n');
    const { server, root } = await startEmulatedConsole([
      onUser([say(evil), useTool('Bash', { command: evil }, { result: evil }), say('done')]),
    ]);
    const { page, complaints } = await openConsole(browser, server);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await newSession(page, root);
    await tell(page, 'Go');
    const said = conversation(page);
    await said.getByText('done', { exact: true }).first().waitFor();
    await said.getByText('<script>window.hacked = true</script>').first().waitFor();
    await said.getByRole('button', { name: /Bash/ }).click();
    const links = await said
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]));
    expect(links).toEqual([
      ['https://tracker.example/pixel.png', 'noopener noreferrer'],
      ['https://good.example/', 'noopener noreferrer'],
    ]);
    await expect.poll(() => page.locator('iframe, img').count()).toBe(0);
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(asked.filter((url) => !url.startsWith(server.origin))).toEqual([]);
    expect(asked.filter((url) => url.includes('hacked'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('messages are queued and can be cancelled; a turn can be interrupted; files can be attached', async () => {
    const { server, clis, root } = await startEmulatedConsole([
      onUser([say('Working on it.'), hang()]),
      onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' }),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Begin');
    const said = conversation(page);
    await said.getByText('Working on it.').waitFor();
    await said.getByText(/^Working…/).waitFor();
    await tell(page, 'not this');
    await said.getByText('waiting', { exact: true }).waitFor();
    await said.getByRole('button', { name: 'Cancel' }).click();
    await said.getByText('not sent').waitFor();
    await page.getByLabel('Files to attach').setInputFiles([
      { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('remember the milk') },
    ]);
    await page.getByRole('list', { name: 'Attached' }).getByText('notes.txt').waitFor();
    await tell(page, 'and this');
    await said.getByText('waiting', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await said.getByText(/^Interrupted/).waitFor();
    await said.getByText(/You said: .*and this/s).waitFor();
    const users = clis[0]?.received.filter(({ type }) => type === 'user') ?? [];
    await expect.poll(() => said.getByText('You said: not this').count()).toBe(0);
    expect(users.at(-1)?.message).toMatchObject({
      content: [
        { type: 'image' },
        { type: 'text', text: expect.stringContaining('remember the milk') },
        { text: 'and this' },
      ],
    });
  });

  test('a long conversation renders few rows, opens at its end, and keeps what was unfolded', async () => {
    const list = useTool('Bash', { command: 'ls' }, { result: 'README.md' });
    const many = Array.from({ length: 1_500 }, (_, index) => say(`Line ${index}`));
    const { server, root } = await startEmulatedConsole(
      [onUser([list, ...many, say('The very last one.')])],
      {
        emulate: { partialMessages: false },
      },
    );
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Count');
    const said = conversation(page);
    await said.getByText('The very last one.').waitFor();
    await expect.poll(() => page.locator('.row').count()).toBeLessThan(80);
    await scrollToStart(page);
    await said.getByText('Count', { exact: true }).waitFor();
    await said.getByRole('button', { name: /Bash: ls/ }).click();
    await said.getByText('README.md').waitFor();
    await page.getByRole('button', { name: 'To the end' }).click();
    await said.getByText('The very last one.').waitFor();
    await expect.poll(() => said.getByText('README.md').count()).toBe(0);
    // The button is gone, and the keyboard focus is in the conversation.
    expect(await said.evaluate((element) => element.matches(':focus'))).toBe(true);
    await scrollToStart(page);
    await said.getByText('README.md').waitFor();
  });

  test('tasks are listed, moved to the background, and stopped', async () => {
    const about = {
      task_id: 'a1',
      tool_use_id: 'toolu_1',
      description: 'Explore the code',
      session_id: SESSION,
    };
    const { server, root, clis } = await startEmulatedConsole([
      onUser([
        startTask('b1', { description: 'npm run dev' }),
        send(assistantToolUse('Task', { description: 'Explore the code' }, { toolUseId: 'toolu_1' })),
        send(systemMessage('task_started', { ...about, is_backgrounded: false, task_type: 'local_agent' })),
        hang(),
      ]),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Start it');
    await page.getByRole('tab', { name: 'Tasks (2)' }).click();
    const explore = page.getByRole('listitem').filter({ hasText: 'Explore the code' });
    await explore.getByRole('button', { name: 'Move to the background' }).click();
    const moved = { subtype: 'background_tasks', tool_use_id: 'toolu_1' };
    await expect.poll(() => clis[0]?.received.map(({ request }) => request)).toContainEqual(moved);
    const dev = page.getByRole('listitem').filter({ hasText: 'npm run dev' });
    await dev.getByText('in the background').waitFor();
    await dev.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('tab', { name: 'Tasks (1)' }).waitFor();
    await expect.poll(() => dev.getByRole('button').count()).toBe(0);
  });

  test('a phone shows the list or a session, fits its width, and back leads to the list', async () => {
    const { server, root } = await startEmulatedConsole([
      onUser([
        say(`\`\`\`\n${'wide '.repeat(80)}\n\`\`\`\n\n${'x'.repeat(300)}`),
        useTool('Edit', { ...EDIT, new_string: 'y'.repeat(300) }),
      ]),
    ]);
    const { page } = await openConsole(browser, server, { viewport: PHONE, hasTouch: true, isMobile: true });
    await newSession(page, root);
    await tell(page, 'Go');
    await conversation(page)
      .getByRole('region', { name: /Change of/ })
      .waitFor();
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBe(0);
    await expect.poll(() => page.getByRole('navigation', { name: 'Sessions' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.getByRole('navigation', { name: 'Sessions' }).getByText('Go').waitFor();
    await expect.poll(() => composer(page).count()).toBe(0);
    expect(await overflow()).toBe(0);
  });
});
