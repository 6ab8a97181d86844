import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import { nodeFor22, obstacleOf } from '../support/programs-of-others.js';
import { describeRealClis } from './support/each-real-cli.js';

describeRealClis('the AI SDK on coxswain/ai-sdk', (cli) => {
  test('streams, continues, calls tools, returns objects, asks for approval and stops', async ({
    skip,
    onTestFinished,
  }) => {
    const obstacle = obstacleOf('ai');
    if (obstacle !== undefined) skip(obstacle);
    const folders = await makeThrowawayFolders();
    onTestFinished(() => folders.remove());
    await using model = await scriptModel(replyTo);
    const env = scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } });
    const args = [resolve('test/acp/own-provider.mjs'), resolve('dist/ai-sdk.js'), cli.path, folders.cwd];
    const { stdout } = await promisify(execFile)(nodeFor22() ?? '', args, {
      cwd: folders.cwd,
      env,
      timeout: 100_000,
    });
    expect(JSON.parse(stdout)).toEqual([
      ...['streamed Hello.', 'stop', 'went on Hello twice.'],
      ...['time Rome', 'with a tool It is noon.', 2],
      { colour: 'green' },
      ...['asked for Bash', 'approved It is there.', 'TimeoutError'],
    ]);
    expect(existsSync(join(folders.cwd, 'made'))).toBe(true);
  });
});

function replyTo({ userText, toolResults, messages }: ModelRequest) {
  const results = JSON.stringify(toolResults);
  if (results.includes('Noon')) return text('It is noon.');
  if (results.includes('made')) return text('It is there.');
  if (userText.includes('a colour')) return toolUse('StructuredOutput', { colour: 'green' });
  if (userText.includes('what time')) return toolUse('mcp__ai__time', { city: 'Rome' });
  if (userText.includes('make a folder')) return toolUse('Bash', { command: 'mkdir made; echo made' });
  if (userText.includes('wait forever')) return stall();
  // The whole conversation is there only if it was resumed.
  if (userText.includes('and again'))
    return text(JSON.stringify(messages).includes('Hello.') ? 'Hello twice.' : 'Who are you?');
  return text('Hello.');
}
