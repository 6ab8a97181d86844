import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { startEmulatedConsole } from '../support/console.js';
import { emulatedManager } from '../support/manager.js';

// The iterables of remote sessions and managed conversations end like those of a session.

/** The owner: a session or a conversation. */
interface Owner {
  messages(): AsyncIterable<unknown>;
  readonly unasked: AsyncIterable<unknown>;
}

const streams: Readonly<Record<string, (owner: Owner, turn: Turn) => AsyncIterable<unknown>>> = {
  turn: (_owner, turn) => turn,
  'textDeltas()': (_owner, turn) => turn.textDeltas(),
  'messages()': (owner) => owner.messages(),
  unasked: (owner) => owner.unasked,
};

const scenario = () => [onUser([say('one two three'), hang()])];
const plans = fc.array(fc.constantFrom('read', 'pause', 'second reader'), { maxLength: 4 });

/** Reads a stream as planned, ends it, and returns whether every read has ended. */
async function tried(
  stream: AsyncIterable<unknown>,
  plan: readonly string[],
  end: (readers: Readers) => unknown,
): Promise<string> {
  const iterators = [stream[Symbol.asyncIterator]()];
  const reads: Promise<unknown>[] = [];
  for (const act of [...plan, 'read']) {
    if (act === 'pause') await new Promise((done) => setImmediate(done));
    if (act === 'second reader') iterators.push(stream[Symbol.asyncIterator]());
    const read = iterators.at(-1)?.next();
    read?.catch(() => {});
    if (read !== undefined) reads.push(read);
  }
  await end({ stream, iterators, reads });
  let callOff: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    callOff = setTimeout(() => done('a read waits forever'), 20_000);
  });
  const seen = await Promise.race([Promise.allSettled(reads).then(() => 'all reads have ended'), late]);
  clearTimeout(callOff);
  return seen;
}

/** The readers of a stream, and the reads that must end. */
interface Readers {
  readonly stream: AsyncIterable<unknown>;
  readonly iterators: readonly AsyncIterator<unknown>[];
  readonly reads: Promise<unknown>[];
}

async function returned({ iterators }: Readers): Promise<void> {
  for (const each of iterators) await each.return?.();
}

/** Leaves a loop at its first value, next to the other readers. Without a value, the owner's end must end it. */
async function left(how: 'break' | 'throw', readers: Readers, close: () => Promise<unknown>): Promise<void> {
  const loop = async () => {
    for await (const _value of readers.stream) {
      if (how === 'break') return;
      throw new Error('left by a throw');
    }
  };
  const leaving = loop();
  leaving.catch(() => {});
  readers.reads.push(leaving);
  await returned(readers);
  await close();
}

describe.each(Object.entries(streams))('every wait of a reader of %s ends', (_name, streamOf) => {
  test('in a remote session', { timeout: 120_000 }, async () => {
    const ends = fc.constantFrom(...(['return', 'break', 'throw', 'close', 'abort', 'server'] as const));
    await fc.assert(
      fc.asyncProperty(plans, ends, async (plan, end) => {
        const { server, root } = await startEmulatedConsole(scenario);
        const owner = new AbortController();
        const session = await openSession({ cwd: root, remote: server.url, signal: owner.signal });
        const stream = streamOf(session, session.send('go'));
        const close = () => session.close();
        const ways = {
          return: returned,
          break: (readers: Readers) => left('break', readers, close),
          throw: (readers: Readers) => left('throw', readers, close),
          close,
          abort: () => owner.abort(),
          server: () => server.close(),
        };
        const seen = await tried(stream, plan, ways[end]);
        owner.abort();
        await server.close();
        expect(seen).toBe('all reads have ended');
      }),
      {
        numRuns: 6,
        examples: [
          [[], 'return'],
          [[], 'break'],
          [['second reader'], 'throw'],
          [['second reader'], 'close'],
          [[], 'abort'],
          [[], 'server'],
        ],
      },
    );
  });

  test('in a conversation of a manager', { timeout: 120_000 }, async () => {
    const ends = fc.constantFrom(...(['return', 'break', 'throw', 'close', 'stop turn'] as const));
    await fc.assert(
      fc.asyncProperty(plans, ends, async (plan, end) => {
        const { manager } = await emulatedManager({ scenarios: [scenario()] });
        const conversation = manager.conversation('one');
        const turn = conversation.send('go');
        const stream = streamOf(conversation, turn);
        const close = () => manager.close();
        const ways = {
          return: returned,
          break: (readers: Readers) => left('break', readers, close),
          throw: (readers: Readers) => left('throw', readers, close),
          close,
          'stop turn': () => turn.stop().then(close),
        };
        const seen = await tried(stream, plan, ways[end]);
        await manager.close();
        expect(seen).toBe('all reads have ended');
      }),
      {
        numRuns: 10,
        examples: [
          [[], 'return'],
          [[], 'break'],
          [['second reader'], 'throw'],
          [['second reader'], 'close'],
          [[], 'stop turn'],
        ],
      },
    );
  });
});
