import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { served } from '../reaction.js';
import { bodyOf, labels, list, message, part, requestOf, rpc, toolOutcomes } from '../reading.js';
import { type Answerer, Refusal, type Stage } from '../stage.js';
import { answerRpc, callEcho, ECHO, rpcError, SERVER, serverConfig } from '../tool-server.js';
import { fail, judge } from '../verdict.js';

/** How an in-process server is initialized and called. */
export const greetings: ProbeGroup = {
  name: 'in-process servers',
  initialize: false,
  start: { flags: { mcpServers: { [SERVER]: { type: 'sdk', name: 'another-name' } } } },
  probes: [
    probe(['mcp:greeted-at-start', 'mcp:name-is-key'], async (stage) => {
      const greeting = await stage.maybe(rpc('initialize'), { ms: stage.subject.patience.startMs });
      const body = part(greeting, 'request');
      stage.record('request mcp_message initialize', body);
      return {
        'mcp:greeted-at-start': judge(greeting !== undefined, 'it is not greeted'),
        'mcp:name-is-key': judge(body.server_name === SERVER, `it is called ${body.server_name}`),
      };
    }),
    probe(
      [
        'mcp:greeting-order',
        'mcp:tools-named',
        'mcp-status:connected',
        'mcp-status:tools',
        'mcp:no-resources',
      ],
      async (stage) => {
        await stage.request('initialize', { sdkMcpServers: [SERVER] }, stage.subject.patience.startMs);
        const { frames } = await stage.turn();
        const status = await stage.request('mcp_status');
        const [server] = list(part(status, 'value'), 'mcpServers');
        stage.record('answer mcp_status in-process', part(status, 'value'));
        const methods = stage.frames.map((frame) => part(frame, 'request', 'message').method).filter(Boolean);
        const init = frames.find(message('system', 'init'));
        return {
          'mcp:greeting-order': judge(
            methods.slice(0, 3).join() === 'initialize,notifications/initialized,tools/list',
            methods.join(', '),
          ),
          'mcp:tools-named': judge(list(init, 'tools').includes(ECHO), 'they are not listed'),
          'mcp-status:connected': judge(part(server).status === 'connected', `it is ${part(server).status}`),
          'mcp-status:tools': judge(
            list(server, 'tools').some((tool) => part(tool).name === 'echo'),
            'they are not listed',
          ),
          'mcp:no-resources': judge(
            !methods.includes('resources/list') && !methods.includes('prompts/list'),
            methods.join(', '),
          ),
        };
      },
    ),
    probe(['mcp:tool-call', 'mcp:tool-result'], async (stage) => {
      const { frames } = await stage.turn([callEcho('one'), text('done')]);
      const call = frames.find(rpc('tools/call'));
      stage.record('request mcp_message tools/call', part(call, 'request'));
      const params = part(call, 'request', 'message', 'params');
      const [outcome] = toolOutcomes(frames);
      return {
        'mcp:tool-call': judge(
          part(params, 'arguments').text === 'one' &&
            typeof part(params, '_meta')['claudecode/toolUseId'] === 'string',
          'the arguments or the id are missing',
        ),
        'mcp:tool-result': judge(outcome?.text.includes('echo: one') === true, 'it does not'),
      };
    }),
    probeOne('mcp:tool-error', async (stage) => {
      const [outcome] = await calling(stage, (body) => rpcError(body, 'call boom'));
      return judge(outcome?.isError === true && outcome.text.includes('call boom'), 'it is not an error');
    }),
    probeOne('mcp:tool-is-error', async (stage) => {
      const [outcome] = await calling(stage, (body) => {
        const { id } = part(body, 'message');
        const result = { content: [{ type: 'text', text: 'broken' }], isError: true };
        return { mcp_response: { jsonrpc: '2.0', id, result } };
      });
      return judge(outcome?.isError === true && outcome.text.includes('broken'), 'it is not an error');
    }),
    probeOne('mcp:interrupt', async (stage) => {
      const from = stage.now;
      stage.answerWith({
        mcp_message: (body) => (part(body, 'message').method === 'tools/call' ? undefined : answerRpc(body)),
      });
      stage.cli.model.say([callEcho('one'), text('done')]);
      await stage.user('go');
      await stage.next(rpc('tools/call'), { from });
      await stage.request('interrupt');
      await stage.result(from);
      await stage.maybe(rpc('notifications/cancelled'), { from, ms: stage.subject.patience.quietMs });
      const frames = stage.since(from);
      if (frames.some(message('control_cancel_request'))) return fail('the request is withdrawn');
      return judge(frames.some(rpc('notifications/cancelled')), labels(frames));
    }),
  ],
};

