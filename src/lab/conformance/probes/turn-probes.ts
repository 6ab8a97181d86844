import type { WireObject } from '../../../wire/protocol/frames.js';
import { apiError, drip, text, thinking, toolUse } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { blocks, labels, message, part, toolOutcomes } from '../reading.js';
import type { Stage } from '../stage.js';
import { callEcho, serverConfig } from '../tool-server.js';
import { fail, judge, pass } from '../verdict.js';

const uuid = (last: number) => `33333333-3333-4333-8333-33333333333${last}`;

/** Plain turns. */
export const plainTurnProbes: readonly Probe[] = [
  probe(['turn:order', 'turn:message-per-block', 'partial:absent'], async (stage) => {
    const { frames, result } = await stage.turn([[thinking('hm'), text('hi')]]);
    const said = frames.filter(message('assistant'));
    const ids = new Set(said.map((frame) => part(frame, 'message').id));
    stage.record('message assistant thinking', said[0]);
    stage.record('message assistant text', said[1]);
    stage.record('message result success', result);
    const kinds = frames
      .map(({ type }) => type)
      .filter((type) => ['system', 'assistant', 'result'].includes(String(type)));
    return {
      'turn:order': judge(
        kinds.indexOf('system') < kinds.indexOf('assistant') &&
          kinds.lastIndexOf('assistant') < kinds.indexOf('result'),
        labels(frames),
      ),
      'turn:message-per-block': judge(said.length === 2 && ids.size === 1, labels(frames)),
      'partial:absent': judge(!frames.some(message('stream_event')), 'there are some'),
    };
  }),
  probeOne('turn:content-blocks', async (stage) => {
    const from = stage.now;
    stage.cli.model.say([text('hi')]);
    await stage.user([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]);
    const { result } = await stage.result(from);
    return judge(result.result === 'hi', `the result is ${result.result}`);
  }),
  probe(['turn:repeated-uuid', 'turn:lifecycle'], async (stage) => {
    const from = stage.now;
    await stage.turn([], { uuid: uuid(1) });
    await stage.user('again', { uuid: uuid(1) });
    await stage.request('mcp_status');
    await stage.quiet();
    const frames = stage.since(from);
    const states = frames.filter(message('command_lifecycle')).map(({ state }) => state);
    return {
      'turn:repeated-uuid': judge(frames.filter(message('result')).length === 1, 'it got a result'),
      'turn:lifecycle': judge(
        ['queued', 'started', 'completed'].every((state) => states.includes(state)),
        'nothing is told',
      ),
    };
  }),
  probeOne('turn:one-result-each', async (stage) => {
    const from = stage.now;
    stage.cli.model.say([drip(text('a slow answer that takes its time'), { chunkLength: 4, delayMs: 100 })]);
    await stage.user('one');
    await stage.next(message('system', 'init'), { from });
    await stage.user('two');
    await stage.user('three');
    const first = await stage.next(message('result'), { from });
    const isLater = (frame: WireObject) => frame.type === 'result' && frame !== first;
    const second = await stage.next(isLater, { from });
    const isThird = (frame: WireObject) => isLater(frame) && frame !== second;
    const third = await stage.maybe(isThird, { from, ms: 2 * stage.subject.patience.quietMs });
    return judge(third !== undefined, 'two messages share a result');
  }),
];

/** A session with verbose output. */
export const toldTurns: ProbeGroup = {
  name: 'turns that tell more',
  start: {
    flags: { replayUserMessages: true },
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
  },
  probes: [
    probe(['turn:replay', 'turn:state-events'], async (stage) => {
      const from = stage.now;
      await stage.turn([], { uuid: uuid(2) });
      await stage.quiet();
      const frames = stage.since(from);
      const replayed = frames.find((frame) => frame.type === 'user' && frame.isReplay === true);
      stage.record('message user/replay', replayed);
      const isState = message('system', 'session_state_changed');
      const states = frames.filter(isState).map(({ state }) => state);
      return {
        'turn:replay': judge(replayed?.uuid === uuid(2), labels(frames)),
        'turn:state-events': judge(states.includes('running') && states.includes('idle'), 'nothing is told'),
      };
    }),
  ],
};

/** Turns that hit a limit. */
export const limits: ProbeGroup = {
  name: 'limits',
  start: { flags: { mcpServers: serverConfig, maxTurns: 1 } },
  probes: [
    probe(['turn:max-turns', 'turn:after-max-turns'], async (stage) => {
      const { result } = await stage.turn([callEcho('one'), callEcho('two'), callEcho('three')]);
      stage.record('message result error_max_turns', result);
      const next = await stage.turn([text('hi')]);
      return {
        'turn:max-turns': judge(result.subtype === 'error_max_turns', `the result is ${result.subtype}`),
        'turn:after-max-turns': judge(
          next.result.subtype === 'success',
          `the next result is ${next.result.subtype}`,
        ),
      };
    }),
  ],
};

