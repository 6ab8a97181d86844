import { expect, test } from 'vitest';
import { query } from '../../src/entry/compat/query/query.js';
import type { SDKUserMessage } from '../../src/entry/compat/types/message-types.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { publishedClis } from './support/published-clis.js';
import { realPlace } from './support/real-session.js';
import { pidServer } from './support/tool-turn.js';

const install = publishedClis();

test('on CLI 2.1.71, a server that a query has disabled can still be called', {
  timeout: 180_000,
}, async () => {
  const cli = await install('2.1.71');
  await using place = await realPlace(cli);
  const { env = {}, cwd = '' } = place.options();
  const script = place.model.play([
    { when: 'call it', reply: toolUse('mcp__pid__whoami', {}) },
    { when: { toolResult: /^pid \d+/ }, reply: text('It answered.') },
  ]);
  const disabled = deferred<void>();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    await disabled.promise;
    yield {
      type: 'user',
      message: { role: 'user', content: 'call it' },
      parent_tool_use_id: null,
    };
  }
  const run = query({
    prompt: prompts(),
    options: {
      pathToClaudeCodeExecutable: cli.path,
      cwd,
      env,
      settingSources: [],
      model: 'sonnet',
      mcpServers: { pid: pidServer },
      allowedTools: ['mcp__pid__whoami'],
    },
  });
  await run.toggleMcpServer('pid', false);
  disabled.resolve();
  const results: unknown[] = [];
  for await (const message of run) if (message.type === 'result') results.push(message.subtype);
  expect(results).toEqual(['success']);
  script.assertFinished();
  // The main entry point refuses what has no effect.
  await using session = await place.open({ mcpServers: { pid: pidServer } });
  await expect(session.mcp.disable('pid')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
});
