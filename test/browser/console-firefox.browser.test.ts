import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { answers, startEmulatedConsole } from '../support/console.js';
import { FirefoxTab, noFirefox, systemFirefox } from '../support/firefox.js';

test('in Firefox you can open a session, talk to it, allow a tool and use its menu', async ({ skip }) => {
  if (systemFirefox === undefined) return skip(noFirefox);
  const { server, clis } = await startEmulatedConsole([
    onUser([
      say('I will **look**.'),
      useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }),
      say('All done.'),
    ]),
  ]);
  const tab = await FirefoxTab.open();
  await tab.goto(server.url);
  const seen = (expression: string) =>
    expect.poll(() => tab.evaluate(`Boolean(${expression})`), { timeout: 60_000 }).toBe(true);
  const press = async (selector: string, text = '') => {
    const button = `[...document.querySelectorAll('${selector}')].find((each) => !each.disabled && each.textContent.includes('${text}'))`;
    await seen(button);
    await tab.evaluate(`${button}.click()`);
  };
  // Connected: the list has arrived.
  await seen(`document.body.textContent.includes('No open sessions.')`);
  await press('.sidebar .primary', 'New session');
  await press('dialog .primary', 'Open');
  const field = `document.querySelector('.composer textarea')`;
  await seen(field);
  // In the way that React notices typed text.
  await tab.evaluate(`(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(${field}, 'Go');
    ${field}.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await press('.composer .primary', 'Send');
  await seen(`document.querySelector('.speech strong')?.textContent === 'look'`);
  await press('.prompt .primary', 'Allow once');
  await seen(
    `[...document.querySelectorAll('.speech')].some((each) => each.textContent.includes('All done.'))`,
  );
  expect(answers(clis[0])).toMatchObject([{ behavior: 'allow' }]);

  await press('.session-head .session-menu');
  await press('[role=menuitem]', 'Rename');
  await seen(`document.querySelector('dialog[open] input')?.value === 'Go'`);
  await press('dialog[open] button', 'Cancel');
  await tab.resize(390, 844);
  await seen('document.documentElement.scrollWidth <= innerWidth');
  expect(tab.complaints).toEqual([]);
}, 240_000);
