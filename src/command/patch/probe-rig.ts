import { openSession } from '../../entry/sdk/open-session.js';
import type { Session } from '../../host/session/session.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import { type MessageReply, text, toolUse } from '../../lab/testing/model/replies.js';
import type { ReplyFunction } from '../../lab/testing/model/script.js';
import { scriptModel } from '../../lab/testing/model/script-model.js';
import type { ScriptedModel } from '../../lab/testing/model/scripted-model.js';
import { scrubbedEnvironment } from '../../lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../lab/testing/real-cli/throwaway-folders.js';
import { type ProbeServer, probeServer } from './probe-server.js';

/** A patched copy that runs offline against a scripted model, without the user's configuration. */
export interface ProbeRig extends AsyncDisposable {
  readonly model: ScriptedModel;
  /** The server `probe` of a session that is opened with it. */
  readonly server: ProbeServer;
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
    server: probeServer(folders.tmp),
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

/** The tool of the probe server, as the model names it. */
const PROBE_TOOL = 'mcp__probe__whoami';
