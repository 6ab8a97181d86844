import { text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import {
  FORM_TOOL,
  otherServer,
  PLAIN_TOOL,
  PROCESS_SERVER,
  processServer,
  SLOW_MS,
  slowServer,
} from '../process-server.js';
import { describe, type Reaction, refused, served, unserved } from '../reaction.js';
import { cancelOf, labels, list, message, part, requestOf, rpc, toolOutcomes } from '../reading.js';
import type { RequirementId } from '../requirements/requirements.js';
import { type Answerer, Refusal, type Stage } from '../stage.js';
import { ECHO, SERVER, serverConfig } from '../tool-server.js';
import { type Finding, fail, judge, unsupported } from '../verdict.js';

/** Servers that requests add and remove. */
export const setServers: ProbeGroup = {
  name: 'mcp_set_servers',
  start: { flags: { mcpServers: { ...serverConfig, first: processServer } } },
  probes: [
    probe(
      [
        'mcp-set:process',
        'mcp-set:in-process',
        'mcp-set:replaces-its-own',
        'mcp-set:keeps-processes',
        'mcp-set:keeps-in-process',
      ],
      async (stage) => {
        await stage.turn();
        const added = await stage.request('mcp_set_servers', {
          servers: { [PROCESS_SERVER]: processServer },
        });
        stage.record('answer mcp_set_servers process', part(added, 'value'));
        const from = stage.now;
        const swapped = await stage.request('mcp_set_servers', {
          servers: { second: { type: 'sdk', name: 'second' } },
        });
        stage.record('answer mcp_set_servers in-process', part(swapped, 'value'));
        const greeted = await stage.maybe(rpc('initialize', 'second'), {
          from,
          ms: stage.subject.patience.quietMs,
        });
        const status = await stage.request('mcp_status');
        const names = list(part(status, 'value'), 'mcpServers').map((server) => part(server).name);
        return {
          'mcp-set:process': judge(
            list(part(added, 'value'), 'added').includes(PROCESS_SERVER) &&
              Object.keys(part(added, 'value', 'errors')).length === 0,
            describe(added),
          ),
          'mcp-set:in-process': judge(greeted !== undefined, 'it is not greeted'),
          'mcp-set:replaces-its-own': judge(
            list(part(swapped, 'value'), 'removed').includes(PROCESS_SERVER) &&
              !names.includes(PROCESS_SERVER),
            'it is still there',
          ),
          'mcp-set:keeps-processes': judge(names.includes('first'), 'it is gone'),
          'mcp-set:keeps-in-process': judge(names.includes(SERVER), 'it is gone'),
        };
      },
    ),
    probeOne('mcp-set:failed', async (stage) => {
      const servers = { broken: { command: '/nowhere/server', args: [] } };
      const reaction = await stage.request('mcp_set_servers', { servers });
      stage.record('answer mcp_set_servers failed', part(reaction, 'value'));
      const { broken } = part(reaction, 'value', 'errors');
      return judge(
        list(part(reaction, 'value'), 'added').includes('broken') && typeof broken === 'string',
        describe(reaction),
      );
    }),
  ],
};

/** A server that requests add, remove and add again, without any other. */
export const setAgain: ProbeGroup = {
  name: 'mcp_set_servers again',
  probes: [
    probe(['mcp-set:again', 'mcp-set:resources'], async (stage) => {
      const servers = { [PROCESS_SERVER]: processServer };
      await stage.request('mcp_set_servers', { servers });
      const left = await stage.request('mcp_set_servers', { servers: {} });
      const again = await stage.request('mcp_set_servers', { servers });
      const { frames } = await stage.turn();
      const init = frames.find(message('system', 'init'));
      const row = list(init, 'mcp_servers').find((each) => part(each).name === PROCESS_SERVER);
      return {
        'mcp-set:again': judge(
          list(part(left, 'value'), 'removed').includes(PROCESS_SERVER) &&
            list(part(again, 'value'), 'added').includes(PROCESS_SERVER) &&
            part(row).status === 'connected',
          `${describe(left)}, ${describe(again)}, then it is ${part(row).status}`,
        ),
        'mcp-set:resources': judge(
          list(init, 'tools').includes('ReadMcpResourceTool'),
          'there is no tool to read them',
        ),
      };
    }),
  ],
};

/** A request that lacks its only field. */
export const noServers: ProbeGroup = {
  name: 'mcp_set_servers without servers',
  probes: [
    probeOne('mcp-set:without-servers', async (stage) => refused(await stage.request('mcp_set_servers'))),
  ],
};

/** Servers that requests reconnect, toggle and call. */
export const switchedServers: ProbeGroup = {
  name: 'mcp_reconnect, mcp_toggle, mcp_call',
  start: { flags: { mcpServers: { ...serverConfig, [PROCESS_SERVER]: processServer } } },
  probes: [
    probe(
      [
        'mcp-reconnect:wrong-field',
        'mcp-reconnect:command-line',
        'mcp-reconnect:in-process',
        'mcp-call:process',
        'mcp-call:in-process',
      ],
      async (stage) => {
        await stage.turn();
        const ids = {
          'mcp-reconnect:wrong-field': await stage.sendRequest('mcp_reconnect', {
            server_name: PROCESS_SERVER,
          }),
          'mcp-reconnect:in-process': await stage.sendRequest('mcp_reconnect', { serverName: SERVER }),
          'mcp-call:in-process': await stage.sendRequest('mcp_call', { tool: ECHO, arguments: {} }),
          'mcp-call:process': await stage.sendRequest('mcp_call', { tool: PLAIN_TOOL, arguments: {} }),
        };
        const { quietMs, startMs } = stage.subject.patience;
        // A CLI that reacts to the same request without a program knows it; the program may take long to start.
        const patienceFor = async (id: keyof typeof ids) =>
          (await stage.reactionTo(ids[id], quietMs)).kind === 'silent' ? 3 * quietMs : startMs;
        const callMs = await patienceFor('mcp-call:in-process');
        const called = await stage.reactionTo(ids['mcp-call:process'], callMs);
        const reconnectMs = await patienceFor('mcp-reconnect:wrong-field');
        const last = await stage.request('mcp_reconnect', { serverName: PROCESS_SERVER }, reconnectMs);
        const reaction = (id: keyof typeof ids) => stage.reactionTo(ids[id], 0);
        return {
          'mcp-reconnect:wrong-field': refused(await reaction('mcp-reconnect:wrong-field')),
          'mcp-reconnect:command-line': served(last),
          'mcp-reconnect:in-process': served(await reaction('mcp-reconnect:in-process')),
          'mcp-call:process': served(called),
          'mcp-call:in-process': served(await reaction('mcp-call:in-process')),
        };
      },
    ),
    probe(['mcp-toggle:status', 'mcp-toggle:greeted-again'], async (stage) => {
      const off = await toggle(stage, false);
      if (off.kind !== 'success') {
        return { 'mcp-toggle:status': unserved(off), 'mcp-toggle:greeted-again': unserved(off) };
      }
      const status = await stage.request('mcp_status');
      const server = list(part(status, 'value'), 'mcpServers').find((each) => part(each).name === SERVER);
      const from = stage.now;
      await toggle(stage, true);
      const greeted = await stage.maybe(rpc('initialize', SERVER), {
        from,
        ms: stage.subject.patience.quietMs,
      });
      return {
        'mcp-toggle:status': judge(part(server).status === 'disabled', `it is ${part(server).status}`),
        'mcp-toggle:greeted-again': judge(greeted !== undefined, 'it is not'),
      };
    }),
  ],
};

/** A command-line server that requests remove. */
export const takenServers: ProbeGroup = {
  name: 'a server of the command line',
  start: { flags: { mcpServers: { [PROCESS_SERVER]: processServer } } },
  apart: true,
  probes: [
    probeOne('mcp-set:takes-over', async (stage) => {
      await serverReady(stage);
      const before = await called(stage);
      const taken = await stage.request('mcp_set_servers', { servers: { [PROCESS_SERVER]: otherServer } });
      if (taken.kind !== 'success') return unserved(taken);
      await serverReady(stage);
      const replaced = await called(stage);
      await stage.request('mcp_set_servers', { servers: {} });
      const dropped = await called(stage);
      const words = `it said ${before}, then ${replaced}, then ${dropped}`;
      return judge(before === 'plain' && replaced === 'other' && dropped === undefined, words);
    }),
    probeOne('mcp-toggle:stops-calls', async (stage) => {
      await serverReady(stage);
      const before = await called(stage);
      // Some CLIs forget a renewed connection: it stays, whatever is disabled.
      await stage.request('mcp_reconnect', { serverName: PROCESS_SERVER });
      await serverReady(stage);
      const off = await stage.request('mcp_toggle', { serverName: PROCESS_SERVER, enabled: false });
      if (off.kind !== 'success') return unserved(off);
      const stopped = await called(stage);
      await stage.request('mcp_toggle', { serverName: PROCESS_SERVER, enabled: true });
      await serverReady(stage);
      const again = await called(stage);
      const words = `it said ${before}, then ${stopped}, then ${again}`;
      return judge(before === 'plain' && stopped === undefined && again === 'plain', words);
    }),
  ],
};

/** A server that is disabled while it is still connecting. */
export const connectingServer: ProbeGroup = {
  name: 'a server that takes a while to connect',
  start: { flags: { mcpServers: { [PROCESS_SERVER]: slowServer } } },
  probes: [
    probeOne('mcp-toggle:while-connecting', async (stage) => {
      const off = await stage.request('mcp_toggle', { serverName: PROCESS_SERVER, enabled: false });
      if (off.kind !== 'success') return unserved(off);
      // If it comes back, it is up by then.
      await stage.quiet(SLOW_MS + stage.subject.patience.quietMs);
      return judge((await called(stage)) === undefined, 'it is called');
    }),
  ],
};

/** The server's answer to a tool call in a turn; undefined if the call does not reach it. */
async function called(stage: Stage): Promise<string | undefined> {
  const { frames } = await stage.turn([{ type: 'tool_use', name: PLAIN_TOOL, input: {} }, text('done')]);
  return toolOutcomes(frames).find(({ isError }) => !isError)?.text;
}

/** Waits until the stdio server is connected: newer CLIs start turns without a slow one. */
async function serverReady(stage: Stage): Promise<void> {
  const { quietMs, startMs } = stage.subject.patience;
  const deadline = performance.now() + startMs;
  while (performance.now() < deadline) {
    const status = await stage.request('mcp_status', {}, quietMs);
    const row = list(part(status, 'value'), 'mcpServers').find((each) => part(each).name === PROCESS_SERVER);
    if (part(row).status !== 'pending') return;
    await stage.quiet(100);
  }
}

/** Forms of a stdio server. */
export const forms: ProbeGroup = {
  name: 'forms',
  start: { flags: { mcpServers: { [PROCESS_SERVER]: processServer } } },
  probes: [
    formProbe('elicitation:form', () => ({ action: 'accept', content: { colour: 'red' } }), 'accept'),
    formProbe('elicitation:decline', () => ({ action: 'decline' }), 'decline'),
    formProbe('elicitation:error-answer', () => new Refusal('out of order'), 'cancel'),
    probeOne('elicitation:interrupt', async (stage) => {
      await serverReady(stage);
      const from = stage.now;
      stage.answerWith({ elicitation: () => undefined });
      stage.cli.model.say([callForm, text('done')]);
      await stage.user('go');
      const asked = await stage.maybe((frame) => requestOf('elicitation')(frame) || frame.type === 'result', {
        from,
      });
      if (asked === undefined || asked.type === 'result') return unsupported('the host is not asked');
      await stage.request('interrupt');
      await stage.result(from);
      return judge(stage.since(from).some(cancelOf(asked.request_id)), labels(stage.since(from)));
    }),
  ],
};

const callForm = { type: 'tool_use', name: FORM_TOOL, input: {} } as const;

function formProbe(id: RequirementId, answer: Answerer, wanted: string): Probe {
  return probeOne(id, async (stage): Promise<Finding> => {
    await serverReady(stage);
    stage.answerWith({ elicitation: answer });
    const { frames } = await stage.turn([callForm, text('done')]);
    const asked = frames.find(requestOf('elicitation'));
    const [outcome] = toolOutcomes(frames);
    if (asked === undefined) return unsupported(`the server got: ${outcome?.text}`);
    stage.record('request elicitation', part(asked, 'request'));
    return outcome?.text.includes(wanted) ? judge(true, '') : fail(`the server got: ${outcome?.text}`);
  });
}

function toggle(stage: Stage, enabled: boolean): Promise<Reaction> {
  return stage.request('mcp_toggle', { serverName: SERVER, enabled }, stage.subject.patience.quietMs);
}
