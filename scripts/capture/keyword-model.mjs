// A model that answers by keyword: each reply is used once, tool results get "done", everything else "ok".
import { scriptModel, text } from '../../src/lab/testing/index.ts';

/**
 * Starts the model. `when(keyword, ...replies)` sets the replies to the next user texts with that word,
 * `afterTools(...replies)` those to the next tool results; a reply may be a function of the request.
 */
export async function keywordModel() {
  const planned = new Map();
  const afterwards = [];
  let count = 0;
  const model = await scriptModel((request) => replyTo(request, planned, afterwards), {
    makeId: (prefix) => {
      count += 1;
      return `${prefix}_${String(count).padStart(4, '0')}`;
    },
  });
  return {
    url: model.url,
    when: (keyword, ...replies) => planned.set(keyword, replies),
    afterTools: (...replies) => afterwards.push(...replies),
    close: () => model.close(),
  };
}

function replyTo(request, planned, afterwards) {
  const reply = plannedReply(request, planned, afterwards);
  return typeof reply === 'function' ? reply(request) : reply;
}

function plannedReply({ userText, toolResults }, planned, afterwards) {
  for (const [keyword, replies] of planned) {
    const reply = userText.includes(keyword) ? replies.shift() : undefined;
    if (reply !== undefined) return reply;
  }
  return toolResults.length > 0 ? (afterwards.shift() ?? text('done')) : text('ok');
}
