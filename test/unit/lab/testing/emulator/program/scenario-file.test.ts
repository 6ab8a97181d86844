import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  loadScenario,
  readScenario,
} from '../../../../../../src/lab/testing/emulator/program/scenario-file.js';
import {
  onRequest,
  onStart,
  onUser,
  unasked,
} from '../../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { answer, refuse } from '../../../../../../src/lab/testing/emulator/steps/answer-steps.js';
import {
  askHost,
  elicit,
  hook,
  mcpMessage,
  mcpTool,
} from '../../../../../../src/lab/testing/emulator/steps/asking-steps.js';
import {
  deaf,
  flood,
  halfLine,
  hugeLine,
  ignoreSigterm,
  noise,
  slowDrip,
  splitUtf8,
} from '../../../../../../src/lab/testing/emulator/steps/fault-steps.js';
import { die, hang, wait } from '../../../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done, fail } from '../../../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { endTask, startTask } from '../../../../../../src/lab/testing/emulator/steps/task-steps.js';
import { askQuestion, useTool } from '../../../../../../src/lab/testing/emulator/steps/tool-steps.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scenarios-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a scenario in JSON', () => {
  test('is the same as one made of functions', () => {
    const written = [
      { on: 'start', steps: [{ do: 'noise' }, { do: 'ignoreSigterm' }] },
      {
        on: 'request',
        subtype: 'set_model',
        match: { model: 'x' },
        times: 2,
        steps: [{ do: 'refuse', error: 'no' }],
      },
      { on: 'request', subtype: 'initialize', steps: [{ do: 'answer', value: { a: 1 } }, { do: 'hang' }] },
      {
        on: 'user',
        match: { pattern: '^hi', flags: 'i' },
        times: 'any',
        steps: [
          { do: 'say', content: 'Hello', delayMs: 5 },
          { do: 'send', message: { type: 'x' } },
          { do: 'useTool', name: 'Bash', input: { command: 'ls' }, ask: true, result: 'a' },
          { do: 'askQuestion', questions: 'Well?' },
          { do: 'hook', event: 'Notification' },
          { do: 'mcpMessage', server: 's', message: { method: 'ping' } },
          { do: 'mcpTool', server: 's', tool: 't' },
          { do: 'elicit', server: 's', message: 'Name?' },
          { do: 'askHost', body: { subtype: 'ui_copy' } },
          { do: 'startTask', id: '1' },
          { do: 'endTask', id: '1', status: 'failed' },
          { do: 'wait', ms: 3 },
          { do: 'done', text: 'over' },
        ],
      },
      {
        on: 'unasked',
        steps: [
          { do: 'fail', subtype: 'error_max_turns' },
          { do: 'apiFailure', status: 529 },
        ],
      },
      {
        on: 'user',
        steps: [
          { do: 'halfLine', text: '{' },
          { do: 'flood', count: 2 },
          { do: 'hugeLine', bytes: 9 },
          { do: 'splitUtf8' },
          { do: 'slowDrip', bytes: 1 },
          { do: 'deaf' },
          { do: 'die', code: 3 },
        ],
      },
    ];
    expect(readScenario(written)).toEqual([
      onStart([noise(), ignoreSigterm()]),
      onRequest('set_model', [refuse('no')], { match: { model: 'x' }, times: 2 }),
      onRequest('initialize', [answer({ a: 1 }), hang()]),
      onUser(
        { pattern: '^hi', flags: 'i' },
        [
          say('Hello', { delayMs: 5 }),
          send({ type: 'x' }),
          useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }),
          askQuestion('Well?'),
          hook('Notification'),
          mcpMessage('s', { method: 'ping' }),
          mcpTool('s', 't'),
          elicit('s', 'Name?'),
          askHost({ subtype: 'ui_copy' }),
          startTask('1'),
          endTask('1', { status: 'failed' }),
          wait(3),
          done('over'),
        ],
        { times: 'any' },
      ),
      unasked([fail('error_max_turns'), apiFailure({ status: 529 })]),
      onUser([
        halfLine('{'),
        flood(2),
        hugeLine(9),
        splitUtf8(),
        slowDrip({ bytes: 1 }),
        deaf(),
        die({ code: 3 }),
      ]),
    ]);
  });

  test.each([
    [[{ on: 'never', steps: [] }], 'scenario[0].on must be'],
    [[{ on: 'user' }], 'scenario[0].steps must be a list of steps'],
    [[{ on: 'user', steps: [], extra: 1 }], 'scenario[0].extra is not known here'],
    [[{ on: 'user', match: 3, steps: [] }], 'scenario[0].match must be a text'],
    [[{ on: 'user', times: 0, steps: [] }], 'scenario[0].times must be a number of at least 1 or "any"'],
    [[{ on: 'request', steps: [] }], 'scenario[0].subtype must be a text'],
    [[{ on: 'user', steps: [{ do: 'wait', ms: 'x' }] }], 'scenario[0].steps[0].ms must be a number'],
    [[{ on: 'user', steps: [{ do: 'fail', subtype: 'x' }] }], 'scenario[0].steps[0].subtype must be one of'],
    [[{ on: 'user', steps: [{ do: 'say', content: 3 }] }], 'scenario[0].steps[0].content[0]'],
  ])('%j is refused with its place', (value, problem) => {
    expect(() => readScenario(value)).toThrow(problem);
  });
});

describe('a scenario in a module', () => {
  test('may be its default export or the one named scenario', async () => {
    for (const [name, text] of [
      ['default.mjs', 'export default [{ on: "user", steps: [] }];'],
      ['named.js', 'export const scenario = [{ on: "user", steps: [] }];'],
    ] as const) {
      await writeFile(join(folder, name), text);
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      expect(await loadScenario(name, folder)).toEqual([onUser([])]);
    }
  });

  test('that exports none, or cannot be loaded, is refused', async () => {
    await writeFile(join(folder, 'none.mjs'), 'export const other = 1;');
    await expect(loadScenario('none.mjs', folder)).rejects.toThrow('exports no scenario');
    await expect(loadScenario('missing.mjs', folder)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await expect(loadScenario('missing.json', folder)).rejects.toThrow('cannot be read');
    await expect(loadScenario('missing.ts', folder)).rejects.toThrow('22.18');
  });
});
