import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldLines, NO_CONVERSATION } from '../../../../console-ui/console/model/conversation.js';
import type { WireLine } from '../../../../console-ui/console/model/items.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';

it.each(['2.0.73', '2.1.326'])('shows a conversation recorded on CLI %s', async (version) => {
  const entries = await loadTrace(`test/recordings/${version}/note.trace`);
  const lines = entries.flatMap(({ at, entry }) =>
    entry.kind === 'line' && entry.frame !== undefined
      ? [{ n: at, at, from: entry.from, frame: entry.frame }]
      : [],
  );
  const { items, turns } = foldLines(NO_CONVERSATION, lines);
  expect(items.filter(({ kind }) => kind !== 'note')).toMatchObject([
    { kind: 'user', blocks: [{ text: 'make a note' }], state: 'sent' },
    { kind: 'tool', name: 'Bash', state: 'done', result: [{ text: 'noted' }] },
    { kind: 'text', state: 'done' },
    { kind: 'turn-end', failed: false },
    { kind: 'user', blocks: [{ text: 'make a folder' }] },
    { kind: 'tool', name: 'Bash', state: 'failed', result: [{ text: 'not on this machine' }] },
    { kind: 'text' },
    { kind: 'turn-end' },
  ]);
  expect(turns).toHaveLength(2);
});

// Few ids and many kinds, so that lines refer to each other.
const id = fc.constantFrom('a', 'b', 'c');
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('thinking'), thinking: fc.string() }),
  fc.record({ type: fc.constant('tool_use'), id, name: fc.constant('Bash'), input: fc.anything() }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: id,
    content: fc.anything(),
    is_error: fc.boolean(),
  }),
  fc.anything(),
);
const event = fc.oneof(
  fc.record({ type: fc.constant('message_start'), message: fc.record({ id }) }),
  fc.record({ type: fc.constant('content_block_start'), index: fc.nat(2), content_block: block }),
  fc.record({
    type: fc.constant('content_block_delta'),
    index: fc.nat(2),
    delta: fc.record({ text: fc.string() }),
  }),
  fc.record({ type: fc.constantFrom('content_block_stop', 'message_stop'), index: fc.nat(2) }),
  fc.anything(),
);
const frame = fc.oneof(
  fc.record({
    type: fc.constantFrom('assistant', 'user'),
    uuid: id,
    message: fc.record({
      id,
      content: fc.oneof(fc.array(block, { maxLength: 3 }), fc.string(), fc.anything()),
    }),
    parent_tool_use_id: fc.option(id),
  }),
  fc.record({ type: fc.constant('stream_event'), event, parent_tool_use_id: fc.option(id) }),
  fc.record({
    type: fc.constant('result'),
    subtype: fc.constantFrom('success', 'error'),
    usage: fc.anything(),
  }),
  fc.record({
    type: fc.constant('system'),
    subtype: fc.constantFrom(
      'init',
      'status',
      'task_started',
      'task_updated',
      'background_tasks_changed',
      'odd',
    ),
    task_id: id,
    tasks: fc.anything(),
    patch: fc.anything(),
  }),
  fc.dictionary(fc.string(), fc.anything()),
);

it('accepts any input, and shows the same however the lines are batched', () => {
  const wire = fc.array(fc.record({ frame, from: fc.constantFrom('host', 'cli') }), { maxLength: 30 });
  fc.assert(
    fc.property(wire, (given) => {
      const lines = given.map(
        (each, n) => ({ ...each, frame: each.frame as WireObject, n, at: n }) as WireLine,
      );
      const oneByOne = lines.reduce((conversation, line) => foldLines(conversation, [line]), NO_CONVERSATION);
      expect(foldLines(NO_CONVERSATION, lines)).toEqual(oneByOne);
    }),
    { numRuns: 300 },
  );
});