/** Turns that exceed the budget. */
export const budget: ProbeGroup = {
  name: 'budget',
  start: { flags: { maxBudgetUsd: 0.000_001 } },
  probes: [
    probeOne('turn:max-budget', async (stage) => {
      await stage.turn();
      const { result } = await stage.turn();
      stage.record('message result error_max_budget_usd', result);
      return judge(result.subtype === 'error_max_budget_usd', `the result is ${result.subtype}`);
    }),
  ],
};

/** Model calls that fail. */
export const failureProbes: readonly Probe[] = [
  probeOne('turn:api-retry', async (stage) => {
    const { frames } = await stage.turn([apiError(529), text('hi')]);
    const told = frames.find(message('system', 'api_retry'));
    if (told !== undefined) stage.record('message system/api_retry', told);
    return judge(told !== undefined, 'nothing is told');
  }),
  probe(['turn:api-failure', 'turn:session-survives-failure'], async (stage) => {
    const { frames, result } = await stage.turn(Array.from({ length: 12 }, () => apiError(400)));
    const said = frames.find(message('assistant'));
    stage.record('message assistant api error', said);
    stage.record('message result api error', result);
    const next = await stage.turn([text('hi')]);
    return {
      'turn:api-failure': judge(
        result.subtype === 'success' &&
          result.is_error === true &&
          part(said, 'message').model === '<synthetic>' &&
          said?.error !== undefined,
        `the result is ${result.subtype}`,
      ),
      'turn:session-survives-failure': judge(next.result.is_error === false, 'it fails as well'),
    };
  }),
];

/** Commands that the CLI handles itself. */
export const commandProbes: readonly Probe[] = [
  probeOne('turn:compact', async (stage) => {
    await stage.turn();
    const frames = await command(stage, '/compact');
    const boundary = frames.find(message('system', 'compact_boundary'));
    stage.record('message system/compact_boundary', boundary);
    const status = frames.some((frame) => frame.subtype === 'status' && frame.status === 'compacting');
    return judge(boundary !== undefined && status, labels(frames));
  }),
  probeOne('turn:clear', async (stage) => {
    const frames = await command(stage, '/clear');
    return judge(frames.some(message('conversation_reset')), 'it is not told');
  }),
];

/** Partial messages. */
export const partialProbes: readonly Probe[] = [
  probe(
    ['partial:events', 'partial:message-before-stop', 'partial:empty-start', 'partial:kinds'],
    async (stage) => {
      const read = toolUse('Glob', { pattern: '*.none' });
      const { frames } = await stage.turn([[thinking('hm'), text('hello'), read], text('done')]);
      const events = frames.filter(message('stream_event')).map((frame) => part(frame, 'event'));
      const types = events.map(({ type }) => String(type));
      const first = types.slice(0, types.indexOf('message_stop') + 1);
      const deltas = new Set(events.map((event) => String(part(event, 'delta').type)));
      const start = part(
        events.find(({ type }) => type === 'message_start'),
        'message',
      );
      recordEvents(stage, frames);
      return {
        'partial:events': judge(
          first[0] === 'message_start' &&
            first.at(-2) === 'message_delta' &&
            toolOutcomes(frames).length === 1,
          types.join(', '),
        ),
        'partial:message-before-stop': messageBeforeStop(frames),
        'partial:empty-start': judge(
          Array.isArray(start.content) && start.content.length === 0,
          'the content is already there',
        ),
        'partial:kinds': judge(
          ['text_delta', 'thinking_delta', 'input_json_delta'].every((kind) => deltas.has(kind)),
          [...deltas].join(', '),
        ),
      };
    },
  ),
];

async function command(stage: Stage, name: string): Promise<readonly WireObject[]> {
  const from = stage.now;
  await stage.user(name);
  return (await stage.result(from)).frames;
}

function recordEvents(stage: Stage, frames: readonly WireObject[]): void {
  for (const frame of frames.filter(message('stream_event'))) {
    const event = part(frame, 'event');
    const kind = part(event, 'content_block').type ?? part(event, 'delta').type;
    stage.record(`message stream_event ${[event.type, kind].filter(Boolean).join(' ')}`, frame);
  }
}

function messageBeforeStop(frames: readonly WireObject[]) {
  const whole = frames.findIndex(
    (frame) => frame.type === 'assistant' && blocks([frame], 'assistant')[0]?.type === 'text',
  );
  const texts = frames.map((frame) => part(frame, 'event'));
  const start = texts.findIndex((event) => part(event, 'content_block').type === 'text');
  const stop = texts.findIndex((event, at) => at > start && event.type === 'content_block_stop');
  if (whole === -1 || stop === -1) return fail(labels(frames));
  return whole < stop ? pass : fail('it comes after it');
}
