import { expect, test } from 'vitest';
import { text, toolUse } from '../../../../../src/lab/testing/model/replies.js';
import { echoScript } from '../../../../../src/lab/testing/model/script.js';
import { mainBody, modelRequest, toolResultMessage } from '../../../../support/model-requests.js';

test('repeats the user’s text', () => {
  expect(echoScript(modelRequest(mainBody('hello')))).toEqual(text('You said: hello'));
});

test('runs a command that the user asks for', () => {
  expect(echoScript(modelRequest(mainBody('run echo a')))).toEqual([
    expect.objectContaining({ type: 'text' }),
    toolUse('Bash', { command: 'echo a', description: expect.any(String) }),
  ]);
});

test('reports the tool’s answer', () => {
  const messages = [toolResultMessage('a', 'b')];
  expect(echoScript(modelRequest(mainBody('', { messages })))).toEqual(text('The tool answered: a\nb'));
});
