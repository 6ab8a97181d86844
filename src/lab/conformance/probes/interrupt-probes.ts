import { drip, text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { describe, served, unserved } from '../reaction.js';
import { blocks, cancelOf, hookOf, labels, list, message, part, requestOf, userTexts } from '../reading.js';
import type { Stage } from '../stage.js';
import { callEcho, callsOf, serverConfig } from '../tool-server.js';
import { fail, judge, pass } from '../verdict.js';
import { openPrompt } from './handshake-probes.js';

const uuid = (last: number) => `44444444-4444-4444-8444-44444444444${last}`;
const slowly = drip(text('one two three four five six seven eight nine ten '.repeat(20)), {
  chunkLength: 10,
  delayMs: 80,
});

/** Interrupts while the model is answering. */
export const interruptProbes: readonly Probe[] = [
  probeOne('interrupt:idle', async (stage) => {
    const reaction = await stage.request('interrupt');
    if (reaction.kind !== 'success') return served(reaction);
    stage.record('answer interrupt', reaction.value ?? 'ack');
    const after = await stage.quiet();
    return judge(after.length === 0, labels(after));
  }),
  probe(
    [
      'interrupt:ends-turn',
      'interrupt:is-error',
      'interrupt:note',
      'interrupt:keeps-text',
      'interrupt:session-goes-on',
    ],
    async (stage) => {
      const from = await speaking(stage);
      await stage.request('interrupt');
      const { result } = await stage.result(from);
      await stage.quiet();
      const frames = stage.since(from);
      stage.record('message result interrupted', result);
      const kept = blocks(
        frames.filter(({ aborted }) => aborted !== undefined),
        'assistant',
      );
      const next = await stage.turn([text('hi')]);
      return {
        'interrupt:ends-turn': judge(
          result.subtype === 'error_during_execution',
          `the result is ${result.subtype}`,
        ),
        'interrupt:is-error': judge(result.is_error === true, 'is_error is false'),
        'interrupt:note': judge(
          userTexts(frames).some((note) => note.includes('interrupted by user')),
          labels(frames),
        ),
        'interrupt:keeps-text': judge(kept.length > 0, 'the text is lost'),
        'interrupt:session-goes-on': judge(next.result.result === 'hi', `the next is ${next.result.subtype}`),
      };
    },
  ),
  probe(['interrupt:receipt', 'interrupt:queued-runs'], async (stage) => {
    const from = await speaking(stage);
    await stage.user('next', { uuid: uuid(1) });
    const reaction = await stage.request('interrupt');
    const first = await stage.next(message('result'), { from });
    const second = await stage.maybe((frame) => frame.type === 'result' && frame !== first, { from });
    return {
      'interrupt:receipt': judge(
        list(part(reaction, 'value'), 'still_queued').includes(uuid(1)),
        describe(reaction),
      ),
      'interrupt:queued-runs': judge(second !== undefined, 'it does not run'),
    };
  }),
  probeOne('interrupt:cancel-queued', async (stage) => {
    const from = await speaking(stage);
    await stage.user('next', { uuid: uuid(2) });
    const reaction = await stage.request('interrupt', { cancel_queued: true });
    const first = await stage.next(message('result'), { from });
    const again = (frame: object) => 'type' in frame && frame.type === 'result' && frame !== first;
    const second = await stage.maybe(again, { from, ms: stage.subject.patience.quietMs });
    if (!list(part(reaction, 'value'), 'cancelled').includes(uuid(2))) return fail(describe(reaction));
    return second === undefined ? pass : fail('it runs anyway');
  }),
  probeOne('cancel:queued-message', async (stage) => {
    const from = await speaking(stage);
    await stage.user('next', { uuid: uuid(3) });
    const { quietMs } = stage.subject.patience;
    const reaction = await stage.request('cancel_async_message', { message_uuid: uuid(3) }, quietMs);
    const again =
      reaction.kind === 'success'
        ? await stage.request('cancel_async_message', { message_uuid: uuid(3) })
        : reaction;
    await stage.request('interrupt');
    await stage.result(from);
    if (reaction.kind !== 'success') return unserved(reaction);
    const cancelled = [reaction, again].map((each) => part(each, 'value').cancelled);
    return judge(cancelled[0] === true && cancelled[1] === false, `cancelled: ${cancelled.join(', ')}`);
  }),
];
/** Interrupts while the CLI waits for the host. */
export const withdrawalProbes: readonly Probe[] = [
  probe(['cancel:prompt', 'cancel:order', 'cancel:late-answer'], async (stage) => {
    const from = stage.now;
    const prompt = await openPrompt(stage);
    const id = await stage.sendRequest('interrupt');
    await stage.next(cancelOf(prompt.request_id), { from });
    await stage.reply(prompt.request_id, { behavior: 'allow', updatedInput: { text: 'late' } });
    await stage.result(from);
    await stage.quiet();
    const frames = stage.since(from);
    const cancelled = frames.findIndex(cancelOf(prompt.request_id));
    const answered = frames.findIndex((frame) => part(frame, 'response').request_id === id);
    const ended = frames.findIndex(message('result'));
    return {
      'cancel:prompt': judge(cancelled !== -1, labels(frames)),
      'cancel:order': judge(cancelled < answered && answered < ended, labels(frames)),
      'cancel:late-answer': judge(callsOf(frames).length === 0, 'the tool ran'),
    };
  }),
];
/** An interrupt while a hook is running. */
export const withdrawnHook: Probe = probeOne('cancel:hook', async (stage) => {
  stage.answerWith({
    hook_callback: ({ input }) => (part(input).hook_event_name === 'PreToolUse' ? undefined : {}),
  });
  const from = stage.now;
  stage.cli.model.say([callEcho('one'), text('done')]);
  await stage.user('go');
  const asked = await stage.next(hookOf('PreToolUse'), { from });
  await stage.interrupt(from);
  return judge(stage.since(from).some(cancelOf(asked.request_id)), labels(stage.since(from)));
});

/** The end of the input while a prompt is open. */
export const promptAtTheEnd: ProbeGroup = {
  name: 'a prompt at the end',
  start: { flags: { mcpServers: serverConfig } },
  probes: [
    probe(['cancel:not-at-end-of-input', 'end:prompt-fails'], async (stage) => {
      const from = stage.now;
      await openPrompt(stage);
      stage.cli.endInput();
      await stage.exit();
      const frames = stage.since(from);
      const result = frames.find(message('result'));
      return {
        'cancel:not-at-end-of-input': judge(
          !frames.some(message('control_cancel_request')) && frames.some(requestOf('can_use_tool')),
          'it is withdrawn',
        ),
        'end:prompt-fails': judge(result?.result === 'done' && callsOf(frames).length === 0, labels(frames)),
      };
    }),
  ],
};

/**
 * Makes the model answer slowly, and waits until it has started; returns the position where the turn started.
 */
async function speaking(stage: Stage): Promise<number> {
  const from = stage.now;
  stage.cli.model.say([slowly]);
  await stage.user('go');
  const pieces = (frame: Readonly<Record<string, unknown>>) =>
    part(frame, 'event', 'delta').type === 'text_delta';
  const first = await stage.next(pieces, { from });
  await stage.next((frame) => pieces(frame) && frame !== first, { from });
  return from;
}
