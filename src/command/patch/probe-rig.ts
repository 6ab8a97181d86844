import { openSession } from '../../entry/sdk/open-session.js';
import type { Session } from '../../host/session/session.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import { type MessageReply, text, toolUse } from '../../lab/testing/model/replies.js';
import type { ReplyFunction } from '../../lab/testing/model/script.js';
import { scriptModel } from '../../lab/testing/model/script-model.js';
import type { ScriptedModel } from '../../lab/testing/model/scripted-model.js';
import { scrubbedEnvironment } from '../../lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../lab/testing/real-cli/throwaway-folders.js';

/** A patched copy that runs offline against a scripted model, without the user's configuration. */
export interface ProbeRig extends AsyncDisposable {
  readonly model: ScriptedModel;
  /** Answers the model's requests from now on. */
  answer(reply: ReplyFunction): void;
  open(options?: SessionOptions): Promise<Session>;
  /** Makes the model call the probe server's tool; returns what the tool said. */
  callTool(session: Session): Promise<string>;
}

/** Sets up a {@link ProbeRig} for a copy. */
export async function probeRig(cli: string): Promise<ProbeRig> {
  const folders = await makeThrowawayFolders();
  let current: ReplyFunction = () => text('Aye.');
  const model = await scriptModel((request) => current(request));
  const answer = (reply: ReplyFunction): void => {
    current = reply;
  };
  const env = scrubbedEnvironment({ home: folders.home, tmp: folders.tmp, modelUrl: model.url });
  const base: SessionOptions = {
    cli,
    cwd: folders.cwd,
    env,
    envMode: 'replace',
    settingSources: [],
    model: 'sonnet',
    allowedTools: [PROBE_TOOL, 'Task', 'Bash(sleep:*)'],
  };
  return {
    model,
    answer,
    open: (options = {}) => openSession({ ...base, ...options }),
    callTool: async (session) => {
      answer(
        ({ toolResults }): MessageReply =>
          reply(toolResults.length === 0 ? toolUse(PROBE_TOOL) : text('Done.')),
      );
      await session.send('call it').text();
      return model.requests.findLast(({ toolResults }) => toolResults.length > 0)?.toolResults[0]?.text ?? '';
    },
    [Symbol.asyncDispose]: async () => {
      await model.close();
      await folders.remove();
    },
  };
}

function reply(block: MessageReply['content'][number]): MessageReply {
  return { content: [block] };
}

/** An MCP server for probes, as a program for `node -e`: its only tool returns the process id. */
const PROGRAM = `
const tool = { name: 'whoami', description: 'Returns the process id', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'pid', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'pid ' + process.pid }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const make = results[method];
  const answer = make ? { result: make(params) } : { error: { code: -32601, message: 'unknown method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});`;

/** How to reach the probes' MCP server. */
const probeServer = { command: process.execPath, args: ['-e', PROGRAM] };

/** The server used by probes, passed on the command line. */
export const probeServers = { probe: probeServer };

/** Its tool, as the model names it. */
const PROBE_TOOL = 'mcp__probe__whoami';
