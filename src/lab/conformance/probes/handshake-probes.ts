import { isObject } from '../../../wire/protocol/frames.js';
import { text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { muteServer } from '../process-server.js';
import { describe, served } from '../reaction.js';
import { labels, list, message, part, requestOf, rpc } from '../reading.js';
import type { Stage } from '../stage.js';
import { callEcho, SERVER, serverConfig } from '../tool-server.js';
import { fail, judge, pass } from '../verdict.js';

const agents = { helper: { description: 'Helps.', prompt: 'Help.' } };

/** A handshake and two turns, from the first line. */
export const firstWords: ProbeGroup = {
  name: 'first words',
  initialize: false,
  start: { flags: { sessionId: '22222222-2222-4222-8222-222222222222' } },
  probes: [
    probe(['handshake:silent-start', 'envelope:before-initialize'], async (stage) => {
      const said = await stage.quiet();
      const status = await stage.request('mcp_status', {}, stage.subject.patience.startMs);
      return {
        'handshake:silent-start': judge(said.length === 0, `it said ${labels(said)}`),
        'envelope:before-initialize': served(status),
      };
    }),
    probe(
      [
        'endpoint:initialize',
        'handshake:five-keys',
        'handshake:no-session-id',
        'handshake:tells-about-itself',
        'handshake:pending-beside',
        'handshake:agents-answered',
        'handshake:mcp-servers-ignored',
        'handshake:unknown-event',
      ],
      async (stage) => {
        const fields = {
          agents,
          mcpServers: { [SERVER]: { type: 'sdk', name: SERVER } },
          hooks: { NoSuchEvent: [{ hookCallbackIds: ['x'] }] },
        };
        const reaction = await stage.request('initialize', fields, stage.subject.patience.startMs);
        if (reaction.kind !== 'success') throw new Error(describe(reaction));
        const { value, envelope } = reaction;
        stage.record('answer initialize', value);
        const status = await stage.request('mcp_status');
        const answer = isObject(value) ? value : {};
        const missing = FIVE_KEYS.filter((key) => !(key in answer));
        const names = list(value, 'agents').map((agent) => part(agent).name);
        const servers = status.kind === 'success' ? list(status.value, 'mcpServers') : [];
        return {
          'endpoint:initialize': pass,
          'handshake:five-keys': judge(missing.length === 0, `missing: ${missing.join(', ')}`),
          'handshake:no-session-id': judge(!('session_id' in answer), 'it has a session_id'),
          'handshake:tells-about-itself': judge(
            ['claude_code_version', 'pid', 'current_permission_mode'].every((key) => key in answer),
            'these keys are missing',
          ),
          'handshake:pending-beside': judge(
            Array.isArray(envelope.pending_permission_requests),
            'there is no such list',
          ),
          'handshake:agents-answered': judge(names.includes('helper'), 'they are not listed'),
          'handshake:mcp-servers-ignored': judge(
            servers.length === 0 && !stage.frames.some(requestOf('mcp_message')),
            'the server was taken over',
          ),
          'handshake:unknown-event': pass,
        };
      },
    ),
    probe(
      [
        'handshake:init-after-message',
        'handshake:init-each-turn',
        'handshake:session-id-flag',
        'handshake:agents',
      ],
      async (stage) => {
        const isInit = message('system', 'init');
        const before = [...(await stage.quiet()), ...stage.frames].some(isInit);
        const first = await stage.turn();
        const second = await stage.turn();
        const init = first.frames.find(isInit) ?? {};
        stage.record('message system/init', init);
        return {
          'handshake:init-after-message': judge(!before && first.frames.some(isInit), labels(first.frames)),
          'handshake:init-each-turn': judge(second.frames.some(isInit), labels(second.frames)),
          'handshake:session-id-flag': judge(
            init.session_id === '22222222-2222-4222-8222-222222222222',
            'the id is another one',
          ),
          'handshake:agents': judge(list(init, 'agents').includes('helper'), 'they are not listed'),
        };
      },
    ),
  ],
};

const FIVE_KEYS = ['commands', 'output_style', 'available_output_styles', 'models', 'account'];

/** Handshakes that are late, repeated or malformed. */
export const oddHandshakes: ProbeGroup = {
  name: 'odd handshakes',
  initialize: false,
  apart: true,
  probes: [
    probe(['handshake:optional', 'handshake:after-message'], async (stage) => {
      const { result } = await stage.turn();
      const optional = judge(result.subtype === 'success', `the result is ${result.subtype}`);
      const late = await stage.request('initialize');
      return { 'handshake:optional': optional, 'handshake:after-message': served(late) };
    }),
    probeOne('handshake:odd-agents', async (stage) => {
      const odd = { agents: { helper: { description: 'No prompt.' } } };
      return served(await stage.request('initialize', odd, stage.subject.patience.startMs));
    }),
    probeOne('handshake:bad-hooks', async (stage) => {
      const hooks = { PreToolUse: [{ matcher: 'Bash' }] };
      const reaction = await stage.request('initialize', { hooks }, stage.subject.patience.startMs);
      if (reaction.kind !== 'refused') return fail(describe(reaction));
      return served(await stage.request('mcp_status'));
    }),
  ],
};

/** A second handshake while a prompt is open; it may end the CLI. */
export const secondHandshake: Probe = probe(
  ['handshake:again', 'handshake:again-lists-prompts'],
  async (stage) => {
    await openPrompt(stage);
    const reaction = await stage.request('initialize');
    const envelope = 'envelope' in reaction ? reaction.envelope : {};
    const pending = list(envelope, 'pending_permission_requests');
    return {
      'handshake:again': served(reaction),
      'handshake:again-lists-prompts': judge(
        pending.some((frame) => part(frame, 'request').subtype === 'can_use_tool'),
        `${describe(reaction)}, with ${pending.length} prompts`,
      ),
    };
  },
);

/** A handshake while a stdio server does not answer. */
export const muteProcess: ProbeGroup = {
  name: 'a handshake beside a mute server on stdio',
  initialize: false,
  start: { flags: { mcpServers: { mute: muteServer } }, env: { MCP_TIMEOUT: '15000' } },
  probes: [
    probeOne('handshake:before-process-servers', async (stage) => {
      const { startMs, quietMs } = stage.subject.patience;
      // Long enough for any start, and shorter than the server may take.
      const reaction = await stage.request('initialize', {}, Math.min(startMs, 4 * quietMs, 10_000));
      return reaction.kind === 'silent' ? fail('it is answered later') : served(reaction);
    }),
  ],
};

/** A handshake while an in-process server does not answer. */
export const muteInProcess: ProbeGroup = {
  name: 'a handshake beside a mute in-process server',
  initialize: false,
  start: { flags: { mcpServers: serverConfig } },
  probes: [
    probeOne('handshake:before-in-process-servers', async (stage) => {
      stage.answerWith({ mcp_message: () => undefined });
      const reaction = await stage.request('initialize', {}, stage.subject.patience.startMs);
      const greeted = await stage.maybe(rpc('initialize'), { ms: stage.subject.patience.answerMs });
      return greeted === undefined ? fail('the server was never greeted') : served(reaction);
    }),
  ],
};

/** Makes the model call a tool and leaves the prompt open; returns the prompt. */
export async function openPrompt(stage: Stage) {
  stage.answerWith({ can_use_tool: () => undefined });
  const from = stage.now;
  stage.cli.model.say([callEcho('one'), text('done')]);
  await stage.user('go');
  return stage.next(requestOf('can_use_tool'), { from });
}
