import { expect, it } from 'vitest';
import { findWords, hasWords } from '../../../../console-ui/console/find/item-text.js';
import { foldLines, NO_CONVERSATION } from '../../../../console-ui/console/model/conversation.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

const found = (text: string, result: WireObject) => {
  const frames = [
    { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Which colour?' }] } },
    { type: 'result', subtype: 'success', is_error: false, usage: {}, ...result },
  ];
  const lines = frames.map((frame, n) => ({ n, at: n, from: 'cli' as const, frame }));
  const { items } = foldLines(NO_CONVERSATION, lines);
  return items.filter((item) => hasWords(item, findWords(text))).map(({ kind }) => kind);
};

it('an answer is found once, not again at the end of its turn', () => {
  expect(found('COLOUR which', { result: 'Which colour?' })).toEqual(['text']);
});

it('why a turn failed is found', () => {
  expect(
    found('full', { subtype: 'error_during_execution', is_error: true, errors: ['The disk is full'] }),
  ).toEqual(['turn-end']);
});
