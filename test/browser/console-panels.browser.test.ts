import { expect, test } from 'vitest';
import type { EmulatedCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { axeProblems } from '../support/axe.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  DESKTOP,
  newSession,
  openConsole,
  openView,
  PHONE,
  prompt,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';
import { assistant, projectOf, putTranscript, SESSION, user } from '../support/transcripts.js';

/** How often the host sent a request to a CLI. */
function asked(cli: EmulatedCli | undefined, subtype: string): number {
  return (cli?.received ?? []).filter(({ request }) => isObject(request) && request.subtype === subtype)
    .length;
}

describeUnless(noBrowser, 'panels of the console', () => {
  const browser = sharedBrowser();

  async function begin(scenario: Scenario | (() => Scenario), options = {}) {
    const started = await startEmulatedConsole(scenario, options);
    const opened = await openConsole(browser, started.server);
    await newSession(opened.page, started.root);
    return { ...started, ...opened };
  }

  test('MCP and Chrome are queried each time they are opened, and a disconnected session is not queried', async () => {
    const status = (state: string) => [answer({ mcpServers: [{ name: 'files', status: state }] })];
    const { page, clis } = await begin([
      onRequest('mcp_status', status('failed')),
      onRequest('mcp_status', status('connected'), { times: 'any' }),
      onRequest('get_chrome_dialog', [answer({ installed: true, connected: false })], { times: 'any' }),
    ]);
    await openView(page, 'MCP');
    const row = page.getByRole('listitem').filter({ hasText: 'files' });
    await row.getByText('failed').waitFor();
    expect(asked(clis[0], 'mcp_status')).toBe(1);
    await openView(page, 'Conversation');
    await openView(page, 'MCP');
    await row.getByText('connected').waitFor();
    expect(asked(clis[0], 'mcp_status')).toBe(2);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => asked(clis[0], 'mcp_status')).toBe(3);

    await openView(page, 'Chrome');
    await page.getByRole('definition').first().getByText('yes').waitFor();
    const chromeAsked = asked(clis[0], 'get_chrome_dialog');
    await openView(page, 'Usage');
    await page.getByRole('button', { name: 'Close the session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the session' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const lines = clis[0]?.lines.length;
    await openView(page, 'MCP');
    await page.getByText('This session is not connected').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    await openView(page, 'Chrome');
    await page.getByText('This session is not connected').waitFor();
    expect(clis[0]?.lines.length).toBe(lines);
    expect(asked(clis[0], 'get_chrome_dialog')).toBe(chromeAsked);
  });

  test('a panel is busy while an action changes what it shows', async () => {
    const { page, clis } = await begin([
      onRequest('mcp_status', [answer({ mcpServers: [{ name: 'files', status: 'connected' }] })], {
        times: 'any',
      }),
      onRequest('mcp_reconnect', [hang()]),
    ]);
    await openView(page, 'MCP');
    const panel = page.getByRole('region', { name: 'MCP servers' });
    await panel.getByText('connected').waitFor();
    await expect.poll(() => panel.getAttribute('aria-busy')).toBe('false');
    await panel.getByRole('button', { name: 'Reconnect' }).click();
    await expect.poll(() => asked(clis[0], 'mcp_reconnect')).toBe(1);
    await expect.poll(() => panel.getAttribute('aria-busy')).toBe('true');
  });

  test('model, mode, thinking, name and budget can be changed; allowing everything is not offered', async () => {
    const { page, clis } = await begin([onUser([say('Hello.')]), onUser([say('Hello again.')])]);
    await tell(page, 'Hi');
    await conversation(page).getByText('Hello.').waitFor();
    await page.getByLabel('Permissions').selectOption('plan');
    await expect.poll(() => page.getByLabel('Permissions').inputValue()).toBe('plan');
    const thinking = page.getByLabel('Thinking');
    await expect.poll(() => thinking.locator('option:checked').textContent()).toBe('Thinking: auto');
    await thinking.selectOption('4000');
    await expect.poll(() => asked(clis[0], 'set_max_thinking_tokens')).toBe(1);
    await page.reload();
    await expect.poll(() => page.getByLabel('Thinking').inputValue()).toBe('4000');
    const offered = page.getByLabel('Model').getByRole('option');
    // The page asks the CLI for its models, and shows the current one meanwhile.
    await expect.poll(() => offered.count()).toBeGreaterThan(1);
    const models = await offered.evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    const other = models.find((model) => model !== null && /haiku/i.test(model)) ?? models.at(-1) ?? '';
    await page.getByLabel('Model').selectOption(other);
    await expect.poll(() => asked(clis[0], 'set_model')).toBe(1);
    await expect.poll(() => page.getByRole('option', { name: 'Allows everything' }).count()).toBe(0);

    await openView(page, 'Usage');
    await page.getByRole('img', { name: /Tokens per turn/ }).waitFor();
    await page.getByLabel(/Budget in dollars/).fill('0.0000001');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByRole('button', { name: /of \$0\.0000/ }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Greetings');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Greetings', level: 1 }).waitFor();
    await openView(page, 'Conversation');
    await tell(page, 'More');
    await page.getByRole('heading', { name: 'The budget is spent' }).waitFor();
    await page.getByLabel(/Extra dollars/).fill('none');
    await expect.poll(() => page.getByRole('button', { name: /^Raise/ }).isDisabled()).toBe(true);
    await page.getByLabel(/Extra dollars/).fill('2');
    await page.getByRole('button', { name: /^Raise/ }).click();
    await conversation(page).getByText('Hello again.').waitFor();
    await page.getByRole('button', { name: /of \$2\.00/ }).waitFor();
  });

  test('if the server permits it, allowing everything is offered and shown in red', async () => {
    const { server, root } = await startEmulatedConsole([], { allowBypass: true });
    const { page } = await openConsole(browser, server);
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await page.getByLabel('Folder').fill(root);
    await page.getByLabel('Permissions').selectOption('bypassPermissions');
    await page.getByText('Every tool runs without asking').waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await composer(page).waitFor();
    await expect.poll(() => page.getByLabel('Permissions').inputValue()).toBe('bypassPermissions');
    await page.emulateMedia({ colorScheme: 'light' });
    const colour = await page
      .getByLabel('Permissions')
      .evaluate((select) => getComputedStyle(select as never).color);
    expect(colour).toBe('rgb(179, 38, 30)');
  });

  test('the inspector shows the wire, filters it, and sends an edited request', async () => {
    const { page, clis } = await begin([onUser([say('Hello.')])]);
    await tell(page, 'Hi');
    await conversation(page).getByText('Hello.').waitFor();
    await page.getByLabel('Thinking').selectOption('4000');
    await openView(page, 'Inspector');
    await page.getByLabel('Filter frames').fill('subtype:set_max_thinking_tokens from:host');
    await page.getByRole('option').filter({ hasText: 'set_max_thinking_tokens' }).first().click();
    await page.getByRole('button', { name: 'Edit and send again' }).click();
    const dialog = page.getByRole('dialog');
    const text = await dialog.getByLabel(/The request/).inputValue();
    expect(JSON.parse(text)).toMatchObject({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 4000 });
    await dialog
      .getByLabel(/The request/)
      .fill('{ "subtype": "set_max_thinking_tokens", "max_thinking_tokens": 123 }');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('heading', { name: 'Answer' }).waitFor();
    // The control shows the current value, however it was set.
    await page
      .getByRole('option', { name: 'Thinking: up to 123', includeHidden: true })
      .waitFor({ state: 'attached' });
    const sent = clis[0]?.received.map(({ request }) => request).filter(isObject) ?? [];
    expect(sent.at(-1)).toEqual({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 123 });
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByLabel('Filter frames').fill('123');
    await page.getByRole('option').filter({ hasText: 'set_max_thinking_tokens' }).first().waitFor();
  });

  test('sessions can be searched, and the address leads to a session and its tab', async () => {
    const { page, root } = await begin(() => [onUser([say('Hello.')])]);
    await tell(page, 'Paint the shed');
    await conversation(page).getByText('Hello.').waitFor();
    await newSession(page, root);
    await tell(page, 'Mow the lawn');
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    await sessions.getByText('Mow the lawn').waitFor();
    await page.getByLabel('Search sessions').fill('shed');
    await expect.poll(() => sessions.getByRole('link').count()).toBe(1);
    await sessions.getByRole('link').click();
    await page.getByRole('heading', { name: 'Paint the shed', level: 1 }).waitFor();
    await openView(page, 'Usage');
    await page.reload();
    await page.getByRole('heading', { name: 'Paint the shed', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
  });

  test('an earlier conversation is found on disk and resumed with its messages', async () => {
    const { server, root, clis } = await startEmulatedConsole(() => [onUser([say('Welcome back.')])]);
    const entries = [user(2, null, 'Paint the shed'), assistant(3, 2, 'Which colour?')];
    await putTranscript(
      root,
      `${SESSION}.jsonl`,
      entries.map((entry) => ({ ...entry, cwd: root })),
      projectOf(root),
    );
    const { page } = await openConsole(browser, server);
    await page.getByRole('button', { name: 'Earlier, on disk' }).click();
    const earlier = page.getByRole('region', { name: 'Earlier conversations' });
    await earlier.getByText('Paint the shed').waitFor();
    expect(clis).toEqual([]);
    await page.getByLabel('Search sessions').fill('lawn');
    await earlier.getByText('No matches.').waitFor();
    await page.getByLabel('Search sessions').fill('shed');
    await earlier.getByText('Paint the shed').click();
    await composer(page).waitFor();
    await conversation(page).getByText('Which colour?').waitFor();
    await tell(page, 'Blue');
    await conversation(page).getByText('Welcome back.').waitFor();
    await expect.poll(() => conversation(page).getByText('Paint the shed').count()).toBe(1);
  });

  test('axe finds no problems, in light mode on a desktop and in dark mode on a phone', async () => {
    const scenario = (): Scenario => [
      onUser([
        say(
          '# Title\n\nText with [a link](https://a.example) and `code`.\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
        ),
        useTool('Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, { result: 'ok' }),
        useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }),
        useTool('ExitPlanMode', { plan: '- a step\n'.repeat(80) }, { ask: true, result: 'approved' }),
        askQuestion([question('Which?', ['Red', 'Green'])]),
        say('Done.'),
      ]),
    ];
    const { server, root } = await startEmulatedConsole(scenario, { demo: { suggestions: ['Go'] } });
    const { page } = await openConsole(browser, server, { bypassCSP: true });
    const problems: string[] = [];
    const check = async (what: string) => {
      for (const [colorScheme, size] of [
        ['light', DESKTOP],
        ['dark', PHONE],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        const found = await axeProblems(page);
        problems.push(...found.map((problem) => `${what} ${colorScheme} ${size.width}: ${problem}`));
      }
      await page.setViewportSize(DESKTOP);
    };
    await check('start');
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await check('new session');
    await page.keyboard.press('Escape');
    await newSession(page, root);
    await tell(page, 'Go');
    await prompt(page, 'May Bash run?').waitFor();
    await check('permission');
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await prompt(page, 'Approve this plan?').waitFor();
    await check('plan');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await prompt(page, 'A question for you').waitFor();
    await check('question');
    for (const name of ['Tasks', 'MCP', 'Agents', 'Chrome', 'Usage', 'Inspector']) {
      await openView(page, name);
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      await check(name);
    }
    expect(problems).toEqual([]);
  });
});
