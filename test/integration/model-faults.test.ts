import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { cut, drip, stall, text } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { jsonOf, parseEvents, post, readUntilBroken } from '../support/model-client.js';
import { mainBody } from '../support/model-requests.js';
import { settle } from '../support/settle.js';

const streamed = (said = 'hi') => mainBody(said, { stream: true });

describe('deliberate faults', () => {
  test('a cut stream breaks off inside an event, after the text', async () => {
    await using model = await scriptModel([cut(text('some text'))]);
    const { text: came, error } = await readUntilBroken(await post(model, streamed()));
    expect(error).toBeInstanceOf(Error);
    expect(parseEvents(came).map((event) => event.type)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
    ]);
    expect(came).not.toMatch(/\n\n$/);
  });

  test('a cut answer that is not streamed breaks off inside its JSON', async () => {
    await using model = await scriptModel([cut(text('some text'))]);
    const { text: came, error } = await readUntilBroken(await post(model, mainBody('hi')));
    expect(error).toBeInstanceOf(Error);
    expect(came.length).toBeGreaterThan(0);
    expect(() => JSON.parse(came)).toThrow();
  });

  test('a stalled stream sends its content and stays open until the other side disconnects', async () => {
    await using model = await scriptModel([stall(text('some text'))]);
    const controller = new AbortController();
    const response = await post(model, streamed(), { signal: controller.signal });
    let came = '';
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const chunk of response.body ?? []) {
        came += decoder.decode(chunk);
        if (came.includes('some text')) controller.abort();
      }
    })();
    await expect(reading).rejects.toThrow(/abort/i);
    expect(parseEvents(came).at(-1)).toMatchObject({ delta: { text: 'some text' } });
  });

  test('a stalled answer that is not streamed never begins, and ends with the model', async () => {
    const model = await scriptModel([stall(text('never'))]);
    const asking = post(model, mainBody('hi'));
    await model.waitForRequest(() => true);
    await model.close();
    await expect(asking).rejects.toThrow('fetch failed');
  });

  test('a slow stream waits before every event, in small pieces', async () => {
    const waits: number[] = [];
    const delay = async (ms: number) => void waits.push(ms);
    await using model = await scriptModel([drip(text('abcdef'), { chunkLength: 2, delayMs: 7 })], { delay });
    const events = parseEvents(await (await post(model, streamed())).text());
    const deltas = events.filter((event) => event.type === 'content_block_delta');
    expect(deltas).toMatchObject([
      { delta: { text: 'ab' } },
      { delta: { text: 'cd' } },
      { delta: { text: 'ef' } },
    ]);
    expect(waits).toEqual(events.map(() => 7));
  });

  test('a slow stream can also be cut', async () => {
    await using model = await scriptModel([drip(cut(text('abcdef')), { chunkLength: 3, delayMs: 1 })]);
    const { text: came, error } = await readUntilBroken(await post(model, streamed()));
    expect(error).toBeInstanceOf(Error);
    expect(parseEvents(came).at(-1)).toMatchObject({ delta: { text: 'def' } });
  });
});

