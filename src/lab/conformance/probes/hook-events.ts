import { apiError, text, toolUse } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe } from '../probe.js';
import { hookOf, message, part } from '../reading.js';
import { type EventId, probedEvents } from '../requirements/hook-requirements.js';
import type { Stage } from '../stage.js';
import { answerRpc, callEcho, rpcError, serverConfig } from '../tool-server.js';
import { type Finding, judge } from '../verdict.js';

/** Every event that one conversation can fire. */
export const hookEvents: ProbeGroup = {
  name: 'hook events',
  start: { flags: { mcpServers: serverConfig } },
  initialize: {
    agents: { helper: { description: 'Helps.', prompt: 'Help.' } },
    hooks: Object.fromEntries(probedEvents.map((event) => [event, [{ hookCallbackIds: [event] }]])),
  },
  probes: [eventsProbe()],
};

function eventsProbe(): Probe {
  const cites = probedEvents.map((event): EventId => `hook-event:${event}`);
  return probe(cites, async (stage) => {
    await converse(stage);
    const findings: Partial<Record<EventId, Finding>> = {};
    for (const event of probedEvents) {
      const fired = stage.frames.find(hookOf(event));
      if (fired !== undefined) stage.record(`request hook_callback ${event}`, part(fired, 'request'));
      findings[`hook-event:${event}`] = judge(fired !== undefined, 'it was not asked');
    }
    return findings as Record<EventId, Finding>;
  });
}

async function converse(stage: Stage): Promise<void> {
  await stage.turn([callEcho('one'), text('done')]);
  stage.answerWith({
    mcp_message: (body) =>
      part(body, 'message').method === 'tools/call' ? rpcError(body, 'call boom') : answerRpc(body),
  });
  await stage.turn([callEcho('two'), text('done')]);
  stage.resetAnswers();
  const offered = stage.cli.model.calls.at(-1)?.toolNames ?? [];
  const agent = { description: 'Help', prompt: 'Help.', subagent_type: 'helper' };
  const from = stage.now;
  await stage.turn([toolUse(offered.includes('Agent') ? 'Agent' : 'Task', agent)]);
  await agentDone(stage, from);
  const place = stage.now;
  await stage.user('/compact');
  await stage.next(message('result'), { from: place });
  await stage.turn(Array.from({ length: 12 }, () => apiError(400)));
}

/** Waits for the end of the agent; if it ran in the background, an unrequested turn follows. */
async function agentDone(stage: Stage, from: number): Promise<void> {
  await stage.maybe(hookOf('SubagentStop'), { from });
  const frames = stage.since(from);
  const stopped = frames.findIndex(hookOf('SubagentStop'));
  const ended = frames.findIndex(message('result'));
  if (stopped > ended) await stage.maybe(message('result'), { from: from + stopped });
  await stage.quiet();
}
