import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isObject } from '../../src/wire/protocol/frames.js';
import { AcpAgent } from '../real/support/acp-agent.js';
import { programOf } from '../support/emulated-program.js';
import { AI_SDK_SEEN, obstacleOf, runAiSdk } from '../support/programs-of-others.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'others-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder with a scenario in it, and the environment of a program there. */
function place(scenario: unknown) {
  const cwd = mkdtempSync(join(root, 'run-'));
  const path = join(cwd, 'scenario.json');
  writeFileSync(path, JSON.stringify(scenario));
  return { cwd, env: { PATH: process.env.PATH, HOME: cwd, COXSWAIN_SCENARIO: path } };
}

// Unmodified npm packages; npm replaces the official SDK with coxswain/compat (test/acp/package.json).
test('the AI SDK with ai-sdk-provider-claude-code runs on the emulator', { timeout: 120_000 }, async ({
  skip,
}) => {
  const obstacle = obstacleOf('ai-sdk-provider-claude-code');
  if (obstacle !== undefined) skip(obstacle);
  const { cwd, env } = place([
    { on: 'user', match: 'say hello', times: 'any', steps: [{ do: 'say', content: 'Hello.' }] },
    {
      on: 'user',
      match: 'what time',
      times: 'any',
      steps: [
        { do: 'mcpTool', server: 'clock', tool: 'time', input: { city: 'Rome' } },
        { do: 'say', content: 'It is noon.' },
      ],
    },
  ]);
  expect(await runAiSdk(programOf('2.1.326'), cwd, env)).toEqual(AI_SDK_SEEN);
});

test('claude-agent-acp runs on the emulator', { timeout: 120_000 }, async ({ skip }) => {
  const obstacle = obstacleOf('@agentclientprotocol/claude-agent-acp');
  if (obstacle !== undefined) skip(obstacle);
  const { cwd, env } = place([
    {
      on: 'user',
      match: 'make a file',
      steps: [
        { do: 'useTool', name: 'Bash', input: { command: 'touch made' }, ask: true, result: 'made' },
        { do: 'say', content: 'That is done.' },
      ],
    },
  ]);
  const asked: unknown[] = [];
  await using agent = new AcpAgent({
    cli: programOf('2.1.326'),
    cwd,
    env,
    answer: (_method, params) => {
      const { title } = isObject(params.toolCall) ? params.toolCall : {};
      asked.push(title);
      const list = Array.isArray(params.options) ? params.options.filter(isObject) : [];
      const { optionId } = list.find(({ kind }) => kind === 'allow_once') ?? {};
      return { outcome: { outcome: 'selected', optionId } };
    },
  });
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  const prompt = [{ type: 'text', text: 'make a file' }];
  expect(await agent.request('session/prompt', { sessionId, prompt })).toMatchObject({
    stopReason: 'end_turn',
  });
  expect(asked).toEqual(['touch made']);
  expect(agent.text).toContain('That is done.');
});
