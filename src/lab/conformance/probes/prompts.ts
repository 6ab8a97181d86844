import { join } from 'node:path';
import { text, toolUse } from '../../testing/model/replies.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { message, part } from '../reading.js';
import type { Stage } from '../stage.js';
import { judge } from '../verdict.js';

const TEXT = 'Answer in one word.';

/** What a handshake says about prompts and output, as seen by the model. */
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

/** Output in a format that the host requested. */
export const structuredOutput: ProbeGroup = {
  name: 'structured output',
  initialize: { jsonSchema: { type: 'object', properties, required: ['colour'] } },
  probes: [
    probeOne('handshake:json-schema', async (stage) => {
      const answer = toolUse('StructuredOutput', { colour: 'red' });
      const { result } = await stage.turn([answer, text('done')]);
      const { colour } = part(result, 'structured_output');
      return judge(colour === 'red', `the result is ${result.subtype} without it`);
    }),
  ],
};

const skill = (name: string) => `---\nname: ${name}\ndescription: About ${name}s.\n---\nBe a ${name}.\n`;

/** A handshake that names some of the folder's skills. */
export const chosenSkills: ProbeGroup = {
  name: 'chosen skills',
  start: {
    flags: { settingSources: ['project'] },
    files: {
      'work/.claude/skills/heron/SKILL.md': skill('heron'),
      'work/.claude/skills/otter/SKILL.md': skill('otter'),
    },
  },
  initialize: { skills: ['heron'] },
  probes: [
    probeOne('handshake:skills', async (stage) => {
      await stage.turn();
      const prompts = JSON.stringify(stage.cli.model.calls.at(-1)?.messages);
      const told = ['heron', 'otter'].filter((name) => prompts.includes(`About ${name}s.`));
      return judge(told.join() === 'heron', `the model gets: ${told.join(', ') || 'none'}`);
    }),
  ],
};

const TITLE = 'About herons';

/** A handshake that gives the conversation a title. */
export const namedConversation: ProbeGroup = {
  name: 'a title',
  initialize: { title: TITLE },
  probes: [
    probeOne('handshake:title', async (stage) => {
      const { frames } = await stage.turn();
      const { session_id: id, cwd } = frames.find(message('system', 'init')) ?? {};
      const folder = String(cwd).replaceAll(/[^A-Za-z0-9]/g, '-');
      const path = join('..', 'home', '.claude', 'projects', folder, `${id}.jsonl`);
      const kept = await stage.file(path, (content) => content.includes(TITLE));
      return judge(kept !== undefined, 'there is none');
    }),
  ],
};

async function systemLength(stage: Stage, fields: Readonly<Record<string, unknown>>): Promise<number> {
  await stage.request('initialize', fields, stage.subject.patience.startMs);
  await stage.turn();
  return stage.cli.model.calls.at(-1)?.systemLength ?? 0;
}
