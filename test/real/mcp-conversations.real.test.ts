import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { McpServerMap } from '../../src/host/mcp/server-option.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { startEmulatedConsole } from '../support/console.js';
import { spokenConversation } from '../support/spoken-conversation.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

/** The result of the previous tool, if it is JSON. */
function told({ toolResults }: ModelRequest): Record<string, unknown> {
  return JSON.parse(toolResults.at(-1)?.text ?? '{}');
}

/** A model that talks to another conversation: a permission, a question, an interrupt and a resume. */
function agent(cwd: string) {
  let conversation: unknown;
  let last: unknown;
  const call = (name: string, input: object) => toolUse(`mcp__coxswain__${name}`, { conversation, ...input });
  const prompt = (request: ModelRequest) => {
    ({ last } = told(request));
    const [asked] = told(request).prompts as { id: string }[];
    return asked?.id ?? '';
  };
  const steps: ((request: ModelRequest) => ReturnType<typeof toolUse>)[] = [
    () => toolUse('mcp__coxswain__open_conversation', { cwd }),
    (request) => {
      ({ conversation } = told(request));
      return call('ask', { message: 'What is here?' });
    },
    (request) => call('answer_prompt', { prompt: prompt(request), answer: { answer: 'allow' } }),
    () => call('watch', { after: last }),
    () => call('ask', { message: 'Set up a project.' }),
    (request) => {
      const answer = { answer: 'choices', choices: { 'Which database?': 'SQLite' } };
      return call('answer_prompt', { prompt: prompt(request), answer });
    },
    () => call('watch', { after: last }),
    () => call('ask', { message: 'Count to a million.', timeoutSeconds: 1 }),
    () => call('interrupt', {}),
    () => call('close_conversation', {}),
    () => call('ask', { message: 'Are you back?' }),
  ];
  return [
    ...steps.map((reply) => ({ reply })),
    { reply: (request: ModelRequest) => text(`It said: ${told(request).text}`) },
  ];
}

async function talk(place: RealPlace, server: McpServerMap[string], cwd: string): Promise<void> {
  await using session = await place.open({
    mcpServers: { coxswain: server },
    allowedTools: ['mcp__coxswain'],
    waitForServers: ['coxswain'],
  });
  const script = place.model.play(agent(cwd));
  expect(await session.send('Ask the other one.').text()).toBe('It said: I am back.');
  script.assertFinished();
  const said = place.model.model.requests.flatMap(({ toolResults }) => toolResults.map((each) => each.text));
  expect(said.join('\n')).toMatch(/Bash: ls[\s\S]*One file\.[\s\S]*Set up\.[\s\S]*"interrupted":true/);
}

describeRealClis(
  'conversations as MCP tools of a real CLI',
  (cli) => {
    test('over stdio', async () => {
      await using place = await realPlace(cli);
      const { root, stateFolder } = await startEmulatedConsole(spokenConversation);
      const args = [resolve('dist/command.js'), 'mcp', '--state', stateFolder];
      const env = { HOME: join(place.folders.home) };
      await talk(place, { type: 'stdio', command: process.execPath, args, env }, root);
    });

    test('over HTTP', async () => {
      await using place = await realPlace(cli);
      const { root, server } = await startEmulatedConsole(spokenConversation);
      const headers = { Authorization: `Bearer ${server.token}` };
      await talk(place, { type: 'http', url: `${server.origin}/mcp`, headers }, root);
    });
  },
  ['2.1.326'],
);
