import { describe, expect, test } from 'vitest';
import { factAt } from '../../../../../src/host/cli/ledger/facts.js';
import { readLedger } from '../../../../../src/host/cli/ledger/ledger.js';
import { rateLimitEvent } from '../../../../../src/lab/testing/builders/system.js';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { handlers } from '../../../../../src/lab/testing/emulator/requests/handlers.js';
import { onUser } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import {
  elicit,
  hook,
  mcpMessage,
  mcpTool,
} from '../../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { apiFailure, fail } from '../../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { endTask, startTask } from '../../../../../src/lab/testing/emulator/steps/task-steps.js';
import { askQuestion, question, useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { traitsOf } from '../../../../../src/lab/testing/emulator/versions/traits.js';
import { thinking } from '../../../../../src/lab/testing/model/replies.js';
import { hostRequests } from '../../../../../src/wire/protocol/catalog/catalog.js';
import { checkFrame, formatIssue } from '../../../../../src/wire/protocol/catalog/check.schemas.js';
import { isObject, type WireObject } from '../../../../../src/wire/protocol/frames.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';
import { inProcessServer } from '../../../../support/in-process-server.js';
import { testedVersions } from '../../../../support/tested-versions.js';

const everything = [
  onUser([
    say([thinking('hm'), { type: 'text', text: 'Sure' }]),
    useTool('Bash', { command: 'ls' }, { ask: true, result: 'a b' }),
    useTool('Write', { file_path: 'a', content: 'b' }, { ask: true, result: 'written' }),
    mcpTool('clock', 'now', {}, { ask: true }),
    askQuestion(question('Which?', ['A', 'B'])),
    mcpMessage('clock', { id: 9, method: 'ping' }),
    elicit('files', 'Your name?'),
    hook('Notification', { message: 'hello', notification_type: 'idle' }),
    send(rateLimitEvent()),
    startTask('task1', { toolUseId: 'toolu_1' }),
    endTask('task1'),
  ]),
  onUser([fail('error_max_turns')]),
  onUser([apiFailure({ error: 'rate_limit', status: 429 })]),
];

const hooks = Object.fromEntries(
  ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'Notification', 'PermissionRequest'].map(
    (event, index) => [event, [{ hookCallbackIds: [`hook_${index}`] }]],
  ),
);

describe.each(testedVersions)('the output of %s', (version) => {
  test('is in the catalog, with every key', async () => {
    const options = { version, partialMessages: true, replayUserMessages: true, strict: false };
    const cli = emulateCli(everything, options);
    const host = new EmulatedHost(cli);
    host.onRequest(answerAnything);
    const subtypes = new Map<unknown, string>();
    for (const subtype of servedBy(version)) {
      if (subtype === 'end_session') continue;
      subtypes.set(
        await host.request(subtype, subtype === 'initialize' ? { hooks, sdkMcpServers: ['clock'] } : sample),
        subtype,
      );
    }
    for (const text of ['one', 'two', 'three']) {
      await host.user(text, { uuid: text });
      await host.next((frame) => frame.type === 'result');
    }
    await host.close();
    expect(host.labels).toEqual(
      expect.arrayContaining(['ask can_use_tool', 'ask hook_callback', 'stream_event']),
    );
    const issues = host.frames.flatMap((frame) => issuesOf(frame, subtypes));
    expect(issues).toEqual([]);
    cli.assertFinished();
  });

  test('answers exactly the requests that real CLIs were seen to serve', () => {
    const isServed = (name: string) =>
      !['silent', 'unknown'].includes(factAt(readLedger(), `request:${name}`, version) ?? '');
    expect([...servedBy(version)].toSorted()).toEqual(Object.keys(hostRequests).filter(isServed).toSorted());
  });
});

/** Parameters that work for every request that needs some. */
const sample = {
  mode: 'default',
  model: 'opus',
  servers: {},
  user_message_id: 'one',
  serverName: 'clock',
  enabled: true,
  path: 'a.txt',
  title: 'A title',
  task_id: 'x',
  settings: {},
  question: 'why?',
  tool: 'mcp__clock__now',
  uri: 'ui://x',
  directory: '/elsewhere',
};

function issuesOf(frame: WireObject, subtypes: ReadonlyMap<unknown, string>): string[] {
  const id = isObject(frame.response) ? frame.response.request_id : undefined;
  const answerTo = subtypes.get(id);
  const issues = checkFrame(frame, { from: 'cli', ...(answerTo === undefined ? {} : { answerTo }) });
  const what =
    answerTo ?? `${frame.type}/${frame.subtype ?? (isObject(frame.request) ? frame.request.subtype : '')}`;
  return issues.map((issue) => `${what}: ${formatIssue(issue)}`);
}

function answerAnything(body: WireObject): unknown {
  switch (body.subtype) {
    case 'can_use_tool':
      return { behavior: 'allow', updatedInput: body.input };
    case 'mcp_message':
      return { mcp_response: inProcessServer(body.message) };
    case 'elicitation':
      return { action: 'decline' };
    default:
      return {};
  }
}

function servedBy(version: string): readonly string[] {
  return Object.keys(handlers).filter((subtype) => traitsOf(version).serves(subtype));
}