/** What servers report about themselves. */
export const serverWordProbes: readonly Probe[] = [
  probe(['mcp:ping', 'mcp:roots-refused', 'mcp:list-changed', 'mcp:unknown-server'], async (stage) => {
    await stage.turn();
    const from = stage.now;
    const ping = await stage.request('mcp_message', fromServer({ id: 'ping-1', method: 'ping' }));
    const roots = await stage.request('mcp_message', fromServer({ id: 'roots-1', method: 'roots/list' }));
    const changed = { method: 'notifications/tools/list_changed' };
    await stage.request('mcp_message', fromServer(changed));
    const unknown = await stage.request('mcp_message', { ...fromServer(changed), server_name: 'nobody' });
    await stage.maybe(rpc('tools/list'), { from, ms: stage.subject.patience.quietMs });
    const answerTo = (id: string) =>
      stage
        .since(from)
        .map((frame) => part(bodyOf(frame), 'message'))
        .find((sent) => sent.id === id);
    stage.record('request mcp_message answer', answerTo('ping-1'));
    const pinged = isObject(answerTo('ping-1')?.result) && answerTo('ping-1')?.method === undefined;
    return {
      'mcp:ping': pinged ? served(ping) : fail('there is no answer'),
      'mcp:roots-refused':
        part(answerTo('roots-1'), 'error').code === -32_601 ? served(roots) : fail('there is no such error'),
      'mcp:list-changed': judge(stage.since(from).some(rpc('tools/list')), 'it is not asked'),
      'mcp:unknown-server': served(unknown),
    };
  }),
];
/** Servers that answer the initialization incorrectly. */
export const failingServers: ProbeGroup = {
  name: 'failing in-process servers',
  initialize: false,
  apart: true,
  start: { flags: { mcpServers: serverConfig } },
  probes: [
    probeOne('mcp:greeting-error', async (stage) => {
      const status = await greetedWith(stage, 'initialize', (body) => rpcError(body, 'no'));
      return judge(status.status === 'failed', `it is ${status.status}`);
    }),
    probeOne('mcp:tools-error', async (stage) => {
      const status = await greetedWith(stage, 'tools/list', (body) => rpcError(body, 'no'));
      return judge(
        status.status === 'connected' && list(status, 'tools').length === 0,
        `it is ${status.status}`,
      );
    }),
    probeOne('mcp:notification-error', async (stage) => {
      const status = await greetedWith(stage, 'notifications/initialized', () => new Refusal('no'));
      return judge(status.status === 'failed', `it is ${status.status}`);
    }),
    probe(['mcp:notification-any-answer', 'mcp:old-protocol'], async (stage) => {
      const status = await greetedWith(stage, 'notifications/initialized', () => ({}), '2024-11-05');
      const finding = judge(status.status === 'connected', `it is ${status.status}`);
      return { 'mcp:notification-any-answer': finding, 'mcp:old-protocol': finding };
    }),
    probeOne('mcp:named-twice', async (stage) => {
      await stage.request('initialize', { sdkMcpServers: [SERVER] }, stage.subject.patience.startMs);
      await stage.turn();
      const count = stage.frames.filter(rpc('initialize')).length;
      return judge(count === 1, `it is greeted ${count} times`);
    }),
  ],
};

/** A server that only the handshake names. */
export const lateServer: ProbeGroup = {
  name: 'a server of the handshake',
  initialize: { sdkMcpServers: [SERVER] },
  probes: [
    probeOne('mcp:greeted-at-handshake', async (stage) => {
      const greeted = await stage.maybe(rpc('initialize'), { ms: stage.subject.patience.quietMs });
      return judge(greeted !== undefined, 'it is greeted later');
    }),
  ],
};

