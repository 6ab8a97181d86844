import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drip, reply, text, thinking, toolUse } from '../../src/lab/testing/model/replies.js';
import { type RealCli, realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { type ChangingModel, changingModel } from './support/changing-model.js';
import { describeRealClis } from './support/each-real-cli.js';
import { allowAll, blocksOf, RawConversation } from './support/raw-conversation.js';

describeRealClis('a raw turn', ({ version }) => {
  let changing: ChangingModel;
  let cli: RealCli;
  let conversation: RawConversation;

  beforeAll(async () => {
    changing = await changingModel();
    cli = await realCli({
      version,
      model: changing.model,
      partialMessages: true,
    });
    conversation = new RawConversation(cli);
    expect(await conversation.request('initialize')).toMatchObject({ subtype: 'success' });
  });

  afterAll(async () => {
    await cli?.close();
    await changing?.[Symbol.asyncDispose]();
  });

  test('runs a tool call that the host allows', async () => {
    const script = changing.play([
      {
        when: 'make a note',
        reply: toolUse('Bash', { command: 'echo hello-from-tool > note.txt; cat note.txt' }),
      },
      { when: { toolResult: 'hello-from-tool' }, reply: text('noted') },
    ]);
    const { frames, result } = await conversation.turn('make a note');
    script.assertFinished();
    expect(frames.find((frame) => frame.type === 'control_request')).toMatchObject({
      request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: expect.any(String) },
    });
    expect(blocksOf(frames, 'user')).toMatchObject([{ type: 'tool_result', content: 'hello-from-tool' }]);
    expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'noted' });
    expect(await readFile(join(cli.cwd, 'note.txt'), 'utf8')).toBe('hello-from-tool\n');
  });

  test('does not run a tool call that the host denies', async () => {
    const script = changing.play([
      toolUse('Bash', { command: 'mkdir denied' }),
      { when: { toolResult: 'not on this machine' }, reply: text('as you wish') },
    ]);
    conversation.answer = ({ body }) =>
      body.subtype === 'can_use_tool' ? { behavior: 'deny', message: 'not on this machine' } : {};
    const { result } = await conversation.turn('do it');
    conversation.answer = allowAll;
    script.assertFinished();
    expect(result).toMatchObject({ result: 'as you wish', permission_denials: [{ tool_name: 'Bash' }] });
    await expect(stat(join(cli.cwd, 'denied'))).rejects.toThrow('ENOENT');
  });

  test('streams text as it arrives, in the pieces of a slow model', async () => {
    changing.play([drip(text('one two three four'), { chunkLength: 4, delayMs: 1 })]);
    const { frames, result } = await conversation.turn('count');
    expect(deltasOf(frames, 'text')).toEqual(['one ', 'two ', 'thre', 'e fo', 'ur']);
    expect(result).toMatchObject({ result: 'one two three four' });
  });

  test('passes on the model’s thinking', async () => {
    changing.play([[thinking('let me see'), text('done')]]);
    const { frames } = await conversation.turn('think');
    expect(deltasOf(frames, 'thinking').join('')).toBe('let me see');
    expect(blocksOf(frames, 'assistant')).toMatchObject([
      { type: 'thinking', thinking: 'let me see' },
      { type: 'text', text: 'done' },
    ]);
  });

  test('runs both tool calls of one message and sends the results back together', async () => {
    const script = changing.play([
      reply([
        text('two at once'),
        toolUse('Bash', { command: 'echo first > one.txt; cat one.txt' }),
        toolUse('Bash', { command: 'echo second > two.txt; cat two.txt' }),
      ]),
      { when: { toolResult: /first\nsecond/ }, reply: text('both') },
    ]);
    const { frames, result } = await conversation.turn('two, please');
    script.assertFinished();
    expect(blocksOf(frames, 'assistant').map((block) => block.type)).toEqual([
      'text',
      'tool_use',
      'tool_use',
      'text',
    ]);
    expect(result).toMatchObject({ result: 'both' });
  });

  test('reports the model’s usage', async () => {
    changing.play([reply(text('a'), { usage: { input_tokens: 1_234, output_tokens: 56 } })]);
    const { result } = await conversation.turn('use some');
    expect(result.usage).toMatchObject({ input_tokens: 1_234, output_tokens: 56 });
  });

  test('ends the turn with the model’s stop reason', async () => {
    changing.play([reply(text('enough'), { stopReason: 'stop_sequence' })]);
    const { frames, result } = await conversation.turn('stop');
    const delta = frames.find((frame) => (frame.event as WireObject | undefined)?.type === 'message_delta');
    expect(delta).toMatchObject({ event: { delta: { stop_reason: 'stop_sequence' } } });
    expect(result).toMatchObject({ subtype: 'success', result: 'enough' });
  });

  test('asks the model to count tokens', async () => {
    changing.play([]);
    const before = changing.model.requests.length;
    const { result } = await conversation.turn('/context');
    const kinds = changing.model.requests.slice(before).map(({ kind }) => kind);
    // A call about an earlier command may still come.
    expect(new Set(kinds.filter((kind) => kind !== 'side'))).toEqual(new Set(['count-tokens']));
    expect(result).toMatchObject({ subtype: 'success', is_error: false });
  });
});

function deltasOf(frames: readonly WireObject[], key: 'text' | 'thinking'): string[] {
  const events = frames.flatMap((frame) =>
    frame.type === 'stream_event' ? [frame.event as WireObject] : [],
  );
  const deltas = events.flatMap((event) =>
    event.type === 'content_block_delta' ? [event.delta as WireObject] : [],
  );
  return deltas.flatMap((delta) => (typeof delta[key] === 'string' ? [delta[key]] : []));
}
