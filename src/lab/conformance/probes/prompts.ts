import { text } from '../../testing/model/replies.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { part } from '../reading.js';
import { useBuiltIn } from '../speech.js';
import type { Stage } from '../stage.js';
import { type Finding, judge, notReachable } from '../verdict.js';

const TEXT = 'Answer in one word.';

/** What a handshake says about prompts and output, seen at the model. */
export const systemPrompts: ProbeGroup = {
  name: 'system prompts',
  initialize: false,
  probes: [
    probe(
      [
        'handshake:system-prompt',
        'handshake:empty-system-prompt',
        'handshake:system-prompt-list',
        'handshake:append-system-prompt',
      ],
      async (stage) => {
        if (stage.cli.model.calls === undefined) return unseen;
        const usual = await systemLength(stage, {});
        const own = await systemLength(await stage.open({}), { systemPrompt: TEXT });
        const none = await systemLength(await stage.open({}), { systemPrompt: '' });
        const listed = await systemLength(await stage.open({}), { systemPrompt: [TEXT, TEXT] });
        const added = await systemLength(await stage.open({}), { appendSystemPrompt: TEXT });
        const short = usual / 4;
        return {
          'handshake:system-prompt': judge(own < short, `${own} characters instead of ${usual}`),
          'handshake:empty-system-prompt': judge(none < short, `${none} characters instead of ${usual}`),
          'handshake:system-prompt-list': judge(listed < short, `${listed} characters instead of ${usual}`),
          'handshake:append-system-prompt': judge(
            added >= usual + TEXT.length,
            `${added} characters instead of ${usual}`,
          ),
        };
      },
    ),
  ],
};

const properties = { colour: { type: 'string' } };

/** Output in a form that the host asked for. */
export const structuredOutput: ProbeGroup = {
  name: 'structured output',
  initialize: { jsonSchema: { type: 'object', properties, required: ['colour'] } },
  probes: [
    probeOne('handshake:json-schema', async (stage) => {
      const answer = useBuiltIn('StructuredOutput', { colour: 'red' });
      const { result } = await stage.turn([answer, text('done')]);
      const { colour } = part(result, 'structured_output');
      return judge(colour === 'red', `the result is ${result.subtype} without it`);
    }),
  ],
};

const noModel: Finding = notReachable('no model is called');
const unseen = {
  'handshake:system-prompt': noModel,
  'handshake:empty-system-prompt': noModel,
  'handshake:system-prompt-list': noModel,
  'handshake:append-system-prompt': noModel,
};

async function systemLength(stage: Stage, fields: Readonly<Record<string, unknown>>): Promise<number> {
  await stage.request('initialize', fields, stage.subject.patience.startMs);
  await stage.turn();
  return stage.cli.model.calls?.at(-1)?.systemLength ?? 0;
}
