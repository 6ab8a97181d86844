import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMessage } from '../../../../../src/lab/testing/model/message.js';
import { reply, text, thinking, toolUse } from '../../../../../src/lab/testing/model/replies.js';
import { encodeEvent, streamEvents } from '../../../../../src/lab/testing/model/stream-events.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';

let count = 0;
const makeId = (prefix: string) => `${prefix}_${++count}`;
const eventsOf = (content: Parameters<typeof reply>[0], chunkLength = 4) =>
  streamEvents(buildMessage(reply(content), 'some-model', makeId), chunkLength).events;

describe('streamEvents', () => {
  test('starts and ends a message as the API does', () => {
    const events = eventsOf([text('hello')]);
    expect(events.map((event) => event.type)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0]).toMatchObject({
      message: { role: 'assistant', model: 'some-model', content: [], stop_reason: null },
    });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn', stop_sequence: null } });
  });

  test('starts every block empty and numbers the blocks', () => {
    const events = eventsOf([thinking('hm'), text('a'), toolUse('Bash', { command: 'ls' }, 'toolu_x')]);
    const starts = events.filter((event) => event.type === 'content_block_start');
    expect(starts).toEqual([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'toolu_x', name: 'Bash', input: {} },
      },
    ]);
  });

  test('its pieces add up to the texts, however they are cut, and split no character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        (said, input, chunkLength) => {
          const events = eventsOf(
            [thinking(said), text(said), toolUse('T', input as WireObject)],
            chunkLength,
          );
          expect(joined(events, 'thinking')).toBe(said);
          expect(joined(events, 'text')).toBe(said);
          expect(joined(events, 'partial_json')).toBe(JSON.stringify(input));
          const encoded = events.map(encodeEvent).join('');
          expect(encoded).not.toMatch(/\\ud[89a-f]/);
        },
      ),
    );
  });

  test('writes an event as two lines and an empty one', () => {
    expect(encodeEvent({ type: 'ping' })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });

  test('breaks before the last block ends, or right after the start if there is none', () => {
    const message = buildMessage(reply([text('abc')]), 'm', makeId);
    const plan = streamEvents(message, 4);
    expect(plan.events[plan.breakAt]).toEqual({ type: 'content_block_stop', index: 0 });
    const empty = streamEvents(buildMessage(reply([]), 'm', makeId), 4);
    expect(empty.events[empty.breakAt]).toMatchObject({ type: 'message_delta' });
  });
});

function joined(events: readonly WireObject[], key: string): string {
  const deltas = events.filter((event) => event.type === 'content_block_delta');
  return deltas.map((event) => String((event.delta as WireObject)[key] ?? '')).join('');
}
