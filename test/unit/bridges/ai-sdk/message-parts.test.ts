import { expect, test } from 'vitest';
import { MessageParts } from '../../../../src/bridges/ai-sdk/message-parts.js';
import { assistantToolUse } from '../../../../src/lab/testing/builders/assistant.js';
import { blockEvents } from '../../../../src/lab/testing/builders/stream.js';
import { toolResult } from '../../../../src/lab/testing/builders/user.js';

test('the streamed input of a call ends before the call, and its result follows', () => {
  const input = { command: 'ls' };
  const events = [
    { type: 'message_start', message: { id: 'm' } },
    ...blockEvents({ type: 'tool_use', id: 't', name: 'Bash', input }, 0, 100),
  ];
  const messages = [
    ...events.map((event) => ({ type: 'stream_event', event })),
    assistantToolUse('Bash', input, { id: 'm', toolUseId: 't' }),
    { type: 'stream_event', event: { type: 'content_block_stop', index: 0 } },
    toolResult('t', 'src'),
  ];
  const parts = new MessageParts({ structured: false, onCall: () => {} });
  expect(messages.flatMap((message) => parts.of(message)).map(({ type }) => type)).toEqual([
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'tool-result',
  ]);
});
