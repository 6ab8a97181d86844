import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { createSdkMcpServer } from '../../src/entry/compat/mcp/official-server.js';
import { tool } from '../../src/entry/compat/mcp/official-tool.js';
import { query } from '../../src/entry/compat/query/query.js';
import type { Options } from '../../src/entry/compat/types/option-types.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

describeRealClis('a program of the official SDK', (cli) => {
  let place: RealPlace;

  beforeAll(async () => {
    place = await realPlace(cli);
  });

  afterAll(() => place?.[Symbol.asyncDispose]());

  function options(own: Options = {}): Options {
    const { env = {}, cwd } = place.options();
    return {
      pathToClaudeCodeExecutable: cli.path,
      ...(cwd === undefined ? {} : { cwd }),
      env,
      settingSources: [],
      model: 'sonnet',
      ...own,
    };
  }

  test('sends prompts, answers permissions, serves a tool, and is resumed', async () => {
    const script = place.model.play([
      toolUse('Bash', { command: 'mkdir made && echo from-the-shell' }),
      { when: { toolResult: 'from-the-shell' }, reply: toolUse('mcp__clock__time', { city: 'Rome' }) },
      { when: { toolResult: 'Noon in Rome' }, reply: text('All done.') },
    ]);
    const asked: unknown[] = [];
    const clock = createSdkMcpServer({
      name: 'clock',
      tools: [
        tool('time', 'Tells the time', { city: z.string() }, async ({ city }) => ({
          content: [{ type: 'text', text: `Noon in ${city}` }],
        })),
      ],
    });
    const run = query({
      prompt: 'Go ahead',
      options: options({
        mcpServers: { clock },
        canUseTool: async (name) => {
          asked.push(name);
          return { behavior: 'allow' };
        },
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                async ({ hook_event_name: event }) => {
                  asked.push(event);
                  return {};
                },
              ],
            },
          ],
        },
      }),
    });
    const seen: unknown[] = [];
    let sessionId = '';
    for await (const message of run) {
      seen.push(message.type);
      if (message.type === 'result') {
        expect(message).toMatchObject({ subtype: 'success', result: 'All done.' });
        sessionId = message.session_id;
      }
    }
    script.assertFinished();
    expect(asked).toEqual(['PreToolUse', 'Bash', 'mcp__clock__time']);
    expect(seen).toContain('assistant');
    await expectResumed(sessionId);
  });

  async function expectResumed(sessionId: string): Promise<void> {
    const script = place.model.play([text('Still here.')]);
    const results: unknown[] = [];
    for await (const message of query({ prompt: 'Are you?', options: options({ resume: sessionId }) }))
      if (message.type === 'result') results.push([message.session_id, message.subtype]);
    script.assertFinished();
    expect(results).toEqual([[sessionId, 'success']]);
  }

  test('changes the model between two messages of an iterable', async () => {
    const script = place.model.play([text('One.'), text('Two.')]);
    let goOn = () => {};
    async function* prompts() {
      for (const content of ['one', 'two']) {
        const answered = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield {
          type: 'user' as const,
          message: { role: 'user' as const, content },
          parent_tool_use_id: null,
        };
        await answered;
      }
    }
    const run = query({ prompt: prompts(), options: options() });
    const models: unknown[] = [];
    for await (const message of run) {
      if (message.type === 'system' && message.subtype === 'init') models.push(message.model);
      if (message.type !== 'result') continue;
      if (models.length === 1) await run.setModel('haiku');
      goOn();
    }
    script.assertFinished();
    expect(models).toEqual([expect.not.stringContaining('haiku'), expect.stringContaining('haiku')]);
  });

  test('leaves the loop and gets control back, and the process ends afterwards', async () => {
    place.model.play([text('Never read.')]);
    const run = query({ prompt: 'Hello', options: options() });
    for await (const message of run) if (message.type === 'system') break;
    expect(await run.next()).toEqual({ done: true, value: undefined });
    await run[Symbol.asyncDispose]();
    await expect(run.setModel('haiku')).rejects.toThrow('Query closed before response received');
  });

  test('gets an immediate error for a request that the CLI does not know, or its answer', async () => {
    const silence = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const run = query({ prompt: silence, options: options() });
    await run.initializationResult();
    const usage = run.getContextUsage();
    if (cli.version === '2.1.326') await expect(usage).resolves.toHaveProperty('categories');
    else await expect(usage).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    await run[Symbol.asyncDispose]();
  });
});
