// A model that answers by keyword: each reply is used once, tool results get "done", all else "ok".
import { scriptModel, text } from '../../dist/testing/index.js';

/** Starts the model; `when(keyword, ...replies)` says what the next user texts with that word get. */
export async function keywordModel() {
  const planned = new Map();
  let count = 0;
  const model = await scriptModel((request) => replyTo(request, planned), {
    makeId: (prefix) => {
      count += 1;
      return `${prefix}_${String(count).padStart(4, '0')}`;
    },
  });
  const when = (keyword, ...replies) => planned.set(keyword, replies);
  return { url: model.url, when, close: () => model.close() };
}

function replyTo({ userText, toolResults }, planned) {
  for (const [keyword, replies] of planned) {
    const reply = userText.includes(keyword) ? replies.shift() : undefined;
    if (reply !== undefined) return reply;
  }
  return text(toolResults.length > 0 ? 'done' : 'ok');
}
