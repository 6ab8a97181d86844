import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { obstacleOf } from '../support/programs-of-others.js';
import { AcpAgent, type AnswerAgent } from './support/acp-agent.js';
import { describeRealClis } from './support/each-real-cli.js';

// A third-party program for the official SDK: npm replaces it with coxswain/compat (test/acp/package.json).
describeRealClis(
  'claude-agent-acp on coxswain/compat',
  (cli) => {
    test('serves a conversation with a tool call, permissions and a model change, and finds it again', async ({
      skip,
      onTestFinished,
    }) => {
      const obstacle = obstacleOf('@agentclientprotocol/claude-agent-acp');
      if (obstacle !== undefined) skip(obstacle);
      expect(realpathSync('test/acp/node_modules/@anthropic-ai/claude-agent-sdk')).toBe(
        resolve('test/acp/shim'),
      );
      const folders = await makeThrowawayFolders();
      onTestFinished(() => folders.remove());
      await using model = await scriptModel(replyTo);
      const asked: unknown[] = [];
      const answer: AnswerAgent = (method, params) => {
        if (method !== 'session/request_permission') throw new Error(`not expected: ${method}`);
        const { title } = isObject(params.toolCall) ? params.toolCall : {};
        asked.push(title);
        return { outcome: { outcome: 'selected', optionId: option(params.options, title) } };
      };
      const env = scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } });
      const place = { cli: cli.path, cwd: folders.cwd, env, answer };
      await using agent = new AcpAgent(place);
      await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = await agent.request('session/new', { cwd: folders.cwd, mcpServers: [] });
      const prompt = (words: string) =>
        agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: words }] });

      expect(await prompt('make a file')).toMatchObject({ stopReason: 'end_turn' });
      expect(await prompt('make another')).toMatchObject({ stopReason: 'end_turn' });
      expect(asked).toEqual(['touch made', 'touch another']);
      expect(existsSync(join(folders.cwd, 'made'))).toBe(true);
      expect(existsSync(join(folders.cwd, 'another'))).toBe(false);
      expect(agent.updates).toContainEqual(
        expect.objectContaining({ sessionUpdate: 'tool_call', name: 'Bash', kind: 'execute' }),
      );
      expect(agent.updates).toContainEqual(
        expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'completed' }),
      );
      expect(agent.updates).toContainEqual(
        expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }),
      );
      expect(agent.text).toContain('That is done.');

      await agent.request('session/set_config_option', { sessionId, configId: 'model', value: 'haiku' });
      expect(await prompt('who are you?')).toMatchObject({ stopReason: 'end_turn' });
      expect(agent.text).toMatch(/I am \S*haiku/);

      // Another process finds the conversation on disk and continues it.
      await agent[Symbol.asyncDispose]();
      await using later = new AcpAgent(place);
      await later.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
      const { sessions } = await later.request('session/list', { cwd: folders.cwd });
      expect(sessions).toEqual([expect.objectContaining({ sessionId, cwd: folders.cwd })]);
      await later.request('session/load', { sessionId, cwd: folders.cwd, mcpServers: [] });
      expect(later.text).toMatch(/That is done\.[\s\S]*I am \S*haiku/);
    });
  },
  ['2.1.17', '2.1.326'],
);

/** What the model says: a tool call, an end after its result, or its own name. */
function replyTo({ userText, toolResults, model }: ModelRequest) {
  if (toolResults.length > 0) return text('That is done.');
  if (userText.includes('make a file')) return toolUse('Bash', { command: 'touch made' });
  if (userText.includes('make another')) return toolUse('Bash', { command: 'touch another' });
  return text(`I am ${model}`);
}

/** Allows the first command and denies the second. */
function option(options: unknown, title: unknown): unknown {
  const kind = title === 'touch made' ? 'allow_once' : 'reject_once';
  const list = Array.isArray(options) ? options.filter(isObject) : [];
  return list.find((each) => each.kind === kind)?.optionId;
}
