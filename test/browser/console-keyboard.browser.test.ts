import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { noBrowser, sharedBrowser } from '../support/browser.js';
import { answers, startEmulatedConsole } from '../support/console.js';
import {
  composer,
  conversation,
  newSession,
  openConsole,
  openView,
  PHONE,
  prompt,
  ready,
  tell,
} from '../support/console-page.js';
import { describeUnless } from '../support/describe-unless.js';

const LONG = `echo ${'very-long '.repeat(40)}\n`.repeat(40);

/** What a CLI reports about its one server: connected this many times, then disabled. */
function servers(times: number): Scenario {
  const status = (state: string) => [answer({ mcpServers: [{ name: 'files', status: state }] })];
  return [
    onRequest('mcp_status', status('connected'), { times }),
    onRequest('mcp_status', status('disabled'), { times: 'any' }),
    onRequest('mcp_toggle', [answer({})], { times: 'any' }),
  ];
}

function opacity(part: Locator): Promise<number> {
  return part.evaluate((element) => Number(getComputedStyle(element as never).opacity));
}

describeUnless(noBrowser, 'the console by keyboard', () => {
  const browser = sharedBrowser();

  /** The accessible name of the focused element. */
  const focused = (page: Page) =>
    page.evaluate<string>(`(() => {
      const { activeElement: at } = document;
      return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.querySelector('h2')?.textContent ?? at.textContent;
    })()`);

  test('the focus moves into dialogs and prompts and back, and is never lost', async () => {
    const ask = { ask: true, result: 'done' };
    const { server, root } = await startEmulatedConsole([
      onUser([
        useTool('Bash', { command: 'ls' }, ask),
        useTool('Write', { content: 'x' }, ask),
        say('All done.'),
      ]),
    ]);
    const { page } = await openConsole(browser, server);
    const opener = page.getByRole('button', { name: 'New session', exact: true });
    await opener.press('Enter');
    await expect.poll(() => focused(page)).toContain('Folder');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('New session');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Folder');
    // The folder comes from the server, and without it nothing can be opened.
    await expect.poll(() => page.getByLabel('Folder').inputValue()).toBe(root);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Message');
    await page.keyboard.type('Go');
    await page.keyboard.press('Enter');

    const bash = prompt(page, 'May Bash run?');
    await bash.waitFor();
    await page.keyboard.press('Escape');
    for (const key of ['d', 'e']) {
      await ready(page, bash);
      await page.keyboard.press(key);
      await bash.getByRole('button', { name: 'Back' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('May Bash run?');
    }
    await page.keyboard.press('a');
    await prompt(page, 'May Write run?').waitFor();
    await expect.poll(() => focused(page)).toBe('May Write run?');
    await ready(page, prompt(page, 'May Write run?'));
    await page.keyboard.press('a');
    await conversation(page).getByText('All done.').waitFor();
    // Events may overtake the summary that removes the prompt.
    await prompt(page, 'May Write run?').waitFor({ state: 'hidden' });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Message');

    await page.getByRole('button', { name: 'Skip the list of sessions' }).press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Menu of Go');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Find');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('tokens');
  });

  test('keys answer a prompt that has the focus and was visible long enough, and Enter alone allows nothing', async () => {
    const ask = { ask: true, result: 'done' };
    const { server, root, clis } = await startEmulatedConsole([
      onUser([
        useTool('Bash', { command: 'ls' }, ask),
        useTool('ExitPlanMode', { plan: 'Do it' }, ask),
        say('All done.'),
      ]),
    ]);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Go');
    const card = prompt(page, 'May Bash run?');
    await ready(page, card);
    // Nothing has the focus: no key is for the prompt, and all are greyed out.
    await page.evaluate('document.activeElement.blur()');
    for (const key of ['Enter', 'a', '1']) await page.keyboard.press(key);
    expect(await opacity(card.getByText('a', { exact: true }))).toBeLessThan(1);
    await card.getByText('Press Escape to use the keys').waitFor();
    // Now it has the focus, and Enter still does not allow.
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('May Bash run?');
    await page.keyboard.press('Enter');
    expect(await opacity(card.getByText('a', { exact: true }))).toBe(1);
    await page.keyboard.press('d');
    // A key pressed at the moment the next prompt appears was not meant for it.
    await page.evaluate(`addEventListener('focusin', ({ target }) => {
      if (target.matches('.prompt')) target.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
    })`);
    await card.getByLabel(/Why not/).press('Enter');
    const plan = prompt(page, 'Approve this plan?');
    await ready(page, plan);
    await page.keyboard.press('Enter');
    await page.keyboard.press('d');
    await plan.getByRole('button', { name: 'Send back' }).click();
    await conversation(page).getByText('All done.').waitFor();
    expect(answers(clis[0])).toMatchObject([{ behavior: 'deny' }, { behavior: 'deny' }]);
  });

  test('a malformed form from the model is still a form, and an empty answer is not sent', async () => {
    const spoilt = (questions: unknown) => useTool('AskUserQuestion', { questions }, { ask: true });
    const { server, root } = await startEmulatedConsole([
      onUser([
        spoilt('none'),
        spoilt([{ question: 'Same?', header: {}, options: 7 }, null, { question: 'Same?', options: [null] }]),
        say('Well.'),
      ]),
    ]);
    const { page, complaints } = await openConsole(browser, server);
    await newSession(page, root);
    await tell(page, 'Go');
    const card = prompt(page, 'Questions for you');
    await card.getByText('no questions that can be shown').waitFor();
    await expect
      .poll(() => card.getByRole('button', { name: 'Answer', exact: true }).isDisabled())
      .toBe(true);
    await card.getByRole('button', { name: 'Leave it unanswered' }).click();
    await card.getByText('Same?').nth(1).waitFor();
    await expect.poll(() => card.getByText('[object Object]').count()).toBe(0);
    for (const index of [0, 1])
      await card.getByLabel('Something else, in your own words').nth(index).fill('yes');
    await card.getByRole('button', { name: 'Answer', exact: true }).click();
    await conversation(page).getByText('Well.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('the actions of a prompt stay visible, however long the request and however small the page', async () => {
    const { server, root } = await startEmulatedConsole([
      onUser([useTool('Bash', { command: LONG, description: LONG }, { ask: true })]),
    ]);
    const { page } = await openConsole(browser, server, { viewport: PHONE });
    await newSession(page, root);
    await tell(page, 'Go');
    const card = prompt(page, 'May Bash run?');
    await card.waitFor();
    for (const name of ['Allow once', 'Deny']) {
      const [box, frame] = [
        await card.getByRole('button', { name, exact: true }).boundingBox(),
        await card.boundingBox(),
      ];
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
      expect(box?.y).toBeGreaterThan(frame?.y ?? Number.POSITIVE_INFINITY);
    }
  });

  test('an MCP action on all sessions reports each result and what outlives it, and keeps the focus', async () => {
    // The first session is viewed before and after; both are asked whether they have the server.
    const scenarios = [servers(1), servers(2)];
    const { server, root } = await startEmulatedConsole(() => scenarios.shift() ?? []);
    const { page } = await openConsole(browser, server);
    await newSession(page, root);
    await newSession(page, root);
    await openView(page, 'MCP');
    await page.getByText(/The CLI remembers Disable for/).waitFor();
    await page.getByLabel('Reconnect, enable and disable in all sessions that have the server').check();
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    const results = page.getByRole('status', { name: 'Results' });
    await results.getByText('files: done in 2 of 2 sessions.').waitFor();
    const rows = results.getByRole('listitem');
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([
        expect.stringContaining(`disabled, and remembered for ${root} after the session ends`),
        expect.stringContaining(`disabled, and remembered for ${root} after the session ends`),
      ]);
    await expect.poll(() => focused(page)).toBe('Enable');
    // It stays disabled whatever is requested, and that does not count as done.
    await page.keyboard.press('Enter');
    await results.getByText('files: done in 0 of 2 sessions.').waitFor();
    await results
      .getByText(/still lists it as disabled/)
      .first()
      .waitFor();
  });

  test('a panel shows nothing outdated while it loads or the server is unreachable, and then loads again', async () => {
    const { server, root } = await startEmulatedConsole(servers(2));
    const page = await (await browser.newContext()).newPage();
    const sockets: WebSocketRoute[] = [];
    let isReachable = true;
    let held: (() => void)[] | undefined;
    await page.routeWebSocket(/api\/socket/, (socket) => {
      sockets.push(socket);
      if (!isReachable) {
        void socket.close();
        return;
      }
      socket.connectToServer().onMessage((text) => {
        if (held === undefined) socket.send(text);
        else held.push(() => socket.send(text));
      });
    });
    await page.goto(server.url);
    await newSession(page, root);
    await composer(page).waitFor();
    await openView(page, 'MCP');
    const row = page.getByRole('listitem').filter({ hasText: 'files' });
    await row.getByText('connected').waitFor();
    held = [];
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Asking the CLI…').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    for (const pass of held) pass();
    held = undefined;
    await row.getByText('connected').waitFor();

    isReachable = false;
    await sockets[0]?.close();
    await page.getByText('This session is not connected').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    isReachable = true;
    await row.getByText('disabled', { exact: true }).waitFor();
  });
});