/** Servers that do not answer. */
export const muteGreetings: ProbeGroup = {
  name: 'mute in-process servers',
  initialize: false,
  apart: true,
  start: { flags: { mcpServers: serverConfig }, env: { MCP_TIMEOUT: '2500' } },
  probes: [
    probe(['mcp:unanswered-greeting', 'mcp-status:being-greeted', 'mcp:timeout-variable'], async (stage) => {
      stage.answerWith({ mcp_message: () => undefined });
      await stage.request('initialize', {}, stage.subject.patience.startMs);
      await stage.user('go');
      const meanwhile = await stage.quiet(shortOfTimeout(stage));
      const status = await stage.request('mcp_status');
      const begun = await stage.maybe(message('system', 'init'), { ms: 6_000 });
      return {
        'mcp:unanswered-greeting': judge(!meanwhile.some(message('system', 'init')), 'the turn begins'),
        'mcp-status:being-greeted': judge(
          list(part(status, 'value'), 'mcpServers').length === 0,
          'it is listed',
        ),
        'mcp:timeout-variable': judge(begun !== undefined, 'the turn does not begin'),
      };
    }),
    probeOne('mcp:unanswered-notification', async (stage) => {
      stage.answerWith({
        mcp_message: (body) => (part(body, 'message').id === undefined ? undefined : answerRpc(body)),
      });
      await stage.request('initialize', {}, stage.subject.patience.startMs);
      await stage.user('go');
      const meanwhile = await stage.quiet(shortOfTimeout(stage));
      return judge(!meanwhile.some(message('system', 'init')), 'the turn begins');
    }),
  ],
};

/** Ends before the server may be given up. */
function shortOfTimeout({ subject }: Stage): number {
  return Math.min(subject.patience.quietMs, 2_000);
}

/** A server that the command line does not name in full. */
export const namelessServer: ProbeGroup = {
  name: 'a nameless server',
  initialize: false,
  start: { flags: { mcpServers: { [SERVER]: { type: 'sdk' } } } },
  probes: [
    probe(['mcp:missing-name', 'mcp:missing-name-told'], async (stage) => {
      const reaction = await stage.request('initialize', {}, stage.subject.patience.startMs);
      if (reaction.kind !== 'success') {
        const exit = stage.ended;
        return {
          'mcp:missing-name': served(reaction),
          'mcp:missing-name-told': judge(exit?.code === 1 && exit.stderr !== '', 'it ends silently'),
        };
      }
      const { frames } = await stage.turn();
      const errors = list(frames.find(message('system', 'init')), 'mcp_server_errors');
      return {
        'mcp:missing-name': judge(errors.length > 0, 'nothing is said'),
        'mcp:missing-name-told': judge(!stage.frames.some(requestOf('mcp_message')), 'it is greeted'),
      };
    }),
  ],
};

/** Makes the model call the echo tool of a server that answers calls like this. */
async function calling(stage: Stage, answer: Answerer) {
  stage.answerWith({
    mcp_message: (body, id) =>
      part(body, 'message').method === 'tools/call' ? answer(body, id) : answerRpc(body),
  });
  return toolOutcomes((await stage.turn([callEcho('one'), text('done')])).frames);
}

/** Runs a turn with a server that answers one method in its own way; returns the server's status. */
async function greetedWith(
  stage: Stage,
  method: string,
  answer: Answerer,
  protocolVersion?: string,
): Promise<WireObject> {
  stage.answerWith({
    mcp_message: (body, id) =>
      part(body, 'message').method === method
        ? answer(body, id)
        : answerRpc(withVersion(body, protocolVersion)),
  });
  await stage.request('initialize', {}, stage.subject.patience.startMs);
  await stage.turn();
  const status = await stage.request('mcp_status');
  return part(list(part(status, 'value'), 'mcpServers')[0]);
}

function withVersion(body: WireObject, protocolVersion: string | undefined): WireObject {
  if (protocolVersion === undefined) return body;
  const sent = part(body, 'message');
  return { ...body, message: { ...sent, params: { ...part(sent, 'params'), protocolVersion } } };
}

function fromServer(sent: WireObject): WireObject {
  return { server_name: SERVER, message: { jsonrpc: '2.0', ...sent } };
}
