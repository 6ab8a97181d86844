import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import type { EmulatedCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { elicit } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Console } from '../../src/server/console/start-console.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { answers, startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  newSession,
  notifications,
  openConsole,
  openView,
  PHONE,
  prompt,
  ready,
  tell,
  watchNotifications,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const ALWAYS = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
  behavior: 'allow',
  destination: 'session',
};
const list = (options = {}) =>
  useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md', ...options });

/** Whether nothing of an element is cut off or must be scrolled to. */
const isWhole = (element: Element) =>
  element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1;

describeUnless(noBrowser, 'prompts in the console', () => {
  const browser = sharedBrowser();

  async function begin(scenario: Scenario, options = {}) {
    const started = await startEmulatedConsole(scenario);
    const opened = await openConsole(browser, started.server, options);
    await newSession(opened.page, started.root);
    await tell(opened.page, 'Go');
    return { ...started, ...opened };
  }

  /** Moves the focus from the composer to the prompt: single keys work only there. */
  const leaveComposer = (page: Page) => composer(page).press('Escape');

  test('a permission is granted by key once, permanently or with another input, or denied with a reason', async () => {
    const { page, clis, complaints } = await begin([
      onUser([
        list(),
        list({ prompt: { permission_suggestions: [ALWAYS] } }),
        useTool('Write', { file_path: '/w/a', content: 'one', mode: 7 }, { ask: true, result: 'written' }),
        useTool('WebFetch', { url: 'https://a.example' }, { ask: true }),
        say('That was all.'),
      ]),
    ]);
    const card = prompt(page, 'May Bash run?');
    await card.getByText('ls', { exact: true }).waitFor();
    await tell(page, 'a');
    expect(answers(clis[0])).toEqual([]);
    await leaveComposer(page);
    await ready(page, card);
    await page.keyboard.press('a');
    const always = card.getByRole('button', { name: 'Always allow…' });
    await expect.poll(() => always.isEnabled()).toBe(true);
    await ready(page, card);
    await page.keyboard.press('l');
    await card.getByRole('button', { name: 'ls:* · this session' }).waitFor();
    await page.keyboard.press('1');

    await ready(page, prompt(page, 'May Write run?'));
    await page.keyboard.press('e');
    await page.getByLabel('mode', { exact: true }).fill('{');
    await page.getByText(/Not JSON/).waitFor();
    await page.getByLabel('mode', { exact: true }).fill('8');
    await page.getByLabel('content', { exact: true }).fill('two');
    await page.getByRole('button', { name: 'Allow with these changes' }).click();

    await ready(page, prompt(page, 'May WebFetch run?'));
    await page.keyboard.press('d');
    // The buttons below stay clear of its focus ring.
    const [field, button] = await Promise.all([
      page.getByLabel(/Why not/).boundingBox(),
      page.locator('.prompt .prompt-actions').boundingBox(),
    ]);
    expect((button?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeGreaterThanOrEqual(3);
    await page.getByLabel(/Why not/).fill('no network here');
    await page.getByLabel(/Why not/).press('Enter');
    await conversation(page).getByText('That was all.').waitFor();
    expect(answers(clis[0])).toMatchObject([
      { behavior: 'allow', updatedInput: { command: 'ls' } },
      { behavior: 'allow', updatedPermissions: [ALWAYS] },
      { behavior: 'allow', updatedInput: { file_path: '/w/a', content: 'two', mode: 8 } },
      { behavior: 'deny', message: 'no network here' },
    ]);
    await conversation(page).getByText('Denied by you: no network here').waitFor();
    const denied = page.locator('.tool', { hasText: 'WebFetch' });
    await denied.getByText('denied', { exact: true }).waitFor();
    await expect.poll(() => denied.getByText('no network here').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  const LONG = `npx vitest run ${'test/unit/a-long-folder/'.repeat(6)}:*`;
  const WALL = [
    {
      type: 'addRules' as const,
      rules: [
        { toolName: 'Bash', ruleContent: 'npm test:*' },
        { toolName: 'Bash', ruleContent: LONG },
      ],
      behavior: 'allow' as const,
      destination: 'localSettings' as const,
    },
    {
      type: 'addDirectories' as const,
      directories: ['/home/ada/code/other'],
      destination: 'session' as const,
    },
    { type: 'setMode' as const, mode: 'acceptEdits' as const, destination: 'session' as const },
  ];
  const COMMAND = `npm test && ${'git push origin HEAD:refs/heads/a-branch '.repeat(4)}`;

  test.each([
    ['a desktop', {}],
    ['a phone', { viewport: PHONE, hasTouch: true, isMobile: true }],
  ])('what can be remembered is a short list that tells exact rules, on %s', async (_name, options) => {
    const { page, clis } = await begin(
      [
        onUser([
          useTool('Bash', { command: COMMAND }, { ask: true, prompt: { permission_suggestions: WALL } }),
          say('Done.'),
        ]),
      ],
      options,
    );
    const card = prompt(page, 'May Bash run?');
    await card.getByRole('button', { name: 'Always allow…' }).waitFor();
    await expect.poll(() => card.getByRole('button').count()).toBe(4);
    // The whole command is in sight, and the conversation above keeps room.
    expect(await card.getByRole('region', { name: 'Request' }).evaluate(isWhole)).toBe(true);
    expect((await conversation(page).boundingBox())?.height).toBeGreaterThan(120);
    await card.getByRole('button', { name: 'Always allow…' }).click();
    const always = card.getByRole('region', { name: 'Always allow' });
    await always.getByText(`Bash(${LONG})`, { exact: true }).waitFor();
    await always.getByText(/^Let the CLI work in \/home\/ada\/code\/other/).waitFor();
    const names = await always
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.firstChild?.textContent ?? ''));
    expect(names).toEqual([
      'npm test:* and 1 more · this session',
      'npm test:* and 1 more · this folder, for you',
      'Work in /home/ada/code/other · this session',
      'Accepts edits · this session',
      'Back',
    ]);
    for (const button of await always.getByRole('button').all())
      expect(await button.evaluate(isWhole)).toBe(true);
    await always.getByRole('button', { name: 'npm test:* and 1 more · this folder, for you' }).click();
    await conversation(page).getByText('Done.').waitFor();
    expect(answers(clis[0])).toMatchObject([{ behavior: 'allow', updatedPermissions: [WALL[0], {}] }]);
  });

  test('questions are a form for keyboard and mouse, never allow or deny, and block nothing', async () => {
    const { page, clis } = await begin([
      onUser([
        askQuestion([
          question('Which colour?', ['Red', 'Green'], { header: 'Colour' }),
          question('Which days?', ['Monday', 'Tuesday', 'Friday'], { multiSelect: true }),
        ]),
        askQuestion({ question: 'Broken?', header: 'x', multiSelect: false, options: [] }),
        say('Thanks.'),
      ]),
    ]);
    const card = prompt(page, 'Questions for you');
    await card.waitFor();
    await expect.poll(() => card.getByRole('button', { name: /allow|deny/i }).count()).toBe(0);
    await expect
      .poll(() => card.getByRole('button', { name: 'Answer', exact: true }).isDisabled())
      .toBe(true);
    await openView(page, 'Usage');
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await leaveComposer(page);
    await ready(page, card);
    await page.keyboard.press('2');
    await expect.poll(() => card.getByLabel('Green').isChecked()).toBe(true);
    await page.keyboard.press('3');
    await expect.poll(() => card.getByLabel('Friday').isChecked()).toBe(true);
    await page.keyboard.press('1');
    await expect.poll(() => card.getByLabel('Monday').isChecked()).toBe(true);
    await expect.poll(() => card.getByLabel('Green').isChecked()).toBe(true);
    await card.getByLabel('Something else, in your own words').nth(1).fill('some Sunday');
    await card.getByRole('button', { name: 'Answer', exact: true }).click();

    await prompt(page, 'A question for you').getByLabel('Something else, in your own words').fill('yes');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('Thanks.').waitFor();
    const [first, second] = answers(clis[0]);
    expect(first).toMatchObject({
      behavior: 'allow',
      updatedInput: { answers: { 'Which colour?': 'Green', 'Which days?': 'Monday, Friday, some Sunday' } },
    });
    expect(second).toMatchObject({ updatedInput: { answers: { 'Broken?': 'yes' } } });
  });

  test('a plan is sent back with feedback, then approved with changes', async () => {
    const plan = (text: string) => useTool('ExitPlanMode', { plan: text }, { ask: true, result: 'ok' });
    const untold = useTool('ExitPlanMode', {}, { ask: true, result: 'ok' });
    const { page, clis } = await begin([
      onUser([plan('## First\n\nDo it'), plan('## Second'), untold, say('I begin.')]),
      onRequest('get_plan', [answer({ exists: true, content: '## Third, from a file' })]),
    ]);
    const card = prompt(page, 'Approve this plan?');
    await card.getByRole('heading', { name: 'First' }).waitFor();
    await leaveComposer(page);
    await ready(page, card);
    await page.keyboard.press('d');
    await page.getByLabel('What should change').fill('tests are missing');
    await page.getByRole('button', { name: 'Send back' }).click();
    await card.getByRole('heading', { name: 'Second' }).waitFor();
    await card.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('The plan').fill('## Second, with tests');
    await page.getByRole('button', { name: 'Approve, and accept edits' }).click();
    // Newer CLIs return the plan only on request.
    await card.getByRole('heading', { name: 'Third, from a file' }).waitFor();
    await ready(page, card);
    await page.keyboard.press('a');
    await conversation(page).getByText('I begin.').waitFor();
    expect(answers(clis[0])).toMatchObject([
      { behavior: 'deny', message: 'tests are missing' },
      {
        behavior: 'allow',
        updatedInput: { plan: '## Second, with tests' },
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }],
      },
      { behavior: 'allow', updatedInput: {}, updatedPermissions: [{ type: 'setMode', mode: 'default' }] },
    ]);
  });

  test('the form of an MCP server shows what is missing, and is sent with the right types', async () => {
    const requested_schema: WireObject = {
      type: 'object',
      required: ['name', 'age'],
      properties: {
        name: { type: 'string', title: 'Name' },
        age: { type: 'integer', minimum: 1 },
        ok: { type: 'boolean', title: 'Fine' },
      },
    };
    const { page, clis } = await begin([
      onUser([elicit('registry', 'Who are you?', { mode: 'form', requested_schema }), say('Welcome.')]),
    ]);
    const card = prompt(page, 'registry asks');
    await card.getByText('Who are you?').waitFor();
    await card.getByLabel('Name').fill('Ada');
    await card.getByRole('button', { name: 'Send' }).click();
    await card.getByText('Required.').waitFor();
    await card.getByLabel('age').fill('36');
    await card.getByLabel('Fine').check();
    await card.getByRole('button', { name: 'Send' }).click();
    await conversation(page).getByText('Welcome.').waitFor();
    expect(answers(clis[0])).toEqual([{ action: 'accept', content: { name: 'Ada', age: 36, ok: true } }]);
  });

  test('a reload during a prompt loses neither the prompt nor the draft, and sends nothing', async () => {
    const { page, clis } = await begin([onUser([list(), say('Thank you.')])]);
    await prompt(page, 'May Bash run?').waitFor();
    await composer(page).fill('half a thought');
    const lines = clis[0]?.lines.length;
    await page.reload();
    await prompt(page, 'May Bash run?').waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe('half a thought');
    expect(clis[0]?.lines.length).toBe((lines ?? 0) + modelsAsked(clis[0], lines));
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await conversation(page).getByText('Thank you.').waitFor();
    expect(answers(clis[0])).toHaveLength(1);
    await expect.poll(() => conversation(page).getByText('Go', { exact: true }).count()).toBe(1);
  });

  /** After a reload, only requests that read from the CLI may follow. */
  function modelsAsked(cli: EmulatedCli | undefined, before = 0): number {
    const since = cli?.received.slice(before) ?? [];
    expect(since.filter(({ type }) => type === 'user')).toEqual([]);
    return since.length;
  }

  test('of two tabs that answer, the first counts, and the other learns who answered', async () => {
    const { page, server, clis } = await begin([onUser([list(), say('Thank you.')])]);
    await prompt(page, 'May Bash run?').waitFor();
    const phone = await heldConsole(server);
    const needs = phone.page.getByRole('region', { name: 'Needs you' });
    await needs.getByText('Permission: Bash: ls').click();
    const card = prompt(phone.page, 'May Bash run?');
    await card.waitFor();
    phone.hold();
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await conversation(page).getByText('Thank you.').waitFor();
    await card.getByRole('button', { name: /^Deny/ }).click();
    await card.getByRole('button', { name: 'Deny and stop' }).click();
    await phone.page.getByText(/Already answered by Chrome on Linux/).waitFor();
    phone.release();
    await expect.poll(() => card.count()).toBe(0);
    await conversation(phone.page).getByText('Allowed by Chrome on Linux').waitFor();
    await conversation(page).getByText('Allowed by you').waitFor();
    await expect.poll(() => needs.count()).toBe(0);
    expect(answers(clis[0])).toMatchObject([{ behavior: 'allow' }]);
  });

  /** A console whose updates can be delayed, except for answers to its own commands: a slow connection. */
  async function heldConsole(server: Console) {
    const context = await browser.newContext({ userAgent: 'Mozilla/5.0 (Linux; Android 15) Firefox/140.0' });
    const page = await context.newPage();
    let held: string[] | undefined;
    let pass = (_text: string) => {};
    await page.routeWebSocket(/api\/socket/, (socket) => {
      pass = (text) => socket.send(text);
      socket.connectToServer().onMessage((message) => {
        const text = String(message);
        if (held === undefined || text.includes('"type":"done"')) socket.send(text);
        else held.push(text);
      });
    });
    await page.goto(server.url);
    await page.getByRole('button', { name: 'New session', exact: true }).waitFor();
    return {
      page,
      hold: () => {
        held = [];
      },
      release: () => {
        const texts = held ?? [];
        held = undefined;
        for (const text of texts) pass(text);
      },
    };
  }

  test('a connection that breaks during a turn loses, repeats and sends nothing', async () => {
    const { server, clis, root } = await startEmulatedConsole([
      onUser([say('Before.'), list(), say('In between.', { chunk: 3 }), say('At the end.')]),
    ]);
    const page = await (await browser.newContext()).newPage();
    const sockets: WebSocketRoute[] = [];
    let isReachable = true;
    await page.routeWebSocket(/api\/socket/, (socket) => {
      sockets.push(socket);
      if (isReachable) socket.connectToServer();
      else void socket.close();
    });
    await page.goto(server.url);
    await newSession(page, root);
    await tell(page, 'Go');
    await prompt(page, 'May Bash run?').waitFor();
    const before = clis[0]?.lines.length ?? 0;
    // The page reconnects so soon that it could be missed.
    isReachable = false;
    await sockets[0]?.close();
    await page.getByText(/connection to the server is lost/).waitFor();
    isReachable = true;
    const { page: other } = await openConsole(browser, server);
    await other.getByRole('region', { name: 'Needs you' }).getByText('Permission: Bash: ls').click();
    await prompt(other, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await conversation(page).getByText('At the end.').waitFor();
    expect(sockets.length).toBeGreaterThan(1);
    for (const text of ['Go', 'Before.', 'In between.', 'At the end.'])
      await expect.poll(() => conversation(page).getByText(text, { exact: true }).count()).toBe(1);
    const sent = clis[0]?.received.slice(before) ?? [];
    expect(sent.filter(({ type }) => type === 'user')).toEqual([]);
    expect(answers(clis[0])).toHaveLength(1);
  });

  test('a restarted server lists its sessions, and the prompt can still be answered', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(() => [onUser([list()])]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Go');
    await prompt(page, 'May Bash run?').waitFor();
    await server.close();
    await page.getByText(/connection to the server is lost/).waitFor();
    const again = { port: server.port, token: server.token, stateFolder, roots: [root] };
    const second = await startEmulatedConsole(() => [onUser([list(), say('Thank you.')])], again);
    await page.getByText(/connection to the server is lost/).waitFor({ state: 'hidden' });
    const open = prompt(page, 'May Bash run?');
    await open.waitFor();
    expect(second.clis).toEqual([]);
    await open.getByRole('button', { name: 'Allow once', exact: true }).click();
    await conversation(page).getByText('Thank you.').waitFor();
    await open.waitFor({ state: 'hidden' });
    await expect.poll(() => conversation(page).getByText('Go', { exact: true }).count()).toBe(1);
  });

  test('if a page may not show notifications, its worker does, and no prompt is hidden', async () => {
    const { page, root } = await begin([onUser([say('Hello.')]), onUser([list(), say('Thank you.')])]);
    await conversation(page).getByText('Hello.').waitFor();
    await page.context().grantPermissions(['notifications']);
    await watchNotifications(page);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      class Broken {
        static permission = 'granted';
        constructor() {
          throw new TypeError('Illegal constructor');
        }
      }
      Object.assign(globalThis, { Notification: Broken });
      Object.defineProperty(document, 'hidden', { value: true });
    });
    await tell(page, 'More');
    await prompt(page, 'May Bash run?').waitFor();
    await expect.poll(() => page.title()).toBe('(1) Go');
    const shown = () => notifications(page);
    await expect.poll(shown).toBe(`Go needs you: Permission: Bash: ls\n${root}`);
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await expect.poll(shown).toMatch(/^none/);
  });

  test('a notification says which session needs what, and disappears when that is settled', async () => {
    const { page, root } = await begin([onUser([say('Hello.')]), onUser([list(), say('Thank you.')])]);
    await conversation(page).getByText('Hello.').waitFor();
    await page.evaluate(() => {
      const said: string[] = [];
      class Recorder {
        static permission = 'granted';
        readonly title: string;
        constructor(title: string, { body }: { body: string }) {
          this.title = title;
          said.push(`${title}: ${body}`);
        }
        close() {
          said.push(`${this.title}: closed`);
        }
      }
      Object.assign(globalThis, { Notification: Recorder, said });
      Object.defineProperty(document, 'hidden', { value: true });
      // As on plain HTTP from another machine.
      Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
    });
    await tell(page, 'More');
    const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    await expect.poll(said).toEqual([`Go needs you: Permission: Bash: ls\n${root}`]);
    await expect.poll(() => page.title()).toBe('(1) Go');
    await prompt(page, 'May Bash run?').getByRole('button', { name: 'Allow once', exact: true }).click();
    await expect.poll(said).toContain('Go needs you: closed');
  });
});
