import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import { AI_SDK_SEEN, obstacleOf, runAiSdk } from '../support/programs-of-others.js';
import { describeRealClis } from './support/each-real-cli.js';

// An unmodified npm package; npm replaces the official SDK with coxswain/compat (test/acp/package.json).
describeRealClis(
  'the AI SDK with ai-sdk-provider-claude-code on coxswain/compat',
  (cli) => {
    test('streams text, and calls its own tool', async ({ skip, onTestFinished }) => {
      const obstacle = obstacleOf('ai-sdk-provider-claude-code');
      if (obstacle !== undefined) skip(obstacle);
      const folders = await makeThrowawayFolders();
      onTestFinished(() => folders.remove());
      await using model = await scriptModel(replyTo);
      const env = scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } });
      expect(await runAiSdk(cli.path, folders.cwd, env)).toEqual(AI_SDK_SEEN);
    });
  },
  ['2.1.326'],
);

function replyTo({ userText, toolResults }: ModelRequest) {
  if (toolResults.length > 0) return text('It is noon.');
  return userText.includes('what time') ? toolUse('mcp__clock__time', { city: 'Rome' }) : text('Hello.');
}
