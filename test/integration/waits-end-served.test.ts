import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { startEmulatedConsole } from '../support/console.js';
import { emulatedManager } from '../support/manager.js';

// What remote sessions and the conversations of a manager hand out to be iterated ends as a session's own does.

/** Who hands it out: a session or a conversation. */
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

/** Reads a stream as planned, ends it, and says whether every read has ended. */
async function tried(
  stream: AsyncIterable<unknown>,
  plan: readonly string[],
  end: (iterators: readonly AsyncIterator<unknown>[]) => unknown,
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
  await end(iterators);
  let callOff: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    callOff = setTimeout(() => done('a read waits for ever'), 5_000);
  });
  const seen = await Promise.race([Promise.allSettled(reads).then(() => 'all reads have ended'), late]);
  clearTimeout(callOff);
  return seen;
}

const returned = async (iterators: readonly AsyncIterator<unknown>[]) => {
  for (const each of iterators) await each.return?.();
};

describe.each(Object.entries(streams))('every wait of a reader of %s ends', (_name, streamOf) => {
  test('in a remote session', { timeout: 120_000 }, async () => {
    const ends = fc.constantFrom('return', 'close', 'abort', 'server');
    await fc.assert(
      fc.asyncProperty(plans, ends, async (plan, end) => {
        const { server, root } = await startEmulatedConsole(scenario);
        const owner = new AbortController();
        const session = await openSession({ cwd: root, remote: server.url, signal: owner.signal });
        const stream = streamOf(session, session.send('go'));
        const seen = await tried(stream, plan, (iterators) => {
          if (end === 'return') return returned(iterators);
          if (end === 'abort') return owner.abort();
          return end === 'close' ? session.close() : server.close();
        });
        owner.abort();
        await server.close();
        expect(seen).toBe('all reads have ended');
      }),
      {
        numRuns: 6,
        examples: [
          [[], 'return'],
          [['second reader'], 'close'],
          [[], 'abort'],
          [[], 'server'],
        ],
      },
    );
  });

  test('in a conversation of a manager', { timeout: 120_000 }, async () => {
    const ends = fc.constantFrom('return', 'close', 'stop turn');
    await fc.assert(
      fc.asyncProperty(plans, ends, async (plan, end) => {
        const { manager } = await emulatedManager({ scenarios: [scenario()] });
        const conversation = manager.conversation('one');
        const turn = conversation.send('go');
        const stream = streamOf(conversation, turn);
        const seen = await tried(stream, plan, async (iterators) => {
          if (end === 'return') return returned(iterators);
          if (end === 'stop turn') await turn.stop();
          return manager.close();
        });
        await manager.close();
        expect(seen).toBe('all reads have ended');
      }),
      {
        numRuns: 10,
        examples: [
          [[], 'return'],
          [['second reader'], 'close'],
          [[], 'stop turn'],
        ],
      },
    );
  });
});
