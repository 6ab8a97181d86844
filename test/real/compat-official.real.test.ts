import { expect, test } from 'vitest';
import { z } from 'zod';
import * as compat from '../../src/entry/compat/index.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { officialSdk } from '../compat/harness/official-sdk.js';
import type { Options, Sdk } from '../compat/harness/program.js';
import { Prompts } from '../compat/harness/stage.js';
import { describeRealClis } from './support/each-real-cli.js';

// The same program on the official SDK and on ours, on a real CLI: the requests to the model show whether both drove it alike.
describeRealClis('a program of the official SDK', (cli) => {
  test('sees the same and sends the model the same as with the original', async ({ skip }) => {
    const official = await officialSdk(skip);
    const theirs = await converse(official, cli);
    const ours = await converse(compat as unknown as Sdk, cli);
    expect(theirs.calls).toEqual(['PreToolUse', 'Bash', 'mcp__clock__time', 'time Rome', 'model set']);
    expect(theirs.asked).toHaveLength(4);
    expect(theirs.asked.at(-1)).toMatchObject({ model: expect.stringContaining('haiku') });
    expect(ours).toEqual(theirs);
  });
});

interface Conversation {
  readonly calls: readonly string[];
  readonly messages: readonly string[];
  readonly asked: readonly unknown[];
}

/** One conversation with a hook, a permission, an in-process tool and another model. */
async function converse(sdk: Sdk, cli: KnownRealCli): Promise<Conversation> {
  const folders = await makeThrowawayFolders();
  await using model = await scriptModel(replyTo);
  const calls: string[] = [];
  const messages: string[] = [];
  const prompts = new Prompts();
  const query = sdk.query({
    prompt: prompts.of('look around', 'who are you?'),
    options: {
      ...programOptions(sdk, calls),
      pathToClaudeCodeExecutable: cli.path,
      cwd: folders.cwd,
      env: scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } }),
    },
  });
  for await (const message of query) {
    messages.push(label(message));
    if (message.type !== 'result') continue;
    if (messages.filter((each) => each.startsWith('result')).length === 1) {
      await query.setModel('haiku');
      calls.push('model set');
    }
    prompts.next();
  }
  const asked = model.requests.filter(({ kind }) => kind === 'main').map(comparable);
  await folders.remove();
  return { calls, messages: messages.filter((each) => !TIMED.has(each)), asked };
}

function programOptions(sdk: Sdk, calls: string[]): Options {
  const time = sdk.tool(
    'time',
    'Tells the time',
    { city: z.string() },
    async ({ city }: { city: string }) => {
      calls.push(`time ${city}`);
      return { content: [{ type: 'text', text: 'Noon.' }] };
    },
  );
  return {
    settingSources: [],
    model: 'sonnet',
    mcpServers: { clock: sdk.createSdkMcpServer({ name: 'clock', tools: [time] }) },
    canUseTool: async (name: string, input: unknown) => {
      calls.push(name);
      return { behavior: 'allow', updatedInput: input };
    },
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            async ({ hook_event_name: event }: WireObject) => {
              calls.push(String(event));
              return { continue: true };
            },
          ],
        },
      ],
    },
  };
}

function replyTo({ userText, toolResults, model }: ModelRequest) {
  if (toolResults.some((result) => result.text.includes('Noon'))) return text('That is all.');
  if (toolResults.length > 0) return toolUse('mcp__clock__time', { city: 'Rome' });
  return userText.includes('look around')
    ? toolUse('Bash', { command: 'touch here' })
    : text(`I am ${model}`);
}

/** The parts of a request to the model that depend on the host. */
function comparable({ model, toolNames, systemLength, messages, parameters }: ModelRequest): unknown {
  const roles = messages.map(({ role }) => role);
  return { model, toolNames, systemLength, roles, parameters: Object.keys(parameters).sort() };
}

function label({ type, subtype }: WireObject): string {
  return subtype === undefined ? String(type) : `${type}/${subtype}`;
}

/** Messages that depend on timing. */
const TIMED = new Set(['rate_limit_event', 'system/api_retry', 'tool_progress']);
