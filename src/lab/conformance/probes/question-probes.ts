import type { WireObject } from '../../../wire/protocol/frames.js';
import { text, toolUse } from '../../testing/model/replies.js';
import { type Probe, probe, probeOne } from '../probe.js';
import { list, part, requestOf, type ToolOutcome, toolOutcomes } from '../reading.js';
import type { Answerer, Stage } from '../stage.js';
import { fail, judge } from '../verdict.js';

const QUESTION = 'Which colour?';
const question = {
  question: QUESTION,
  header: 'Colour',
  multiSelect: false,
  options: ['Red', 'Blue'].map((label) => ({ label, description: label })),
};

/** Questions, answered in every way. */
export const questionProbes: readonly Probe[] = [
  probe(['question:asked', 'question:answered'], async (stage) => {
    const from = stage.now;
    const outcome = await ask(stage, answering({ [QUESTION]: 'Red' }));
    const body = part(stage.since(from).find(requestOf('can_use_tool')), 'request');
    stage.record('request can_use_tool question', { ...body, input: {} });
    const [asked] = list(part(body, 'input'), 'questions');
    return {
      'question:asked': judge(
        body.tool_name === 'AskUserQuestion' && part(asked).question === QUESTION,
        `it came as ${body.tool_name}`,
      ),
      'question:answered': said(outcome, 'Red'),
    };
  }),
  probeOne('question:answers-alone', async (stage) => {
    const alone = { behavior: 'allow', updatedInput: { answers: { [QUESTION]: 'Red' } } };
    return said(await ask(stage, () => alone), 'Red');
  }),
  probeOne('question:several', async (stage) =>
    said(await ask(stage, answering({ [QUESTION]: 'Red, Blue' }), true), 'Red, Blue'),
  ),
  probeOne('question:list', async (stage) =>
    said(await ask(stage, answering({ [QUESTION]: ['Red', 'Blue'] }), true), 'Red'),
  ),
  probeOne('question:own-words', async (stage) =>
    said(await ask(stage, answering({ [QUESTION]: 'Ultramarine' })), 'Ultramarine'),
  ),
  probeOne('question:stray-answer', async (stage) => {
    const outcome = await ask(stage, answering({ 'Which size?': 'Large' }));
    return judge(!outcome.text.includes('Large'), 'it is passed on as it is');
  }),
  probeOne('question:declined', async (stage) => {
    const outcome = await ask(stage, () => ({ behavior: 'deny', message: 'not now' }));
    return judge(outcome.isError && outcome.text.includes('not now'), outcome.text.slice(0, 80));
  }),
];

/** A question in a session that otherwise never asks. */
export const questionInBypass: Probe = probeOne('question:in-bypass', async (stage) => {
  const mode = await stage.request('set_permission_mode', { mode: 'bypassPermissions' });
  if (mode.kind !== 'success') return fail('the mode was refused');
  return said(await ask(stage, answering({ [QUESTION]: 'Red' })), 'Red');
});

async function ask(stage: Stage, answer: Answerer, multiSelect = false): Promise<ToolOutcome> {
  stage.answerWith({ can_use_tool: answer });
  const input = { questions: [{ ...question, multiSelect }] };
  const { frames } = await stage.turn([toolUse('AskUserQuestion', input), text('done')]);
  const [outcome] = toolOutcomes(frames);
  if (outcome === undefined) throw new Error('the question has no result');
  return outcome;
}

function answering(answers: WireObject): Answerer {
  return ({ input }) => ({ behavior: 'allow', updatedInput: { ...part(input), answers } });
}

function said(outcome: ToolOutcome, words: string) {
  return judge(!outcome.isError && outcome.text.includes(words), outcome.text.slice(0, 100));
}
