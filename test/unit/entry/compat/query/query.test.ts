import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AbortError } from '../../../../../src/entry/compat/errors.js';
import { query } from '../../../../../src/entry/compat/query/query.js';
import { startup } from '../../../../../src/entry/compat/query/startup.js';
import { Conversation } from '../../../../../src/entry/compat/run/query-conversation.js';
import type { SDKUserMessage } from '../../../../../src/entry/compat/types/message-types.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';
import { type FakeCli, fakeCli, hello, INIT, RESULT, typesOf } from '../fake-process.js';

function user(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

async function* prompts(...texts: readonly string[]): AsyncGenerator<SDKUserMessage> {
  for (const text of texts) yield user(text);
}

/** Starts a turn and never ends it. */
const ENDLESS: FakeCli = { onUser: (cli) => cli.say(INIT) };

describe('writing', () => {
  test('initialize comes first, directly followed by the prompt, and stdin ends after the result', async () => {
    const { options, started } = fakeCli({ onRequest: () => null });
    expect(await typesOf(query({ prompt: 'hi', options }))).toEqual(['system', 'result']);
    expect(started[0]?.heard).toMatchObject([
      { type: 'control_request', request: { subtype: 'initialize', systemPrompt: [''] } },
      { type: 'user', session_id: '', message: { content: [{ type: 'text', text: 'hi' }] } },
    ]);
    expect(started[0]?.inputEnded).toBe(true);
  });

  test('messages of an iterable are sent unchanged, and stdin ends with it', async () => {
    const { options, started } = fakeCli({
      onUser: () => {},
      onEof: (cli) => {
        hello(cli);
        cli.exit(0);
      },
    });
    expect(await typesOf(query({ prompt: prompts('one', 'two'), options }))).toEqual(['system', 'result']);
    expect(started[0]?.heard.slice(1)).toEqual([user('one'), user('two')]);
  });

  test('an iterable may use the query before its first message', async () => {
    const { options, started } = fakeCli();
    async function* changing(): AsyncGenerator<SDKUserMessage> {
      await run.setModel('haiku');
      yield user('one');
    }
    const run = query({ prompt: changing(), options });
    await typesOf(run);
    expect(started[0]?.heard.slice(1)).toMatchObject([{ request: { subtype: 'set_model' } }, user('one')]);
  });

  test('with callbacks to answer, stdin stays open until a turn has ended', async () => {
    const openAtResult: boolean[] = [];
    const { options } = fakeCli({
      onUser: (cli) =>
        setImmediate(() => {
          openAtResult.push(!cli.inputEnded);
          hello(cli);
        }),
    });
    const canUseTool = async () => null;
    await typesOf(query({ prompt: prompts('one'), options: { ...options, canUseTool } }));
    expect(openAtResult).toEqual([true]);
  });

  test.each([['idle'], ['never']])(
    'stdin stays open while the CLI reports ongoing work, until it is %s or takes too long',
    async (end) => {
      const { options, started } = fakeCli({
        onUser: (cli) => {
          cli.say({ type: 'system', subtype: 'session_state_changed', state: 'running' });
          hello(cli);
        },
      });
      const env = { CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: end === 'never' ? '20' : '60000' };
      const run = query({ prompt: 'hi', options: { ...options, env, canUseTool: async () => null } });
      for (const _message of ['state', 'init', 'result']) await run.next();
      const [cli] = started;
      expect(cli?.inputEnded).toBe(false);
      if (end === 'idle') cli?.say({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
      await typesOf(run);
      expect(cli?.inputEnded).toBe(true);
    },
  );

  test('verbatim prompts are marked', async () => {
    const { options, started } = fakeCli();
    await typesOf(query({ prompt: 'hi', options: { ...options, verbatimPrompts: true } }));
    expect(started[0]?.heard[1]).toMatchObject({ client_composed: true });
  });

  test('a hook that must block delays the prompt until the CLI confirms its support', async () => {
    const hooks = { PreToolUse: [{ hooks: [async () => ({})], onFailure: 'block' as const }] };
    const { options, started } = fakeCli();
    await expect(typesOf(query({ prompt: 'hi', options: { ...options, hooks } }))).rejects.toThrow(
      AbortError,
    );
    expect(started[0]?.heard.map(({ type }) => type)).toEqual(['control_request']);
    const honest = fakeCli({ onRequest: () => ({ hook_on_failure_supported: true }) });
    expect(await typesOf(query({ prompt: 'hi', options: { ...honest.options, hooks } }))).toContain('result');
  });

  test('more messages can be streamed', async () => {
    const { options, started } = fakeCli({
      ...ENDLESS,
      onEof: (cli) => {
        hello(cli);
        cli.exit(0);
      },
    });
    const run = query({ prompt: 'hi', options });
    await run.streamInput(prompts('more'));
    expect(started[0]?.heard.at(-1)).toEqual(user('more'));
    await typesOf(run);
  });
});

describe('reading', () => {
  test('messages of any kind reach the program, except those for the SDK', async () => {
    const { options } = fakeCli({
      onUser: (cli) => {
        cli.stdout.write('noise\n');
        cli.say({ type: 'from_the_future' });
        cli.say({ type: 'system', subtype: 'session_state_changed', state: 'idle', sdk_host_only: true });
        cli.say({ type: 'transcript_mirror', filePath: 'x', entries: [] });
        hello(cli);
      },
    });
    expect(await typesOf(query({ prompt: 'hi', options }))).toEqual(['from_the_future', 'system', 'result']);
  });

  test('nothing is lost that arrived before the loop began', async () => {
    const many = 30_000;
    const { options } = fakeCli({
      onUser: (cli) => {
        for (let count = 0; count < many; count += 1) cli.say({ type: 'stream_event', count });
        cli.say(RESULT);
      },
    });
    const run = query({ prompt: 'hi', options });
    await run.initializationResult();
    expect((await typesOf(run)).length).toBe(many + 1);
  });
});

describe('limits', () => {
  test('a program that does not read makes the CLI wait, and loses nothing', async () => {
    const many = 25_000;
    const { options, started } = fakeCli({
      onUser: (cli) => {
        for (let count = 0; count < many; count += 1) cli.say({ type: 'stream_event', count });
        cli.say(RESULT);
      },
    });
    const run = query({ prompt: 'hi', options });
    await vi.waitFor(() => expect(started[0]?.stdout.readableFlowing).toBe(false));
    expect((await typesOf(run)).length).toBe(many + 1);
  });

  test('an unanswered request times out', async () => {
    const clock = new ManualClock();
    const { options } = fakeCli({ onRequest: ({ subtype }) => (subtype === 'initialize' ? {} : null) });
    const conversation = new Conversation(options, { clock });
    await conversation.initialized;
    const asked = conversation.ask('set_model', { model: 'x' });
    await settle();
    clock.advance(120_000);
    await expect(asked).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await conversation.close();
  });

  test('a CLI that closes its input without exiting is not waited for', async () => {
    const clock = new ManualClock();
    const { options, started } = fakeCli({ onEof: () => {}, onUser: () => {} });
    const conversation = new Conversation(options, { clock });
    await conversation.initialized;
    started[0]?.stdin.destroy();
    const asked = conversation.ask('set_model', { model: 'x' });
    await settle();
    clock.advance(10_000);
    await expect(asked).rejects.toThrow('Query closed before response received');
    started[0]?.exit(0);
    await conversation.close();
  });

  test('a CLI that exits while it works leaves no timer and no waiting iterable', async () => {
    const clock = new ManualClock();
    let left = false;
    async function* waiting(): AsyncGenerator<SDKUserMessage> {
      yield user('one');
    }
    const endless: AsyncIterable<SDKUserMessage> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          left = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const { options } = fakeCli({
      onUser: (cli) => {
        cli.say({ type: 'system', subtype: 'session_state_changed', state: 'running' });
        hello(cli);
        setImmediate(() => cli.exit(3));
      },
    });
    const conversation = new Conversation({ ...options, canUseTool: async () => null }, { clock });
    const written = Promise.all([conversation.write(waiting()), conversation.stream(endless)]);
    for (const _message of ['state', 'init', 'result']) await conversation.next();
    await expect(conversation.next()).rejects.toThrow('exited with code 3');
    await written;
    expect([clock.size, left]).toEqual([0, true]);
  });

  test('streams that end during the same request all settle, and end the input', async () => {
    const pending: WireObject[] = [];
    const { options, started } = fakeCli({
      onUser: () => {},
      onEof: () => {},
      onRequest: (body) => {
        if (body.subtype === 'initialize') return {};
        pending.push(body);
        return null;
      },
    });
    const clock = new ManualClock();
    const conversation = new Conversation(options, { clock });
    await conversation.initialized;
    const asked = conversation.ask('set_model', { model: 'x' });
    const streamed = Promise.all([conversation.stream(prompts('one')), conversation.stream(prompts('two'))]);
    await settle(3);
    expect([pending.length, started[0]?.inputEnded]).toEqual([1, false]);
    clock.advance(120_000);
    await expect(asked).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await streamed;
    await vi.waitFor(() => expect(started[0]?.inputEnded).toBe(true));
    started[0]?.exit(0);
    await conversation.close();
  });

  test('streams that wait for the same work all settle when it ends, and leave no timer', async () => {
    const clock = new ManualClock();
    const { options, started } = fakeCli({
      onEof: () => {},
      onUser: (cli) => {
        cli.say({ type: 'system', subtype: 'session_state_changed', state: 'running' });
        hello(cli);
      },
    });
    const conversation = new Conversation({ ...options, canUseTool: async () => null }, { clock });
    const streamed = Promise.all([conversation.stream(prompts('one')), conversation.stream(prompts('two'))]);
    await vi.waitFor(() => expect(clock.size).toBe(2));
    started[0]?.say({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
    await streamed;
    expect(clock.size).toBe(0);
    started[0]?.exit(0);
    await conversation.close();
  });

  test('many concurrent requests cause no warning, and several reads are in order', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { options, started } = fakeCli({ onUser: () => {} });
    await using run = query({ prompt: 'hi', options });
    await Promise.all(Array.from({ length: 30 }, () => run.setModel('x')));
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    for (const cli of started) hello(cli);
    const read = await Promise.all([run.next(), run.next(), run.next()]);
    expect(read.map(({ value }) => value?.type)).toEqual(['system', 'result', undefined]);
  });
});

describe('how it ends', () => {
  const failed = { ...RESULT, subtype: 'error_during_execution', is_error: true, errors: ['a', 'b'] };

  test.each<[string, FakeCli, string, object]>([
    [
      'an exit code',
      { onUser: (cli) => cli.exit(7) },
      'Claude Code process exited with code 7',
      { exitCode: 7 },
    ],
    [
      'a signal',
      { onUser: (cli) => cli.exit(null, 'SIGKILL') },
      'terminated by signal SIGKILL',
      { signal: 'SIGKILL' },
    ],
    [
      'an error result',
      { onUser: (cli) => cli.say(failed), onEof: (cli) => cli.exit(1) },
      'returned an error result: a; b',
      { errorClass: 'error_result' },
    ],
  ])('%s is thrown once', async (_name, cli, text, facts) => {
    const run = query({ prompt: 'hi', options: fakeCli(cli).options });
    await expect(typesOf(run)).rejects.toMatchObject({ message: expect.stringContaining(text), ...facts });
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  test('leaving the loop returns control at once; the process is shut down in the background', async () => {
    const { options, started } = fakeCli({ ...ENDLESS, onEof: () => {}, onKill: () => {} });
    const run = query({ prompt: 'hi', options });
    for await (const _message of run) break;
    expect(started[0]?.exitCode).toBeNull();
    expect(await run.next()).toEqual({ done: true, value: undefined });
    await expect(run.setModel('x')).rejects.toThrow('Query closed before response received');
    started[0]?.exit(0);
  });

  test('abort throws at once, in the loop and in every wait, with the reason as its cause', async () => {
    const { options, started } = fakeCli({
      ...ENDLESS,
      onRequest: () => null,
      onEof: () => {},
      onKill: () => {},
    });
    const abortController = new AbortController();
    const run = query({ prompt: 'hi', options: { ...options, abortController } });
    await run.next();
    const waiting = [run.next(), run.setModel('x'), run.initializationResult()];
    const reason = new Error('enough');
    abortController.abort(reason);
    const outcomes = await Promise.allSettled(waiting);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { name: 'AbortError', cause: reason } });
    expect(await run.next()).toEqual({ done: true, value: undefined });
    started[0]?.exit(0);
  });

  test('a loop that begins after the abort throws', async () => {
    const { options, started } = fakeCli(ENDLESS);
    const abortController = new AbortController();
    const run = query({ prompt: 'hi', options: { ...options, abortController } });
    await run.initializationResult();
    abortController.abort();
    await expect(typesOf(run)).rejects.toThrow(AbortError);
    expect(started[0]?.heard.length).toBeGreaterThan(0);
  });

  test('an abort before the start starts nothing', () => {
    const { options, started } = fakeCli();
    const abortController = new AbortController();
    abortController.abort();
    expect(() => query({ prompt: 'hi', options: { ...options, abortController } })).toThrow(AbortError);
    expect(started).toEqual([]);
  });

  test('close ends the loop; return and throw return what they were given', async () => {
    const closed = query({ prompt: 'hi', options: fakeCli(ENDLESS).options });
    await closed.next();
    const waiting = closed.next();
    closed.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    const thrown = query({ prompt: 'hi', options: fakeCli(ENDLESS).options });
    await expect(thrown.throw(new Error('mine'))).rejects.toThrow('mine');
    const returned = query({ prompt: 'hi', options: fakeCli(ENDLESS).options });
    expect(await returned.return()).toEqual({ done: true, value: undefined });
  });

  test('disposal waits until the process is gone', async () => {
    const { options, started } = fakeCli(ENDLESS);
    {
      await using run = query({ prompt: 'hi', options });
      await run.next();
    }
    expect(started[0]?.exitCode).toBe(0);
  });

  test('an iterable that fails ends the query with its error as the cause', async () => {
    async function* broken() {
      yield user('one');
      throw new Error('the queue is gone');
    }
    const run = query({ prompt: broken(), options: fakeCli(ENDLESS).options });
    await expect(typesOf(run)).rejects.toMatchObject({ cause: { message: 'the queue is gone' } });
  });

  test('an iterable that waits forever is released when the query ends', async () => {
    let left = false;
    const waiting: AsyncIterable<SDKUserMessage> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          left = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const run = query({ prompt: waiting, options: fakeCli(ENDLESS).options });
    await run.initializationResult();
    await run[Symbol.asyncDispose]();
    expect(left).toBe(true);
  });

  test('with a spawner, prompts on its command line are a process warning', async () => {
    const warnings: Error[] = [];
    const listener = (warning: Error) => warnings.push(warning);
    process.on('warning', listener);
    onTestFinished(() => void process.off('warning', listener));
    const agents = JSON.stringify({ helper: { description: 'Helps', prompt: 'Use s3cret.' } });
    const { options } = fakeCli();
    await typesOf(query({ prompt: 'hi', options: { ...options, extraArgs: { agents } } }));
    const [warning] = warnings.filter(({ message }) => message.includes('--agents'));
    expect(warning).toMatchObject({ code: 'COXSWAIN_SECRET_IN_ARGUMENTS' });
    expect(warning?.message).not.toContain('s3cret');
  });

  test('a spawner that throws rejects the loop', async () => {
    const spawnClaudeCodeProcess = () => {
      throw new Error('no container');
    };
    const run = query({
      prompt: 'hi',
      options: { pathToClaudeCodeExecutable: '/x', spawnClaudeCodeProcess },
    });
    await expect(typesOf(run)).rejects.toThrow('no container');
  });
});

describe('a warm CLI', () => {
  test('accepts one prompt', async () => {
    const { options, started } = fakeCli();
    const warm = await startup({ options });
    expect(started[0]?.heard.map(({ type }) => type)).toEqual(['control_request']);
    expect(await typesOf(warm.query('hi'))).toEqual(['system', 'result']);
    expect(() => warm.query('again')).toThrow('once');
    warm.close();
  });

  test('can be closed unused', async () => {
    const { options, started } = fakeCli();
    await using warm = await startup({ options });
    warm.close();
    expect(() => warm.query('late')).toThrow('once');
    await vi.waitFor(() => expect(started[0]?.exitCode).toBe(0));
  });

  test('that does not become ready in time is given up', async () => {
    const { options } = fakeCli({ onRequest: () => null });
    await expect(startup({ options, initializeTimeoutMs: 20 })).rejects.toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
    });
  });
});
