import { describe, expect, test } from 'vitest';
import { checkScript } from '../../../../../src/lab/testing/model/check-script.js';
import {
  cut,
  drip,
  reply,
  stall,
  text,
  thinking,
  toolUse,
} from '../../../../../src/lab/testing/model/replies.js';

describe('checkScript', () => {
  test('accepts what the builders return', () => {
    const script = [
      text('a'),
      [thinking('b'), toolUse('Bash', { command: 'c' }, 'toolu_1')],
      { when: /a/, reply: reply([text('d')], { stopReason: 'max_tokens', usage: { input_tokens: 1 } }) },
      { when: { toolResult: { pattern: 'x', flags: 'i' } }, reply: () => text('e'), times: 'any' },
      { when: () => true, reply: stall(), anyOrder: true },
      drip(cut(text('f')), { chunkLength: 1, delayMs: 0 }),
    ];
    expect(checkScript(script)).toBe(script);
  });

  test('accepts a function', () => {
    const script = () => text('a');
    expect(checkScript(script)).toBe(script);
  });

  test('accepts a script from JSON', () => {
    const json = [
      { when: 'hello', reply: { type: 'text', text: 'hi' } },
      { when: { user: { pattern: '^x' } }, reply: { error: 429, retryAfter: 1 }, times: 2 },
      { content: [{ type: 'text', text: 'slow' }], delivery: { chunkLength: 2, delayMs: 5, end: 'cut' } },
      { error: 529, type: 'overloaded_error', message: 'busy' },
    ];
    expect(checkScript(JSON.parse(JSON.stringify(json)))).toEqual(json);
  });

  test.each<[unknown, string]>([
    [undefined, 'script must be a list of steps or a function, not undefined.'],
    [
      { reply: text('a') },
      'script must be a list of steps or a function, not {"reply":{"type":"text","text":"a"}}.',
    ],
    ['hello', 'script must be a list of steps or a function, not "hello".'],
    [['hello'], 'script[0] must be a reply, not "hello".'],
    [[{}], 'script[0] must be a reply (a content block, `content`, or `error`), not {}.'],
    [[text('a'), { type: 'txt' }], 'script[1].type must be one of text, thinking, tool_use, not "txt".'],
    [[{ type: 'text' }], 'script[0].text must be a text, not undefined.'],
    [[{ type: 'tool_use', name: 'Bash' }], 'script[0].input must be an object, not undefined.'],
    [[{ when: 'a' }], 'script[0].reply must be a reply, not undefined.'],
    [
      [{ when: 1, reply: text('a') }],
      'script[0].when must be a string, a regular expression, an object or a function, not 1.',
    ],
    [
      [{ when: {}, reply: text('a') }],
      'script[0].when must be an object with `user`, `toolResult` or `pattern`, not {}.',
    ],
    [
      [{ when: { said: 'a' }, reply: text('a') }],
      'script[0].when.said is not known here. Known: user, toolResult.',
    ],
    [
      [{ when: { user: 1 }, reply: text('a') }],
      'script[0].when.user must be a string or a regular expression, not 1.',
    ],
    [
      [{ reply: text('a'), time: 2 }],
      'script[0].time is not known here. Known: when, reply, times, anyOrder.',
    ],
    [[{ reply: text('a'), times: 0 }], 'script[0].times must be a number of at least 1 or "any", not 0.'],
    [[{ reply: text('a'), anyOrder: 1, when: 'a' }], 'script[0].anyOrder must be true or false, not 1.'],
    [
      [{ reply: text('a'), anyOrder: true }],
      'script[0].anyOrder needs a `when`: without one it would take every request.',
    ],
    [[{ reply: { error: 200 } }], 'script[0].reply.error must be an HTTP status from 400 to 599, not 200.'],
    [
      [{ reply: { error: 429, retryAfter: -1 } }],
      'script[0].reply.retryAfter must be a number of at least 0, not -1.',
    ],
    [
      [{ reply: { content: [{ type: 'text', text: 1 }] } }],
      'script[0].reply.content[0].text must be a text, not 1.',
    ],
    [[{ content: 'a' }], 'script[0].content must be a list of content blocks, not "a".'],
    [
      [{ content: [], stopReason: 'done' }],
      'script[0].stopReason must be one of end_turn, tool_use, max_tokens, stop_sequence, pause_turn, refusal, model_context_window_exceeded, not "done".',
    ],
    [
      [{ content: [], usage: { tokens: 1 } }],
      'script[0].usage.tokens is not known here. Known: input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens.',
    ],
    [
      [{ content: [], usage: { input_tokens: '1' } }],
      'script[0].usage.input_tokens must be a number of at least 0, not "1".',
    ],
    [
      [{ content: [], delivery: { end: 'never' } }],
      'script[0].delivery.end must be whole, cut or stall, not "never".',
    ],
    [
      [{ content: [], delivery: { chunkLength: 0 } }],
      'script[0].delivery.chunkLength must be a number of at least 1, not 0.',
    ],
  ])('says what is wrong with %j', (script, message) => {
    expect(() => checkScript(script)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', message }));
  });

  test('says what is wrong with a pattern', () => {
    const script = [{ when: { pattern: '(' }, reply: text('a') }];
    expect(() => checkScript(script, 'script.json')).toThrow(
      /^script\.json\[0\]\.when is not a regular expression/,
    );
  });
});
