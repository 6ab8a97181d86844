import { type Probe, probe, probeOne } from '../probe.js';
import { isUnsupported, refused, served, unserved } from '../reaction.js';
import { fail, judge, pass } from '../verdict.js';
import { openPrompt } from './handshake-probes.js';

/** How requests and answers are wrapped. */
export const envelopeProbes: readonly Probe[] = [
  probe(['envelope:unknown-subtype', 'envelope:error-code', 'envelope:wrong-direction'], async (stage) => {
    const unknown = await stage.sendRequest('coxswain_made_this_up');
    const wrongWay = await stage.sendRequest('hook_callback', { callback_id: 'x', input: {} });
    await stage.request('mcp_status');
    const { quietMs } = stage.subject.patience;
    const reaction = await stage.reactionTo(unknown, quietMs);
    const turnedAround = await stage.reactionTo(wrongWay, reaction.kind === 'silent' ? 0 : quietMs);
    const isRefused = reaction.kind === 'refused';
    if (isRefused) stage.record('answer unknown subtype', reaction.envelope);
    return {
      'envelope:unknown-subtype': isRefused ? pass : unserved(reaction),
      'envelope:error-code': isRefused
        ? judge(reaction.code === 'unsupported_request', `the code is ${reaction.code}`)
        : unserved(reaction),
      'envelope:wrong-direction': isUnsupported(turnedAround) ? pass : refused(turnedAround),
    };
  }),
  probe(['envelope:plain-ack', 'envelope:one-answer'], async (stage) => {
    const ack = await stage.request('set_max_thinking_tokens', { max_thinking_tokens: 1_000 });
    const id = await stage.sendRequest('set_permission_mode', { mode: 'default' });
    await stage.reactionTo(id);
    await stage.request('mcp_status');
    const count = stage.answersTo(id).length;
    return {
      'envelope:plain-ack': judge(
        ack.kind === 'success' && !('response' in ack.envelope),
        'the answer has a value, or there is none',
      ),
      'envelope:one-answer': judge(count === 1, `set_permission_mode was answered ${count} times`),
    };
  }),
  probeOne('envelope:missing-id', async (stage) => {
    const from = stage.now;
    await stage.send({ type: 'control_request', request: { subtype: 'mcp_status' } });
    const answer = await stage.maybe(({ type }) => type === 'control_response', {
      from,
      ms: stage.subject.patience.answerMs,
    });
    if (answer === undefined) return fail('no answer');
    stage.record('answer without id', answer);
    return pass;
  }),
  probeOne('envelope:repeated-id', async (stage) => {
    const frame = { type: 'control_request', request_id: 'twice', request: { subtype: 'mcp_status' } };
    await stage.send(frame);
    await stage.send(frame);
    await stage.request('mcp_status');
    const count = stage.answersTo('twice').length;
    return judge(count === 2, `${count} answers came`);
  }),
  probeOne('envelope:during-prompt', async (stage) => {
    const from = stage.now;
    await openPrompt(stage);
    const reaction = await stage.request('mcp_status');
    await stage.interrupt(from);
    return served(reaction);
  }),
];
