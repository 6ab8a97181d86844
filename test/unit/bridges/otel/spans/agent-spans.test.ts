import { expect, test } from 'vitest';
import { ConversationSpans } from '../../../../../src/bridges/otel/spans/conversation-spans.js';
import type { OpenSpan, SpanAttributes } from '../../../../../src/bridges/otel/spans/span-sink.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';

/** A span that keeps its attributes, and those of its children, by name. */
function keptSpan(kept: Map<string, SpanAttributes>, name: string): OpenSpan {
  const set = (attributes: SpanAttributes) => void kept.set(name, { ...kept.get(name), ...attributes });
  return {
    set,
    child: (start) => {
      const child = keptSpan(kept, start.name);
      child.set(start.attributes);
      return child;
    },
    event: () => {},
    end: () => {},
  };
}

test.each([
  ['leaves out', { output_tokens: 7 }],
  ['repeats as zero', { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 }],
  ['repeats', { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 }],
])('a call counts the input tokens that only its first piece has, if the last one %s them', (_, usage) => {
  const kept = new Map<string, SpanAttributes>();
  const spans = new ConversationSpans({ root: ({ name }) => keptSpan(kept, name) });
  const end = spans.beginTurn(0, 'hi');
  const started = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
  const event = (given: WireObject): WireObject => ({ type: 'stream_event', event: given });
  spans.message(event({ type: 'message_start', message: { id: 'm', model: 'opus', usage: started } }), 1);
  spans.message(event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }), 2);
  end(3, { kind: 'success' });
  expect(kept.get('chat opus')).toMatchObject({
    'gen_ai.usage.input_tokens': 15,
    'gen_ai.usage.cache_read.input_tokens': 5,
    'gen_ai.usage.output_tokens': 7,
  });
});