describe('ends', () => {
  test('closing ends open streams at once, and can be repeated', async () => {
    const model = await scriptModel([stall(text('a')), drip(text('b'), { delayMs: 60_000 })]);
    const streams = await Promise.all([post(model, streamed('1')), post(model, streamed('2'))]);
    const broken = Promise.all(streams.map(readUntilBroken));
    await Promise.all([model.close(), model.close()]);
    expect((await broken).map(({ error }) => error instanceof Error)).toEqual([true, true]);
    await model.close();
    await expect(fetch(model.url)).rejects.toThrow('fetch failed');
  });

  test('closing ends idle connections', async () => {
    const model = await scriptModel([]);
    const socket = connect(model.port, '127.0.0.1');
    const gone = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => {});
    await model.close();
    await gone;
    expect(socket.destroyed).toBe(true);
  });

  test('closing ends waits for requests that never arrived', async () => {
    const model = await scriptModel([{ when: 'never', reply: text('a') }]);
    const waiting = model.waitForRequest(() => true);
    const outcome = expect(waiting).rejects.toThrow(/the model was closed[\s\S]*text with "never"/);
    await model.close();
    await outcome;
  });

  test('waiting for a request times out', async () => {
    await using model = await scriptModel([]);
    await expect(model.waitForRequest(() => true, { timeoutMs: 1 })).rejects.toThrow(
      expect.objectContaining({ code: 'MODEL_SCRIPT_FAILED', message: expect.stringContaining('1 ms') }),
    );
  });

  test('a client that disconnects while its reply is created does no harm', async () => {
    let make = (_: ReturnType<typeof text>) => {};
    const made = new Promise<ReturnType<typeof text>>((resolve) => (make = resolve));
    await using model = await scriptModel([{ reply: () => made }, text('second')]);
    const controller = new AbortController();
    const first = post(model, streamed('1'), { signal: controller.signal });
    await model.waitForRequest(() => true);
    controller.abort();
    await expect(first).rejects.toThrow();
    make(text('too late'));
    expect(await jsonOf(await post(model, mainBody('2')))).toMatchObject({ content: [{ text: 'second' }] });
    model.assertFinished();
  });

  test('a client that disconnects ends the work on its reply', async () => {
    let pieces = 0;
    const delay = () =>
      new Promise<void>((resolve) => {
        pieces += 1;
        setImmediate(resolve);
      });
    const slow = drip(text('x'.repeat(100_000)), { chunkLength: 1, delayMs: 1 });
    await using model = await scriptModel([slow], { delay });
    const controller = new AbortController();
    const response = await post(model, streamed(), { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    expect(await untilUnchanged(() => pieces)).toBeLessThan(100_000);
  });

  test('a slow client makes the model wait, and gets everything once it reads', async () => {
    const [pieceLength, pieceCount] = [64 * 1024, 512];
    const long = 'x'.repeat(pieceLength * pieceCount);
    let sent = 0;
    const delay = async () => {
      sent += 1;
    };
    const slow = drip(text(long), { chunkLength: pieceLength, delayMs: 1 });
    await using model = await scriptModel([slow], { delay });
    const response = await post(model, streamed());
    expect(await untilUnchanged(() => sent)).toBeLessThan(pieceCount);
    const events = parseEvents(await response.text());
    const texts = events.map((event) => (event.delta as { text?: string } | undefined)?.text ?? '');
    expect(texts.join('') === long).toBe(true);
  });
});

describe('bad input', () => {
  test('a body over the limit is refused and fails the script', async () => {
    await using model = await scriptModel([text('a')], { maxBodyBytes: 1_000 });
    const response = await post(model, mainBody('x'.repeat(2_000)));
    expect(response.status).toBe(413);
    expect(() => model.assertFinished()).toThrow(/longer than 1000 bytes/);
    expect(await jsonOf(await post(model, mainBody('short')))).toMatchObject({ content: [{ text: 'a' }] });
  });

  test.each(['no JSON', '[1]', 'null', ''])(
    'a body that is %j is refused and fails the script',
    async (body) => {
      await using model = await scriptModel([]);
      expect((await post(model, body)).status).toBe(400);
      expect(() => model.assertFinished()).toThrow(/The body is not a JSON object/);
    },
  );

  test('an unexpected request gets an error that is not retried, and the table says so', async () => {
    await using model = await scriptModel([{ when: 'hello', reply: text('a') }]);
    const response = await post(model, mainBody('goodbye'));
    expect(response.status).toBe(400);
    expect(await jsonOf(response)).toMatchObject({
      error: { message: expect.stringContaining('got request 1: user text "goodbye"') },
    });
    expect(() => model.assertFinished()).toThrow(/1 unexpected, 1 left over/);
    expect(model.finished).toBe(false);
  });

  test.each(['onRequest', 'isSideCall', 'countTokens'] as const)(
    '%s that throws fails the script',
    async (name) => {
      const throws = () => {
        throw new Error('oh no');
      };
      await using model = await scriptModel([text('a')], { [name]: throws });
      const path = name === 'countTokens' ? '/v1/messages/count_tokens' : '/v1/messages';
      expect((await post(model, mainBody('hi'), { path })).status).toBe(400);
      expect(() => model.assertFinished()).toThrow(/an error inside the model: oh no/);
    },
  );

  test('an invalid side reply fails the script', async () => {
    await using model = await scriptModel([], { sideReply: () => ({ nonsense: 1 }) as never });
    expect((await post(model, mainBody('Warmup', { tools: [] }))).status).toBe(400);
    expect(() => model.assertFinished()).toThrow(/the reply to a side call must be a reply/);
  });

  test('an error in the middle of a stream ends it and fails the script', async () => {
    const delay = () => Promise.reject(new Error('oh no'));
    await using model = await scriptModel([drip(text('a'))], { delay });
    const { error } = await readUntilBroken(await post(model, streamed()));
    expect(error).toBeInstanceOf(Error);
    expect(() => model.assertFinished()).toThrow(/an error inside the model: oh no/);
  });

  test('a connection that breaks inside its body does no harm', async () => {
    await using model = await scriptModel([text('a')]);
    const socket = connect(model.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half":');
    socket.destroy();
    expect((await post(model, mainBody('hi'))).status).toBe(200);
    model.assertFinished();
  });

  test('an invalid script and invalid options are refused before anything listens', async () => {
    await expect(scriptModel([{ type: 'txt' } as never])).rejects.toThrow(/script\[0\]\.type/);
    await expect(scriptModel([], { port: -1 })).rejects.toThrow(/port/);
    await expect(scriptModel([], { prot: 1 } as never)).rejects.toThrow(/prot/);
    await expect(scriptModel([], { sideReply: { nonsense: 1 } as never })).rejects.toThrow(/sideReply/);
    await expect(scriptModel([], { onRequest: 'x' as never })).rejects.toThrow(/onRequest/);
  });

  test('a port that is taken is reported', async () => {
    await using model = await scriptModel([]);
    await expect(scriptModel([], { port: model.port })).rejects.toThrow(
      expect.objectContaining({
        code: 'MODEL_NOT_STARTED',
        message: expect.stringContaining(String(model.port)),
      }),
    );
  });
});

/** The value of a counter once it has been constant, above zero, for many rounds of the event loop. */
async function untilUnchanged(count: () => number): Promise<number> {
  let seen = 0;
  for (let quiet = 0; quiet < 1_000; quiet += 1) {
    await settle();
    if (count() !== seen || seen === 0) quiet = 0;
    seen = count();
  }
  return seen;
}
